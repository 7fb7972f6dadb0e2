/** One test per line of the provider checklist, against the real app on SQLite over HTTP. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { formatOai } from '../src/core/time.ts';
import {
  type Answer,
  dublinCore,
  headersOf,
  iso,
  listPages,
  openRepository,
  parse,
  type TestRepository,
} from './oai-repository.ts';

const LIVE = 23;
/** Characters that need care in XML and in addresses. */
const AWKWARD = 'urn:x:a&b<c>"d"+e%2Ff';

let repository: TestRepository;
let ask: TestRepository['ask'];

before(async () => {
  repository = await openRepository({ oai: { pageSize: 7 } });
  ({ ask } = repository);
  const { commit, extract } = repository;
  const wait = (seconds: number) => repository.wait(seconds);
  await commit('ocean', {
    records: [
      extract(iso('iso-1', 'Ice &amp; tide'), { sets: ['ice:sea'] }),
      extract(iso('iso-2', 'Currents'), { sets: ['ice'] }),
      ...Array.from({ length: 17 }, (_, i) => extract(dublinCore(`urn:ocean:${i}`, `Wave ${i}`))),
    ],
  });
  wait(60);
  await commit('sky', {
    records: [
      extract(dublinCore('urn:sky:1', 'Cloud'), { sets: ['air'] }),
      extract(dublinCore('urn:sky:2', 'Ice halo'), {
        origin: {
          provenance: {
            baseURL: 'https://origin.example.net/oai',
            identifier: 'oai:origin.example.net:7',
            datestamp: '2025-01-01',
            metadataNamespace: 'http://www.openarchives.org/OAI/2.0/oai_dc/',
            harvestDate: '2026-02-28T10:00:00Z',
            altered: false,
          },
        },
      }),
      extract(
        JSON.stringify({
          type: 'Feature',
          id: 'json-1',
          geometry: null,
          properties: { title: 'Balloon ascents' },
        }),
      ),
      extract(dublinCore('gone', 'Going'), { identifier: 'gone', oaiIdentifier: 'urn:sky:gone' }),
      extract(dublinCore('awkward', 'Awkward'), { identifier: 'awkward', oaiIdentifier: AWKWARD }),
    ],
  });
  wait(60);
  await commit('sky', { deletions: [{ identifier: 'gone' }] });
  wait(60);
});
after(() => repository.close());

const LIST = 'metadataPrefix=oai_dc';
const VERBS = [
  'verb=Identify',
  'verb=ListMetadataFormats',
  'verb=ListSets',
  `verb=ListIdentifiers&${LIST}`,
  `verb=ListRecords&${LIST}`,
  `verb=GetRecord&${LIST}&identifier=urn:sky:1`,
];

const requestOf = ({ text }: Answer): string => /<request[\s\S]*?<\/request>/.exec(text)?.[0] ?? '';

async function expectError(code: string | readonly string[], ...queries: readonly string[]): Promise<void> {
  const codes = typeof code === 'string' ? [code] : code;
  for (const query of queries) {
    const answer = await ask(query);
    assert.equal(answer.response.status, 200, query);
    assert.ok(answer.errors.length > 0, `${query}: no error`);
    for (const found of answer.errors) assert.ok(codes.includes(found), `${query}: ${found}`);
    assert.doesNotMatch(answer.text, /<(?:Identify|List\w+|GetRecord)>/);
  }
}

const allHeaders = async (query: string): Promise<string[]> => {
  const headers: string[] = [];
  for await (const page of listPages(repository, 'ListIdentifiers', query)) headers.push(...headersOf(page));
  return headers;
};

void describe('OAI-PMH provider checklist', () => {
  test('1: answers are text/xml and start with an XML declaration in UTF-8', async () => {
    for (const query of [...VERBS, 'verb=junk']) {
      const { response, text } = await ask(query);
      assert.match(response.headers.get('content-type') ?? '', /^text\/xml\b/);
      assert.ok(text.startsWith('<?xml version="1.0" encoding="UTF-8"?>'));
    }
  });

  test('2: answers are UTF-8 with legal characters only, without DTD', async () => {
    await repository.commit('closed', {
      records: [repository.extract(dublinCore('urn:x:odd', 'Tëst \u{1f30a} &#x9; ]]&gt;'))],
    });
    repository.wait(60);
    for await (const page of listPages(repository, 'ListRecords', LIST)) {
      new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(page.text));
      assert.doesNotMatch(page.text, /<!DOCTYPE|<!ENTITY|[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/);
    }
    await repository.commit('closed', { deletions: [{ identifier: 'urn:x:odd' }] });
    repository.wait(60);
  });

  test('3: the root is OAI-PMH with its schema location', async () => {
    const { text } = await ask('verb=Identify');
    using document = parse(text);
    assert.equal(document.root.namespace, 'http://www.openarchives.org/OAI/2.0/');
    assert.equal(document.root.localName, 'OAI-PMH');
    assert.match(
      text,
      /xsi:schemaLocation="http:\/\/www\.openarchives\.org\/OAI\/2\.0\/ http:\/\/www\.openarchives\.org\/OAI\/2\.0\/OAI-PMH\.xsd"/,
    );
  });

  test('4: responseDate is in UTC by the second, and now', async () => {
    for (const query of VERBS) {
      const [date = ''] = (await ask(query)).all('responseDate');
      assert.match(date, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      assert.ok(Math.abs(Date.parse(date) - repository.now()) <= 1000, date);
    }
  });

  test('5: request holds the base URL and exactly the arguments', async () => {
    assert.equal(
      requestOf(await ask(`verb=ListIdentifiers&${LIST}&from=2026-01-01`)),
      `<request verb="ListIdentifiers" metadataPrefix="oai_dc" from="2026-01-01">${repository.baseUrl}</request>`,
    );
    assert.equal(
      requestOf(await ask('verb=Identify')),
      `<request verb="Identify">${repository.baseUrl}</request>`,
    );
  });

  test('6: request keeps its arguments, escaped, with errors of the other kinds', async () => {
    const answer = await ask(`verb=GetRecord&${LIST}&identifier=oai:x.y:a%26b%3Cc`);
    assert.deepEqual(answer.errors, ['idDoesNotExist']);
    assert.match(requestOf(answer), /identifier="oai:x\.y:a&amp;b&lt;c"/);
  });

  test('7: request has no arguments on badVerb and badArgument', async () => {
    for (const query of ['verb=junk', 'verb=GetRecord&identifier=x', 'verb=Identify&foo=bar'])
      assert.equal(requestOf(await ask(query)), `<request>${repository.baseUrl}</request>`);
  });

  test('8: errors come with HTTP 200', async () => {
    for (const query of [
      'verb=junk',
      `verb=ListRecords&${LIST}&until=1999-01-01`,
      'verb=ListRecords&resumptionToken=x',
    ])
      assert.equal((await repository.get(query)).status, 200);
  });

  test('9: no, empty, unknown and miswritten verbs are badVerb', () =>
    expectError('badVerb', '', 'verb=', 'verb=junk', 'verb=identify', 'junk', '%76erb=%00', 'verb=%FF'));

  test('10: a repeated verb is badVerb', () =>
    expectError('badVerb', 'verb=Identify&verb=Identify', 'verb=Identify&verb=ListSets'));

  test('11: a repeated argument is badArgument', () =>
    expectError(
      'badArgument',
      `verb=ListRecords&${LIST}&${LIST}`,
      `verb=ListRecords&${LIST}&from=2000-01-01&from=2001-01-01`,
    ));

  test('12: an unknown argument is badArgument, of all verbs', () =>
    expectError(
      'badArgument',
      ...VERBS.map((query) => `${query}&foo=bar`),
      'verb=ListMetadataFormats&set=a',
    ));

  test('13: a missing argument is badArgument', () =>
    expectError(
      'badArgument',
      `verb=GetRecord&${LIST}`,
      'verb=GetRecord&identifier=x',
      'verb=ListRecords',
      'verb=ListIdentifiers',
    ));

  test('14: resumptionToken excludes other arguments', () =>
    expectError(
      'badArgument',
      `verb=ListRecords&${LIST}&resumptionToken=junk`,
      'verb=ListIdentifiers&resumptionToken=junk&until=2000-02-05',
    ));

  test('15: junk, empty, damaged and foreign tokens are refused', async () => {
    const { token = '' } = await ask(`verb=ListRecords&${LIST}`);
    const damaged = token.replace(/.(?=\.)/, (letter) => (letter === 'A' ? 'B' : 'A'));
    await expectError(
      'badResumptionToken',
      'verb=ListRecords&resumptionToken=junk',
      'verb=ListRecords&resumptionToken=',
      'verb=ListIdentifiers&resumptionToken=junk',
      `verb=ListRecords&resumptionToken=${damaged}`,
      `verb=ListRecords&resumptionToken=${token.slice(0, -1)}`,
    );
    await expectError(['badResumptionToken', 'badArgument'], 'verb=ListRecords&resumptionToken=%22%3C%26%00');
    const elsewhere = await ask(`verb=ListRecords&resumptionToken=${token}`, { path: '/oai/ocean' });
    assert.deepEqual(elsewhere.errors, ['badResumptionToken']);
  });

  test('16: an unknown prefix is cannotDisseminateFormat', () =>
    expectError(
      'cannotDisseminateFormat',
      'verb=ListRecords&metadataPrefix=nope',
      'verb=ListIdentifiers&metadataPrefix=nope',
      // Known here, but no record has it.
      'verb=ListRecords&metadataPrefix=mods',
    ));

  test('17: GetRecord tells an unknown format from an unknown identifier', async () => {
    await expectError(
      'cannotDisseminateFormat',
      'verb=GetRecord&identifier=urn:sky:1&metadataPrefix=nope',
      'verb=GetRecord&identifier=urn:sky:1&metadataPrefix=iso19139',
    );
    await expectError(
      'idDoesNotExist',
      `verb=GetRecord&identifier=urn:sky:none&${LIST}`,
      'verb=GetRecord&identifier=urn:sky:none&metadataPrefix=nope',
    );
  });

  test('18: ListMetadataFormats of an unknown identifier is idDoesNotExist', () =>
    expectError('idDoesNotExist', 'verb=ListMetadataFormats&identifier=oai:no.such:1'));

  test('19: identifiers with quotes and angle brackets give well-formed answers', () =>
    expectError(
      ['badArgument', 'idDoesNotExist'],
      `verb=GetRecord&identifier=invalid%22id&${LIST}`,
      `verb=GetRecord&identifier=%3Cscript%3E&${LIST}`,
      `verb=GetRecord&identifier=%00%01&${LIST}`,
      `verb=GetRecord&identifier=&${LIST}`,
    ));

  test('20: bad dates are badArgument', () =>
    expectError(
      'badArgument',
      ...[
        'junk',
        '2020',
        '2020-1-1',
        '2020-02-30',
        '2020-13-01',
        '2020-01-01T00:00Z',
        '2020-01-01T00:00:00',
        '2020-01-01T00:00:00%2B01:00',
        '2020-01-01T25:00:00Z',
        '',
        '2020-01-01T00:00:00.5Z',
        '%202020-01-01',
      ].flatMap((date) => [
        `verb=ListRecords&${LIST}&from=${date}`,
        `verb=ListRecords&${LIST}&until=${date}`,
      ]),
    ));

  test('21: from and until of different granularity are badArgument', () =>
    expectError('badArgument', `verb=ListRecords&${LIST}&from=2002-02-05&until=2002-02-06T05:35:00Z`));

  test('22: from later than until is badArgument', () =>
    expectError(
      'badArgument',
      `verb=ListRecords&${LIST}&from=2020-01-02&until=2020-01-01`,
      `verb=ListRecords&${LIST}&from=2020-01-01T00:00:01Z&until=2020-01-01T00:00:00Z`,
    ));

  test('23: day granularity is accepted beside the declared one', async () => {
    assert.deepEqual((await ask(`verb=ListRecords&${LIST}&from=2000-01-01`)).errors, []);
    assert.deepEqual((await ask(`verb=ListRecords&${LIST}&from=2000-01-01T00:00:00Z`)).errors, []);
  });

  test('24: from and until are both inclusive, by second and by day', async () => {
    const page = await ask(`verb=GetRecord&${LIST}&identifier=urn:sky:1`);
    const [stamp = ''] = page.all('datestamp');
    for (const range of [
      `from=${stamp}&until=${stamp}`,
      `from=${stamp.slice(0, 10)}&until=${stamp.slice(0, 10)}`,
    ])
      assert.ok((await allHeaders(`${LIST}&${range}`)).includes('urn:sky:1'), range);
    const later = formatOai(Date.parse(stamp) + 1000);
    const earlier = formatOai(Date.parse(stamp) - 1000);
    assert.ok(!(await allHeaders(`${LIST}&from=${later}`)).includes('urn:sky:1'));
    assert.ok(!(await allHeaders(`${LIST}&until=${earlier}`)).includes('urn:sky:1'));
  });

  test('25: what matches nothing is noRecordsMatch', () =>
    expectError(
      'noRecordsMatch',
      `verb=ListRecords&${LIST}&until=1999-01-01`,
      `verb=ListIdentifiers&${LIST}&from=2030-01-01`,
    ));

  test('26: datestamps have the declared granularity and none is earlier than the earliest', async () => {
    const [earliest = ''] = (await ask('verb=Identify')).all('earliestDatestamp');
    for await (const page of listPages(repository, 'ListIdentifiers', LIST))
      for (const stamp of [earliest, ...page.all('datestamp')]) {
        assert.match(stamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
        assert.ok(stamp >= earliest);
      }
  });

  test('27: no datestamp lies behind responseDate, and the present second is not listed', async () => {
    await repository.commit('closed', { records: [repository.extract(dublinCore('urn:x:now', 'Now'))] });
    assert.ok(!(await allHeaders(LIST)).includes('urn:x:now'));
    repository.wait(1);
    assert.ok((await allHeaders(LIST)).includes('urn:x:now'));
    for await (const page of listPages(repository, 'ListIdentifiers', LIST)) {
      const [responseDate = ''] = page.all('responseDate');
      for (const stamp of page.all('datestamp')) assert.ok(stamp <= responseDate);
    }
    await repository.commit('closed', { deletions: [{ identifier: 'urn:x:now' }] });
    repository.wait(60);
  });

  test('28: Identify has its elements in order, and the base URL that was used', async () => {
    const answer = await ask('verb=Identify');
    const names = [...answer.text.matchAll(/^<(\w+)>/gm)].map(([, name]) => name);
    assert.deepEqual(names.slice(names.indexOf('Identify') + 1), [
      'repositoryName',
      'baseURL',
      'protocolVersion',
      'adminEmail',
      'earliestDatestamp',
      'deletedRecord',
      'granularity',
      'compression',
    ]);
    assert.deepEqual(answer.all('repositoryName'), ['Tide & <Ice>']);
    assert.deepEqual(answer.all('baseURL'), [repository.baseUrl]);
    assert.deepEqual(answer.all('protocolVersion'), ['2.0']);
    assert.deepEqual(answer.all('adminEmail'), ['keeper@example.org']);
    assert.deepEqual((await ask('verb=Identify', { path: '/oai/sky' })).all('baseURL'), [
      `${repository.baseUrl}/sky`,
    ]);
  });

  test('29: deletedRecord and granularity are legal words', async () => {
    const answer = await ask('verb=Identify');
    assert.deepEqual(answer.all('deletedRecord'), ['persistent']);
    assert.deepEqual(answer.all('granularity'), ['YYYY-MM-DDThh:mm:ssZ']);
  });

  test('30: deleted records are told, without metadata and about', async () => {
    const answer = await ask(`verb=GetRecord&${LIST}&identifier=urn:sky:gone`);
    assert.match(answer.text, /<record><header status="deleted">.*<\/header><\/record>/);
    assert.ok((await allHeaders(LIST)).includes('-urn:sky:gone'));
  });

  test('31: oai_dc is offered, each format with schema and namespace, and the list of one item is true', async () => {
    const all = await ask('verb=ListMetadataFormats');
    assert.deepEqual(all.all('metadataPrefix').toSorted(), ['iso19139', 'oai_dc']);
    assert.equal(all.all('schema').length, 2);
    assert.equal(all.all('metadataNamespace').length, 2);
    const formatsOf = async (identifier: string) =>
      (await ask(`verb=ListMetadataFormats&identifier=${encodeURIComponent(identifier)}`)).all(
        'metadataPrefix',
      );
    assert.deepEqual(await formatsOf('urn:sky:1'), ['oai_dc']);
    assert.deepEqual(await formatsOf('oai:repository.example.org:ocean:iso-1'), ['oai_dc', 'iso19139']);
    assert.deepEqual(await formatsOf('oai:repository.example.org:sky:json-1'), ['oai_dc']);
    assert.deepEqual(await formatsOf('urn:sky:gone'), ['oai_dc']);
    for await (const page of listPages(repository, 'ListIdentifiers', LIST))
      for (const identifier of headersOf(page))
        for (const prefix of await formatsOf(identifier.replace(/^-/, ''))) {
          const query = `verb=GetRecord&metadataPrefix=${prefix}&identifier=${encodeURIComponent(identifier.replace(/^-/, ''))}`;
          assert.deepEqual((await ask(query)).errors, [], query);
        }
  });

  test('32: setSpecs are legal and parents are listed', async () => {
    const specs = (await ask('verb=ListSets')).all('setSpec');
    for (const spec of specs) {
      assert.match(spec, /^[A-Za-z0-9\-_.!~*'()]+(?::[A-Za-z0-9\-_.!~*'()]+)*$/);
      const parent = spec.slice(0, Math.max(0, spec.lastIndexOf(':')));
      assert.ok(parent === '' || specs.includes(parent), `${spec} without its parent`);
    }
    for (const spec of ['source', 'source:ocean', 'ice', 'ice:sea', 'air'])
      assert.ok(specs.includes(spec), spec);
  });

  test('33: a set gives its records and those of sets below it, and headers tell their sets', async () => {
    const members = (set: string) => allHeaders(`${LIST}&set=${set}`);
    assert.deepEqual(await members('ice'), [
      'oai:repository.example.org:ocean:iso-1',
      'oai:repository.example.org:ocean:iso-2',
    ]);
    assert.deepEqual(await members('ice:sea'), ['oai:repository.example.org:ocean:iso-1']);
    assert.equal((await members('source:ocean')).length, 19);
    assert.deepEqual(await members('source'), await allHeaders(LIST));
    for (const set of (await ask('verb=ListSets')).all('setSpec'))
      for await (const page of listPages(repository, 'ListIdentifiers', `${LIST}&set=${set}`))
        for (const [header] of page.text.matchAll(/<header.*?<\/header>/g))
          assert.match(header, new RegExp(`<setSpec>${set}(?::[^<]*)?</setSpec>`));
    await expectError(
      'noRecordsMatch',
      `verb=ListRecords&${LIST}&set=none`,
      `verb=ListRecords&${LIST}&set=source:none`,
    );
    await expectError('badArgument', `verb=ListRecords&${LIST}&set=a::b`, `verb=ListRecords&${LIST}&set=`);
  });

  test('34: identifiers are absolute URIs, and oai-identifier is declared only where all have that form', async () => {
    for (const identifier of await allHeaders(LIST)) assert.match(identifier, /^-?[a-z][a-z0-9+.-]*:./);
    assert.doesNotMatch((await ask('verb=Identify')).text, /oai-identifier/);
    const other = await openRepository();
    try {
      await other.commit('ocean', { records: [other.extract(iso('iso-9', 'Alone'))] });
      other.wait(60);
      const answer = await other.ask('verb=Identify');
      assert.deepEqual(answer.all('repositoryIdentifier'), ['repository.example.org']);
      assert.deepEqual(answer.all('sampleIdentifier'), ['oai:repository.example.org:ocean:iso-9']);
    } finally {
      await other.close();
    }
  });

  test('35: paging reads the whole list, nothing twice, no empty page, an empty token at the end', async () => {
    for (const verb of ['ListRecords', 'ListIdentifiers']) {
      const seen: string[] = [];
      let last: Answer | undefined;
      for await (const page of listPages(repository, verb, LIST)) {
        assert.ok(headersOf(page).length > 0);
        seen.push(...headersOf(page));
        last = page;
      }
      assert.equal(new Set(seen).size, seen.length);
      assert.equal(seen.filter((header) => !header.startsWith('-')).length, LIVE);
      if (verb === 'ListRecords') assert.match(last?.text ?? '', /<resumptionToken[^>]*><\/resumptionToken>/);
    }
    const whole = await ask(`verb=ListRecords&${LIST}&set=ice`);
    assert.doesNotMatch(whole.text, /resumptionToken/, 'a list on one page has none');
  });

  test('36: cursors count from 0 and the size is the true one', async () => {
    const total = (await allHeaders(LIST)).length;
    let before = 0;
    let size = 0;
    for await (const page of listPages(repository, 'ListRecords', LIST)) {
      const [, attributes = ''] = /<resumptionToken([^>]*)>/.exec(page.text) ?? [];
      assert.match(attributes, new RegExp(` cursor="${before}"`));
      size = Number(/completeListSize="(\d+)"/.exec(attributes)?.[1]);
      assert.equal(size, total);
      before += headersOf(page).length;
    }
    assert.equal(before, total);
  });

  test('37: the same token gives the same page', async () => {
    const { token = '' } = await ask(`verb=ListRecords&${LIST}`);
    const [first, second] = await Promise.all(
      [1, 2].map(() => ask(`verb=ListRecords&resumptionToken=${token}`)),
    );
    assert.ok(first && second);
    assert.deepEqual(headersOf(first), headersOf(second));
  });

  test('38: expirationDate is in UTC seconds, ahead, and kept', async () => {
    const other = await openRepository({ oai: { pageSize: 1, tokenHours: 1 } });
    try {
      const { extract } = other;
      await other.commit('ocean', { records: [1, 2].map((i) => extract(dublinCore(`urn:a:${i}`, 'x'))) });
      other.wait(60);
      const answer = await other.ask(`verb=ListRecords&${LIST}`);
      const [, date = ''] = /expirationDate="([^"]*)"/.exec(answer.text) ?? [];
      assert.match(date, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      assert.equal(Date.parse(date), other.now() + 3_600_000);
      other.wait(3599);
      const resume = () => other.ask(`verb=ListRecords&resumptionToken=${answer.token}`);
      assert.deepEqual((await resume()).errors, []);
      other.wait(1);
      assert.deepEqual((await resume()).errors, ['badResumptionToken']);
    } finally {
      await other.close();
    }
  });

  test('39: a token is good for its own verb only', async () => {
    const { token = '' } = await ask(`verb=ListRecords&${LIST}`);
    await expectError(
      'badResumptionToken',
      `verb=ListSets&resumptionToken=${token}`,
      `verb=ListIdentifiers&resumptionToken=${token}`,
    );
  });

  test('40: POST equals GET, for all verbs', async () => {
    const strip = (text: string) => text.replace(/expirationDate="[^"]*"|>[^<]*<\/resumptionToken>/g, '');
    for (const query of [...VERBS, `verb=GetRecord&${LIST}&identifier=${encodeURIComponent(AWKWARD)}`]) {
      const got = await ask(query);
      const posted = await ask('', {
        method: 'POST',
        body: query,
        headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' },
      });
      assert.deepEqual(posted.errors, []);
      assert.equal(strip(posted.text), strip(got.text));
    }
  });

  test('41: POST with repeated arguments, with a query beside the body, or of another type is an error', async () => {
    const post = (body: string, query = '', type = 'application/x-www-form-urlencoded') =>
      ask(query, { method: 'POST', body, headers: { 'content-type': type } });
    assert.deepEqual((await post('verb=Identify&verb=Identify')).errors, ['badVerb']);
    assert.deepEqual((await post('verb=ListRecords&metadataPrefix=a&metadataPrefix=a')).errors, [
      'badArgument',
    ]);
    assert.deepEqual((await post('verb=Identify', 'verb=Identify')).errors, ['badArgument']);
    assert.deepEqual((await post(LIST, 'verb=ListRecords')).errors, ['badArgument']);
    assert.deepEqual((await post('verb=Identify', '', 'text/plain')).errors, ['badVerb']);
    assert.deepEqual((await post('{"verb":"Identify"}', '', 'application/json')).errors, ['badVerb']);
  });

  test('42: percent and plus escapes are decoded alike, and %2B stays a plus', async () => {
    const same = await ask('verb=GetRecord&metadataPrefix=oai%5Fdc&identifier=%75rn%3asky%3A1');
    assert.deepEqual(same.errors, []);
    assert.deepEqual(
      (await ask(`verb=GetRecord&${LIST}&identifier=${encodeURIComponent(AWKWARD)}`)).errors,
      [],
    );
    const spaced = await ask(
      `verb=GetRecord&${LIST}&identifier=${encodeURIComponent(AWKWARD).replace('%2B', '+')}`,
    );
    assert.deepEqual(spaced.errors, ['idDoesNotExist']);
    assert.match(requestOf(spaced), /d&quot; e/);
  });

  test('43: answers are compressed only when that is asked for', async () => {
    for (const query of VERBS) {
      const plain = await repository.get(query);
      assert.equal(plain.headers.get('content-encoding'), null);
      await plain.arrayBuffer();
    }
    const { hostname, port } = new URL(repository.baseUrl);
    const raw = await rawGet(hostname, Number(port), `/oai?verb=ListRecords&${LIST}`, {
      'accept-encoding': 'gzip',
    });
    assert.equal(raw.headers['content-encoding'], 'gzip');
    assert.match(gunzipSync(raw.body).toString(), /<\/OAI-PMH>\n$/);
    assert.deepEqual((await ask('verb=Identify')).all('compression'), ['gzip']);
  });

  test('44: gzip with weight 0 is honoured', async () => {
    const { hostname, port } = new URL(repository.baseUrl);
    for (const [header, coding] of [
      ['gzip;q=0', undefined],
      ['gzip; q=0.0, *', undefined],
      ['*;q=0', undefined],
      ['br, deflate', undefined],
      ['gzip;q=0.1, identity', 'gzip'],
      ['*', 'gzip'],
    ] as const) {
      const raw = await rawGet(hostname, Number(port), '/oai?verb=Identify', { 'accept-encoding': header });
      assert.equal(raw.headers['content-encoding'], coding, header);
    }
  });

  test('45: each metadata element has one root in the announced namespace, with its schema location', async () => {
    const formats = await ask('verb=ListMetadataFormats');
    const namespaces = formats.all('metadataNamespace');
    for (const [i, prefix] of formats.all('metadataPrefix').entries())
      for await (const page of listPages(repository, 'ListRecords', `metadataPrefix=${prefix}`))
        for (const [, metadata = ''] of page.text.matchAll(/<metadata>(.*?)<\/metadata>/gs)) {
          using document = parse(metadata);
          assert.equal(document.root.namespace, namespaces[i]);
          assert.match(metadata.slice(0, metadata.indexOf('>')), /xsi:schemaLocation="/);
        }
  });

  test('46: live records have metadata, and about behind it', async () => {
    for await (const page of listPages(repository, 'ListRecords', LIST))
      for (const [record] of page.text.matchAll(/<record>.*?<\/record>/gs))
        assert.match(
          record,
          /<header status="deleted">.*<\/header><\/record>|<header>.*<\/header><metadata>.*<\/metadata>(?:<about>.*<\/about>)*<\/record>/s,
        );
    const { text } = await ask(`verb=GetRecord&${LIST}&identifier=urn:sky:2`);
    const [, about = ''] = /<\/metadata><about>(.*)<\/about><\/record>/s.exec(text) ?? [];
    using document = parse(about);
    assert.equal(document.root.namespace, 'http://www.openarchives.org/OAI/2.0/provenance');
    assert.match(about, /altered="false"><baseURL>https:\/\/origin\.example\.net\/oai</);
  });

  test('47: GetRecord, ListRecords and ListIdentifiers agree on headers', async () => {
    const headers = (text: string) => [...text.matchAll(/<header.*?<\/header>/g)].map(([header]) => header);
    const identifiers: string[] = [];
    const records: string[] = [];
    for await (const page of listPages(repository, 'ListIdentifiers', LIST))
      identifiers.push(...headers(page.text));
    for await (const page of listPages(repository, 'ListRecords', LIST)) records.push(...headers(page.text));
    assert.deepEqual(records, identifiers);
    for (const header of identifiers) {
      const identifier = /<identifier>([^<]*)</.exec(header)?.[1] ?? '';
      const plain = identifier.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
      const single = await ask(`verb=GetRecord&${LIST}&identifier=${encodeURIComponent(plain)}`);
      assert.deepEqual(headers(single.text), [header]);
    }
  });
});

/** Fetch decodes what comes; this shows it as it is. */
async function rawGet(
  host: string,
  port: number,
  path: string,
  headers: Record<string, string>,
): Promise<{ headers: Record<string, string | string[] | undefined>; body: Buffer }> {
  const { request } = await import('node:http');
  return new Promise((resolve, reject) => {
    request({ host, port, path, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve({ headers: response.headers, body: Buffer.concat(chunks) }));
    })
      .on('error', reject)
      .end();
  });
}
