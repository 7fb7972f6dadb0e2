/** Answers that real providers gave, each of them harvested: exactly these records, exactly that outcome. */
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { importFiles } from '../src/harvest/files/index.ts';
import { harvestOai, type OaiSource } from '../src/harvest/oai/index.ts';
import { probeOai } from '../src/harvest/oai/probe.ts';
import { dublinCore, formats, openKeep, startOrigin } from '../src/harvest/remote/origin.fixture.ts';
import { harvestResourceSync } from '../src/harvest/resourcesync/harvest-resourcesync.ts';
import { type Behaviour, envelope, errorXml, headerXml, serveProviders } from './oai-provider.ts';

const SAMPLES = fileURLToPath(new URL('../../shared/data/oai-responses/', import.meta.url));
const skip = !existsSync(SAMPLES) && 'the samples are not here';
const read = (file: string) => readFileSync(join(SAMPLES, file), 'utf8');

/** Files by verb, and by token for the pages after the first. */
interface Provider {
  readonly Identify?: string;
  readonly ListRecords?: string;
  readonly ListIdentifiers?: string;
  /** `from`: the record is cut out of that list. */
  readonly GetRecord?: string | { readonly from: string };
  readonly ListMetadataFormats?: string;
  readonly ListSets?: string;
  readonly tokens?: Readonly<Record<string, string>>;
  /** What ListIdentifiers lists, instead of a file. */
  readonly listed?: readonly string[];
}

function provide(files: Provider): Behaviour {
  return ({ verb, args }) => {
    const token = args.get('resumptionToken');
    if (token !== null) {
      const page = files.tokens?.[token];
      return { body: page === undefined ? errorXml('badResumptionToken') : read(page) };
    }
    if (verb === 'ListIdentifiers' && files.listed) {
      const headers = files.listed.map((identifier) =>
        headerXml({ identifier, datestamp: '2011-01-01T00:00:00Z' }),
      );
      return { body: envelope(`<ListIdentifiers>${headers.join('')}</ListIdentifiers>`) };
    }
    const file = files[verb as 'Identify' | 'GetRecord'];
    if (typeof file === 'string') return { body: read(file) };
    if (!file) return { body: errorXml('badVerb') };
    const identifier = args.get('identifier') ?? '';
    const records = read(String(file.from)).match(/<record>.*?<\/record>/gs) ?? [];
    const found = records.find((record) => record.includes(`<identifier>${identifier}</identifier>`));
    const whole = read(String(file.from)).replace(
      /<ListRecords>.*<\/ListRecords>/s,
      `<GetRecord>${found}</GetRecord>`,
    );
    return { body: found === undefined ? errorXml('idDoesNotExist') : whole };
  };
}

const policy = {
  userAgent: 'test',
  allowPrivate: true,
  attempts: 2,
  backoffMs: 1,
  sleep: async () => {},
};

async function harvest(files: Provider, source: Partial<OaiSource> = {}) {
  const server = await serveProviders(new Map([['/oai', provide(files)]]));
  const keep = await openKeep();
  try {
    const report = await harvestOai(
      { ...keep, policy },
      {
        name: 'there',
        url: `${server.url}/oai`,
        prefixes: { oai_dc: undefined },
        feed: 'records',
        fullEveryDays: 30,
        maxDeleteShare: 0.5,
        ...source,
      },
    );
    const problems = await keep.store.runs.listProblems({ runId: report.runId, limit: 100 });
    const identifiers = await keep.identifiers();
    const titles = await Promise.all(
      identifiers.map(async (identifier) => (await keep.fields(identifier)).title?.[0]),
    );
    return {
      status: report.status,
      code: report.code,
      identifiers,
      titles,
      problems: [...new Set(problems.map(({ code }) => code))].toSorted(),
    };
  } finally {
    server.close();
    await keep.close();
  }
}

/** A provider that lists one record, whose answer to GetRecord is the file. */
const single = (GetRecord: string, identifier: string): Provider => ({
  Identify: 'sickle-bsd/Identify.xml',
  GetRecord,
  listed: [identifier],
});
const bySingles = { feed: 'identifiers' } as const;
const DSPACE = { Identify: 'pyoai-bsd/fake1-00001.xml', ListRecords: 'pyoai-bsd/fake1-00005.xml' };

test('one page of a DSpace of 2004, by list and one by one', { skip }, async () => {
  const byList = await harvest(DSPACE);
  assert.deepEqual([byList.status, byList.problems], ['complete', []]);
  assert.equal(byList.identifiers.length, 16);
  assert.equal(byList.titles[0], 'Kijken in het brein: Over de mogelijkheden van neuromarketing');
  const { ListRecords, ...rest } = DSPACE;
  const oneByOne = await harvest(
    { ...rest, ListIdentifiers: 'pyoai-bsd/fake1-00003.xml', GetRecord: { from: ListRecords } },
    bySingles,
  );
  assert.deepEqual(oneByOne, byList);
});

for (const [what, Identify] of [
  ['is not well-formed', 'pyoai-bsd/fake3-00001.xml'],
  ['has an entity that nobody declared', 'pyoai-bsd/fake4-00001.xml'],
  ['has aaaa-bb-cc for the first datestamp', 'pyoai-bsd/fake5-00001.xml'],
] as const)
  test(`a provider whose Identify ${what}`, { skip }, async () => {
    const found = await harvest({ ...DSPACE, Identify });
    assert.deepEqual([found.status, found.problems, found.identifiers.length], ['complete', [], 16]);
  });

test('81 records, two of them deleted', { skip }, async () => {
  const found = await harvest({ ...DSPACE, ListRecords: 'pyoai-bsd/fake2-00002.xml' });
  const listed = [
    ...read('pyoai-bsd/fake2-00002.xml').matchAll(/<header(?! status)[^>]*>\s*<identifier>([^<]*)/g),
  ];
  assert.deepEqual([found.status, found.problems], ['complete', []]);
  assert.deepEqual(found.identifiers, listed.map(([, identifier = '']) => identifier).toSorted());
  assert.equal(found.identifiers.length, 79);
});

test('two pages that announce as many records as the first has', { skip }, async () => {
  const [, token = ''] = /<resumptionToken[^>]*>([^<]*)/.exec(read('oaipmh2js-mit/list-records-1.xml')) ?? [];
  const found = await harvest({
    Identify: 'oaipmh2js-mit/identify.xml',
    ListRecords: 'oaipmh2js-mit/list-records-1.xml',
    tokens: { [token]: 'oaipmh2js-mit/list-records-3-last.xml' },
  });
  assert.deepEqual([found.status, found.problems], ['complete', []]);
  assert.deepEqual(
    found.identifiers,
    [1, 2, 3, 7, 8, 9].map((n) => `oai:tethys.at:${n}`),
  );
});

test('a list that ends at four of eight records, one of them nameless', { skip }, async () => {
  const found = await harvest({
    Identify: 'sickle-bsd/Identify.xml',
    ListRecords: 'sickle-bsd/ListRecords.xml',
    tokens: { 'ListRecords2.xml': 'sickle-bsd/ListRecords4.xml' },
  });
  assert.deepEqual([found.status, found.code], ['incomplete', 'oai.gap']);
  assert.deepEqual(found.problems, ['oai.count', 'record.identifier']);
  assert.deepEqual(found.identifiers, ['oai:test.example.com:1585322']);
});

test('ten records without datestamps, and a token that is dead', { skip }, async () => {
  const found = await harvest(
    { Identify: 'pycsw-mit/get_Identify.xml', ListRecords: 'pycsw-mit/get_ListRecords_iso19139.xml' },
    { prefixes: { iso19139: undefined } },
  );
  assert.deepEqual(
    [found.status, found.code, found.problems],
    ['incomplete', 'oai.gap', ['record.datestamp']],
  );
  assert.equal(found.identifiers.length, 10);
  assert.equal(found.titles[0], 'Lorem ipsum');
});

test('single records: non-ASCII, DataCite with a prefixed envelope', { skip }, async () => {
  const text = await harvest(
    single('sickle-bsd/GetRecord_utf8test.xml', 'oai:test.example.com:1996652'),
    bySingles,
  );
  assert.deepEqual([text.status, text.identifiers], ['complete', ['oai:test.example.com:1996652']]);
  const identifier = 'urn:uuid:19887a8a-f6b0-4a63-ae56-7fba0e17801f';
  const datacite = await harvest(single('pycsw-mit/get_GetRecord_datacite.xml', identifier), {
    ...bySingles,
    prefixes: { datacite: undefined },
  });
  assert.deepEqual([datacite.identifiers, datacite.titles], [[identifier], ['Lorem ipsum']]);
});

for (const [what, file, identifier, status, problems] of [
  ['that is deleted by now', 'pyoai-bsd/fake2-00000.xml', 'hdl:1765/1160', 'complete', []],
  [
    'without metadata',
    'oaipmh2js-mit/get-record-malformed.xml',
    'oai:tethys.at:1',
    'incomplete',
    ['record.metadata'],
  ],
  [
    'that does not exist',
    'oaipmh2js-mit/id-does-not-exist.xml',
    'oai:tethys.at:1',
    'incomplete',
    ['oai.gap'],
  ],
  [
    'that is another one',
    'sickle-bsd/GetRecord_utf8test.xml',
    'oai:test.example.com:1',
    'incomplete',
    ['oai.gap'],
  ],
] as const)
  test(`a single record ${what}`, { skip }, async () => {
    const found = await harvest(single(file, identifier), bySingles);
    assert.deepEqual([found.status, found.problems, found.identifiers], [status, problems, []]);
  });

for (const [file, status, code] of [
  ['sickle-bsd/badArgument.xml', 'failed', 'oai.error'],
  ['pycsw-mit/get_bad_verb.xml', 'failed', 'oai.error'],
  ['sickle-bsd/undefinedError.xml', 'failed', 'oai.gap'],
  ['sickle-bsd/badResumptionToken.xml', 'failed', 'oai.gap'],
  ['oaipmh2js-mit/id-does-not-exist.xml', 'failed', 'oai.gap'],
  ['sickle-bsd/noRecordsMatch.xml', 'incomplete', 'source.empty'],
  ['sickle-bsd/ListRecordsBroken.xml', 'failed', 'oai.response'],
  ['sickle-bsd/ListSets.xml', 'failed', 'oai.response'],
  ['oaipmh2js-mit/list-sets-1.xml', 'failed', 'oai.response'],
  ['pyoai-bsd/fake1-00000.xml', 'failed', 'oai.response'],
] as const)
  test(`${file} in the place of a list`, { skip }, async () => {
    const found = await harvest({ Identify: 'sickle-bsd/Identify.xml', ListRecords: file });
    assert.deepEqual([found.status, found.code, found.identifiers], [status, code, []]);
  });

test('a probe reads Identify and the formats', { skip }, async () => {
  const server = await serveProviders(
    new Map([
      [
        '/oai',
        provide({
          Identify: 'sickle-bsd/Identify.xml',
          ListMetadataFormats: 'sickle-bsd/ListMetadataFormats.xml',
        }),
      ],
    ]),
  );
  try {
    const {
      identity,
      formats: offered,
      mistakes,
    } = await probeOai(
      { url: `${server.url}/oai`, prefixes: { oai_dc: undefined, nope: undefined } },
      policy,
    );
    assert.ok(identity.repositoryName);
    assert.ok(offered.some(({ prefix }) => prefix === 'oai_dc'));
    assert.equal(mistakes.length, 1);
  } finally {
    server.close();
  }
});

test('a capability list leads to its resource list, whose digests are checked', { skip }, async () => {
  const keep = await openKeep();
  let digests: 'theirs' | 'ours' = 'theirs';
  const content = (target: string) => dublinCore(target.slice(1), `Resource ${target}`);
  const lists: Readonly<Record<string, string>> = {
    '/dataset1/capabilitylist.xml': 'resync-apache/resourcesync_ex_13.xml',
    '/dataset1/resourcelist.xml': 'resync-apache/resourcesync_ex_2.xml',
    '/dataset1/changelist.xml': 'resync-apache/resourcesync_ex_3.xml',
  };
  const origin = await startOrigin((target) => {
    const file = lists[target];
    if (file === undefined) return /^\/res\d$/.test(target) ? content(target) : undefined;
    const there = read(file).replaceAll('http://example.com', origin.url);
    if (digests === 'theirs') return there;
    return there.replaceAll(
      /(\/res\d)(<\/loc>.*?)md5:[0-9a-f]+/gs,
      (_, path: string, between: string) => `${path}${between}md5:${hash('md5', content(path))}`,
    );
  });
  const run = () =>
    harvestResourceSync(
      { ...keep, client: origin.client },
      {
        name: 'there',
        url: `${origin.url}/dataset1/capabilitylist.xml`,
        maxDeleteShare: 0.5,
      },
    );
  try {
    const refused = await run();
    assert.equal(refused.status, 'incomplete');
    const problems = await keep.store.runs.listProblems({ runId: refused.runId, limit: 9 });
    assert.deepEqual(
      problems.map(({ code }) => code),
      ['source.checksum', 'source.checksum'],
    );
    digests = 'ours';
    assert.equal((await run()).status, 'complete');
    assert.deepEqual(await keep.identifiers(), ['res1', 'res2']);
  } finally {
    await origin.close();
    await keep.close();
  }
});

test('a record of a format that nobody told us of is taken in as XML', { skip }, async () => {
  const keep = await openKeep();
  try {
    const paths = [join(SAMPLES, 'joai-apache')];
    const report = await importFiles({ ...keep, formats }, { name: 'there', paths, maxDeleteShare: 0.5 });
    assert.equal(report.status, 'complete');
    assert.equal((await keep.identifiers()).length, 1);
  } finally {
    await keep.close();
  }
});
