/** DIDL of other makers, old and new, and of those who mean no good: what arrives, and what is told of the rest. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { runSource } from '../src/app/run-source.ts';
import { type Garner, openGarner } from '../src/app.ts';
import { surtKey } from '../src/archive/index.ts';
import { openCapture } from '../src/archive/items/index.ts';
import { OPERATOR } from '../src/core/access.ts';
import { defaultConfig } from '../src/core/config.ts';
import type { ConfigInput } from '../src/core/config-schema.ts';
import { GarnerError } from '../src/core/errors.ts';
import { silentLog } from '../src/core/log.ts';
import { systemClock } from '../src/core/time.ts';
import { exportSite, selectPages } from '../src/publish/captures/index.ts';
import { MATCH_ALL } from '../src/query/ast.ts';
import { temporaryFolder } from './garner-process.ts';
import {
  type Behaviour,
  envelope,
  headerXml,
  type ProviderRecord,
  provider,
  serveProviders,
  stamp,
} from './oai-provider.ts';

const SITE = 'http://old.example/';
type OaiInput = Extract<NonNullable<ConfigInput['sources']>[string], { kind: 'oai' }>;

interface Parts {
  readonly identifier?: string;
  readonly headers?: string;
  readonly fixity?: string;
  readonly resources: string;
}

/** First edition, as mod_oai wrote it. */
const didl = ({ identifier, headers, fixity, resources }: Parts): string => {
  const statement = (content: string | undefined) =>
    content === undefined
      ? ''
      : `<didl:Descriptor><didl:Statement mimeType="application/xml; charset=utf-8">${content}</didl:Statement></didl:Descriptor>`;
  return `<didl:DIDL xmlns:didl="urn:mpeg:mpeg21:2002:01-DIDL-NS"><didl:Container><didl:Item>${statement(
    identifier && `<dii:Identifier xmlns:dii="urn:mpeg:mpeg21:2002:01-DII-NS">${identifier}</dii:Identifier>`,
  )}${statement(headers && `<http:header xmlns:http="urn:any">${headers}</http:header>`)}<didl:Component>${statement(
    fixity,
  )}${resources}</didl:Component></didl:Item></didl:Container></didl:DIDL>`;
};
const value = (text: string | Buffer, type = 'text/plain') =>
  `<didl:Resource mimeType="${type}" encoding="base64">${Buffer.from(text).toString('base64')}</didl:Resource>`;
const premis = (algorithm: string, digest: string) =>
  `<object xmlns="info:lc/xmlns/premis-v2"><objectCharacteristics><fixity><messageDigestAlgorithm>${algorithm}</messageDigestAlgorithm><messageDigest>${digest}</messageDigest></fixity></objectCharacteristics></object>`;

const record = (path: string, metadata: string): ProviderRecord => ({
  identifier: path.includes(':') ? path : SITE + path,
  datestamp: stamp(0),
  metadata,
});

async function mirror(t: TestContext, behaviour: Behaviour, more: Partial<OaiInput> = {}) {
  const folder = temporaryFolder(t);
  const server = await serveProviders(
    new Map([
      ['/oai', behaviour],
      ['/file.txt', () => ({ body: 'fetched', headers: { 'content-type': 'text/plain' } })],
    ]),
  );
  const source: OaiInput = {
    kind: 'oai',
    url: `${server.url}/oai`,
    format: 'oai_didl',
    allowPrivate: true,
    attempts: 1,
    ...more,
  };
  const garner = await openGarner(defaultConfig(folder, { sources: { mirror: source } }, {}));
  t.after(async () => {
    server.close();
    await garner[Symbol.asyncDispose]();
  });
  return { garner, folder, url: server.url };
}

const serve = (records: readonly ProviderRecord[] | (() => readonly ProviderRecord[])) =>
  provider(records, { prefixes: ['oai_didl'], pageSize: 3 });

async function problemsOf({ store }: Garner, runId: number): Promise<string[]> {
  const problems = await store.runs.listProblems({ runId, limit: 100 });
  return problems.map(({ code, identifier = '' }) => `${code} ${identifier.replace(SITE, '')}`).toSorted();
}

async function contentOf({ store, config }: Garner, path: string) {
  const url = SITE + path;
  const [capture] = await store.captures.list(
    { urlKey: surtKey(url), sources: ['mirror'], reverse: true, limit: 1 },
    OPERATOR,
  );
  if (!capture) return undefined;
  const access = { captures: store.captures, dataFolder: config.data };
  const { record: archived, http } = await openCapture(access, capture, OPERATOR);
  const hash = createHash('sha256');
  let text = '';
  for await (const bytes of archived.payloadStream()) {
    hash.update(bytes);
    if (text.length < 1000) text += bytes.toString('latin1', 0, 1000);
  }
  return { text, sha256: hash.digest('hex'), headers: http?.headers, type: archived.header('Content-Type') };
}

const identifiersOf = async ({ store }: Garner) =>
  (await store.items.listRaw('mirror', 0, 100))
    .map(({ identifier }) => identifier.replace(SITE, ''))
    .toSorted();

test('the first edition of DIDL is read, by value, as XML, as text, and without any header', async (t) => {
  const { garner } = await mirror(
    t,
    serve([
      record(
        'page.html',
        didl({
          identifier: `${SITE}page.html`,
          headers: '<http:Content-Type>text/html</http:Content-Type><http:ETag>"x"</http:ETag>',
          fixity: premis('SHA-1', createHash('sha1').update('<p>hello').digest('hex')),
          resources: `${value('<p>hello', 'text/html')}<didl:Resource mimeType="text/html" ref="${SITE}page.html"/>`,
        }),
      ),
      record('bare.txt', didl({ resources: value('no header') })),
      record(
        'tree.xml',
        didl({
          resources:
            '<didl:Resource mimeType="application/xml"><t:tree xmlns:t="urn:t"><didl:Resource/></t:tree></didl:Resource>',
        }),
      ),
      record(
        'plain.txt',
        didl({ resources: '<didl:Resource mimeType="text/plain">a &lt; b</didl:Resource>' }),
      ),
      record('lines.txt', didl({ resources: value('folded').replace('Zm9s', '\n Zm9\n\ts') })),
    ]),
  );
  const report = await runSource(garner, 'mirror', silentLog);
  assert.deepEqual(await problemsOf(garner, report.runId), []);
  const page = await contentOf(garner, 'page.html');
  assert.equal(page?.text, '<p>hello');
  assert.deepEqual(page.headers, [
    ['Content-Type', 'text/html'],
    ['ETag', '"x"'],
    ['Content-Length', '8'],
  ]);
  const bare = await contentOf(garner, 'bare.txt');
  assert.deepEqual([bare?.text, bare?.headers, bare?.type], ['no header', undefined, 'text/plain']);
  assert.match(
    (await contentOf(garner, 'tree.xml'))?.text ?? '',
    /^<t:tree xmlns:didl="urn:mpeg:mpeg21:2002:01-DIDL-NS" xmlns:t="urn:t"><didl:Resource\/><\/t:tree>$/,
  );
  assert.equal((await contentOf(garner, 'plain.txt'))?.text, 'a < b');
  assert.equal((await contentOf(garner, 'lines.txt'))?.text, 'folded');
});

test('what is wrong with a DIDL is told with its record, and everything else arrives', async (t) => {
  const header = (name: string, text: string) => `<h:${name} xmlns:h="urn:h">${text}</h:${name}>`;
  const { garner } = await mirror(
    t,
    serve([
      record('good.txt', didl({ resources: value('good') })),
      record('base64.txt', didl({ resources: '<didl:Resource encoding="base64">***</didl:Resource>' })),
      record('cut.txt', didl({ resources: '<didl:Resource encoding="base64">aGVsb</didl:Resource>' })),
      record(
        'long.bin',
        didl({ resources: `<didl:Resource encoding="base64">${'A'.repeat(200_000)}*</didl:Resource>` }),
      ),
      record('coding.txt', didl({ resources: '<didl:Resource encoding="rot13">uryyb</didl:Resource>' })),
      record('nothing.txt', didl({ resources: '' })),
      record('other.txt', didl({ identifier: 'http://bank.example/login', resources: value('phish') })),
      record('oai:old.example:1', didl({ resources: value('no address') })),
      record('digest.txt', didl({ fixity: premis('SHA-256', '0'.repeat(64)), resources: value('damaged') })),
      record('by-reference.txt', didl({ resources: `<didl:Resource ref="${SITE}by-reference.txt"/>` })),
      record('dc.txt', '<dc xmlns="urn:dc"><title>no DIDL</title></dc>'),
      record(
        'length.txt',
        didl({
          headers: `${header('Content-Length', '999')}${header('Content-Encoding', 'br')}${header('X-A', 'a\r\nX-B: b\u010aX-C: c')}`,
          resources: value('short'),
        }),
      ),
    ]),
  );
  const report = await runSource(garner, 'mirror', silentLog);
  assert.deepEqual(await problemsOf(garner, report.runId), [
    'didl.content base64.txt',
    'didl.content coding.txt',
    'didl.content cut.txt',
    'didl.content dc.txt',
    'didl.content long.bin',
    'didl.content nothing.txt',
    'didl.reference by-reference.txt',
    'record.identifier oai:old.example:1',
    'record.identifier other.txt',
    'record.repaired length.txt',
    'record.repaired length.txt',
    'source.checksum digest.txt',
  ]);
  assert.deepEqual(await identifiersOf(garner), ['good.txt', 'length.txt']);
  const mended = await contentOf(garner, 'length.txt');
  assert.equal(mended?.text, 'short');
  assert.deepEqual(
    mended.headers?.map(([name]) => name),
    ['X-A', 'Content-Length'],
  );
});

test('a later DIDL that is no good leaves what was there before', async (t) => {
  let resources = value('first');
  const { garner } = await mirror(
    t,
    serve(() => [record('a.txt', didl({ resources }))]),
  );
  await runSource(garner, 'mirror', silentLog);
  resources = '<didl:Resource encoding="base64">?</didl:Resource>';
  const report = await runSource(garner, 'mirror', silentLog, { full: true });
  assert.deepEqual(await problemsOf(garner, report.runId), ['didl.content a.txt']);
  assert.equal(report.counts.deleted, 0);
  assert.deepEqual(await identifiersOf(garner), ['a.txt']);
  assert.equal((await contentOf(garner, 'a.txt'))?.text, 'first');
});

test('a harvest that dies between archive and items repeats nothing when it is done again', async (t) => {
  const { garner } = await mirror(
    t,
    serve(['a.txt', 'b.txt'].map((path) => record(path, didl({ resources: value(path) })))),
  );
  const { items } = garner.store;
  const commit: typeof items.commit = async (batch) => {
    if (batch.records?.length) throw new GarnerError('store.disk-full', 'as if');
    return items.commit(batch);
  };
  const dying = { ...garner, store: { ...garner.store, items: { ...items, commit } } };
  await assert.rejects(runSource(dying, 'mirror', silentLog), { code: 'store.disk-full' });
  assert.deepEqual(await identifiersOf(garner), []);
  const report = await runSource(garner, 'mirror', silentLog);
  assert.equal(report.counts.added, 2);
  const { captures } = await garner.store.captures.count(
    { urlKey: surtKey(SITE), match: 'host', sources: ['mirror'] },
    OPERATOR,
  );
  assert.equal(captures, 2);
});

test('a file that is there by reference only is fetched where the source says so', async (t) => {
  let base = '';
  const { garner, url } = await mirror(
    t,
    serve(() => [
      record('far.txt', didl({ resources: `<didl:Resource mimeType="text/plain" ref="${base}/file.txt"/>` })),
      record('local.txt', didl({ resources: '<didl:Resource ref="file:///etc/hostname"/>' })),
      record('gone.txt', didl({ resources: `<didl:Resource ref="${base}/gone"/>` })),
    ]),
    { references: 'fetch' },
  );
  base = url;
  const report = await runSource(garner, 'mirror', silentLog);
  assert.deepEqual(await problemsOf(garner, report.runId), [
    'didl.reference local.txt',
    'http.status gone.txt',
  ]);
  assert.equal((await contentOf(garner, 'far.txt'))?.text, 'fetched');
});

test('a file larger than any record may be goes through, and leaves nothing behind', async (t) => {
  const block = Buffer.alloc(3 << 20, 'sedge ');
  const blocks = 18;
  const [before = '', after = ''] = didl({ resources: value('') }).split('></didl:Resource>');
  const list = serve([]);
  const { garner, folder } = await mirror(t, (question) => {
    if (question.verb !== 'ListRecords') return list(question);
    const [head = '', tail = ''] = envelope('<ListRecords>|</ListRecords>').split('|');
    const { identifier, datestamp } = record('large.bin', '');
    return {
      raw: async (response) => {
        response.writeHead(200, { 'content-type': 'text/xml' });
        response.write(`${head}<record>${headerXml({ identifier, datestamp })}<metadata>${before}>`);
        const encoded = block.toString('base64');
        for (let i = 0; i < blocks; i++)
          if (!response.write(encoded)) await new Promise((resolve) => response.once('drain', resolve));
        response.end(`</didl:Resource>${after}</metadata></record>${tail}`);
      },
    };
  });
  const report = await runSource(garner, 'mirror', silentLog);
  // Searched is only the beginning of what is so long; kept is all of it.
  assert.deepEqual(await problemsOf(garner, report.runId), ['content.cut large.bin']);
  const expected = createHash('sha256');
  for (let i = 0; i < blocks; i++) expected.update(block);
  assert.equal((await contentOf(garner, 'large.bin'))?.sha256, expected.digest('hex'));
  const left = await readdir(join(garner.config.data, 'archive/mirror'));
  assert.ok(folder && left.every((name) => name.endsWith('.warc.gz')), left.join());
});

test('no URL leads out of the folder that a site is written into', async (t) => {
  const paths = [
    'fine.txt',
    '%2e%2e%2f%2e%2e%2fescape.txt',
    'a/..%2f..%2fescape.txt',
    '..%5cescape.txt',
    'nul%00.txt',
    '.git/hooks%2fpost-checkout',
    '.htaccess',
    `${'x'.repeat(300)}.txt`,
    'fine.txt/below.txt',
    'query?a=/../../b',
  ];
  const { garner, folder } = await mirror(
    t,
    serve(paths.map((path) => record(path, didl({ resources: value(path) })))),
  );
  const report = await runSource(garner, 'mirror', silentLog);
  assert.deepEqual(await problemsOf(garner, report.runId), []);
  const { store, config } = garner;
  const before = await readdir(folder);
  const target = join(folder, 'deep/out');
  const written = await exportSite(
    { store, dataFolder: config.data, clock: systemClock, software: 'test' },
    selectPages(store, { query: MATCH_ALL, sources: ['mirror'] }, OPERATOR),
    target,
    OPERATOR,
  );
  assert.equal(written.pages, 2);
  assert.deepEqual(
    new Set(written.problems.map(({ code }) => code)),
    new Set(['archive.unsafe', 'record.duplicate']),
  );
  const files = (await readdir(join(folder, 'deep'), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(target.length + 1))
    .toSorted();
  assert.deepEqual(files, ['old.example/fine.txt', 'old.example/query%3Fa%3D%2F..%2F..%2Fb']);
  assert.deepEqual(
    (await readdir(folder)).filter((name) => !before.includes(name)),
    ['deep'],
  );
});
