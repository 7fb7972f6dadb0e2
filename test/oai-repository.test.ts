/** The store as an OAI-PMH repository: what is hidden, moved, dropped, changed meanwhile; hostile requests; load. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { PUBLIC } from '../src/core/access.ts';
import { formatOai } from '../src/core/time.ts';
import { compileSchema } from '../src/xml/xsd.ts';
import {
  CURATOR,
  dublinCore,
  headersOf,
  iso,
  listPages,
  openRepository,
  parse,
  type RepositoryOptions,
  readAnswer,
  SCHEMAS,
  type TestRepository,
} from './oai-repository.ts';

const LIST = 'metadataPrefix=oai_dc';

const within =
  (options: RepositoryOptions, work: (repository: TestRepository) => Promise<void>) => async () => {
    const repository = await openRepository(options);
    try {
      await work(repository);
    } finally {
      await repository.close();
    }
  };

async function headers(repository: TestRepository, query = LIST, path = '/oai'): Promise<string[]> {
  const found: string[] = [];
  for await (const page of listPages(repository, 'ListIdentifiers', query, { path }))
    found.push(...headersOf(page));
  return found;
}

const many = (repository: TestRepository, count: number, title = 'Wave') =>
  Array.from({ length: count }, (_, i) => repository.extract(dublinCore(`urn:a:${i}`, `${title} ${i}`)));

void describe('an OAI-PMH repository over the store', () => {
  test(
    'has addresses of its own for sources and views, and for nothing else',
    within({}, async (repository) => {
      await repository.commit('ocean', { records: [repository.extract(dublinCore('urn:a:1', 'Sea ice'))] });
      await repository.commit('sky', { records: [repository.extract(dublinCore('urn:b:1', 'Cloud'))] });
      repository.wait(5);
      assert.deepEqual(await headers(repository), ['urn:a:1', 'urn:b:1']);
      assert.deepEqual(await headers(repository, LIST, '/oai/sky'), ['urn:b:1']);
      assert.deepEqual(await headers(repository, LIST, '/oai/north'), ['urn:a:1']);
      assert.equal((await repository.get('verb=Identify', { path: '/oai/none' })).status, 404);
      const other = await repository.ask(`verb=GetRecord&${LIST}&identifier=urn:a:1`, { path: '/oai/sky' });
      assert.deepEqual(other.errors, ['idDoesNotExist']);
      const sets = await repository.ask('verb=ListSets', { path: '/oai/north' });
      assert.deepEqual(sets.all('setSpec'), ['source', 'source:ocean']);
    }),
  );

  test(
    'an item that leaves a view is deleted there and nowhere else, and comes back live',
    within({}, async (repository) => {
      await repository.commit('ocean', { records: [repository.extract(dublinCore('urn:a:1', 'Sea ice'))] });
      repository.wait(10);
      const left = formatOai(repository.now());
      await repository.commit('ocean', {
        records: [repository.extract(dublinCore('urn:a:1', 'Open water'))],
      });
      repository.wait(10);
      assert.deepEqual(await headers(repository, `${LIST}&from=${left}`, '/oai/north'), ['-urn:a:1']);
      assert.deepEqual(await headers(repository), ['urn:a:1']);
      const single = await repository.ask(`verb=GetRecord&${LIST}&identifier=urn:a:1`, {
        path: '/oai/north',
      });
      assert.deepEqual(headersOf(single), ['-urn:a:1']);
      await repository.commit('ocean', { records: [repository.extract(dublinCore('urn:a:1', 'Ice again'))] });
      repository.wait(10);
      assert.deepEqual(await headers(repository, LIST, '/oai/north'), ['urn:a:1']);
    }),
  );

  test(
    'what becomes hidden is deleted for the public in every verb and live for a curator',
    within({}, async (repository) => {
      const record = repository.extract(iso('x', 'Sea ice'), { oaiIdentifier: 'urn:a:1', sets: ['ice'] });
      await repository.commit('ocean', { records: [record] });
      repository.wait(10);
      await repository.commit('ocean', { records: [{ ...record, access: { groups: ['staff'] } }] });
      repository.wait(10);
      assert.deepEqual(await headers(repository), ['-urn:a:1']);
      assert.deepEqual(await headers(repository, 'metadataPrefix=iso19139'), ['-urn:a:1']);
      const single = await repository.ask(`verb=GetRecord&${LIST}&identifier=urn:a:1`);
      assert.deepEqual(headersOf(single), ['-urn:a:1']);
      assert.doesNotMatch(single.text, /metadata>|Sea ice/);
      assert.ok(!(await repository.ask('verb=ListSets')).all('setSpec').includes('ice'));
      const authorization = `Bearer ${CURATOR.secret}`;
      const curated = await repository.ask(`verb=ListRecords&${LIST}`, { headers: { authorization } });
      assert.deepEqual(headersOf(curated), ['urn:a:1']);
      await repository.commit('ocean', { records: [{ ...record, access: PUBLIC }] });
      repository.wait(10);
      assert.deepEqual(await headers(repository), ['urn:a:1']);
    }),
  );

  test(
    'what never was public does not exist: not in lists, counts, sets, formats or addresses',
    within({ rules: { closed: {} } }, async (repository) => {
      await repository.commit('ocean', { records: many(repository, 1) });
      await repository.commit('closed', {
        records: [
          repository.extract(iso('secret', 'Secret'), { oaiIdentifier: 'urn:secret:1', sets: ['secret'] }),
        ],
      });
      repository.wait(10);
      assert.deepEqual(await headers(repository), ['urn:a:0']);
      for (const query of [
        `verb=GetRecord&${LIST}&identifier=urn:secret:1`,
        'verb=ListMetadataFormats&identifier=urn:secret:1',
      ])
        assert.deepEqual((await repository.ask(query)).errors, ['idDoesNotExist']);
      for (const query of ['verb=ListSets', 'verb=ListMetadataFormats', 'verb=Identify'])
        assert.doesNotMatch((await repository.ask(query)).text, /secret|closed|iso19139/);
      assert.deepEqual((await repository.ask(`verb=ListRecords&${LIST}&set=secret`)).errors, [
        'noRecordsMatch',
      ]);
      assert.equal((await repository.get('verb=Identify', { path: '/oai/closed' })).status, 404);
    }),
  );

  test(
    'a dropped source stays as tombstones',
    within({}, async (repository) => {
      await repository.commit('ocean', { records: many(repository, 2) });
      repository.wait(10);
      const { id } = await repository.store.runs.startRun('ocean', 'drop');
      await repository.store.items.dropSource('ocean', id);
      repository.wait(10);
      assert.deepEqual(await headers(repository, LIST, '/oai/ocean'), ['-urn:a:0', '-urn:a:1']);
      assert.deepEqual(await headers(repository), ['-urn:a:0', '-urn:a:1']);
    }),
  );

  test(
    'an item that leaves a set is deleted in the lists of that set, which its header names',
    within({}, async (repository) => {
      const record = repository.extract(dublinCore('urn:a:1', 'x'));
      await repository.commit('ocean', { records: [{ ...record, sets: ['ice:sea'] }] });
      repository.wait(10);
      await repository.commit('ocean', { records: [{ ...record, sets: ['air'] }] });
      repository.wait(10);
      const page = await repository.ask(`verb=ListIdentifiers&${LIST}&set=ice`);
      assert.deepEqual(headersOf(page), ['-urn:a:1']);
      assert.match(page.text, /<setSpec>ice<\/setSpec>/);
      assert.deepEqual(await headers(repository, `${LIST}&set=air`), ['urn:a:1']);
      assert.deepEqual(await headers(repository), ['urn:a:1']);
    }),
  );

  test(
    'a list under change ends, and one harvest from its first responseDate brings what it missed',
    within({ oai: { pageSize: 3 } }, async (repository) => {
      await repository.commit('ocean', { records: many(repository, 20) });
      repository.wait(10);
      const copy = new Map<string, string>();
      const take = (text: string) => {
        for (const [, identifier = '', title = ''] of text.matchAll(
          /<identifier>(urn:a:\d+)<\/identifier>.*?<dc:title>([^<]*)</g,
        ))
          copy.set(identifier, title);
      };
      let responseDate: string | undefined;
      let turn = 0;
      for await (const page of listPages(repository, 'ListRecords', LIST)) {
        responseDate ??= page.all('responseDate')[0];
        take(page.text);
        // While it is read, records change, vanish and come.
        repository.wait(1);
        const changed = [(turn * 7) % 20, (turn * 7 + 3) % 20];
        await repository.commit('ocean', {
          records: [
            ...changed.map((i) => repository.extract(dublinCore(`urn:a:${i}`, `changed ${turn}`))),
            repository.extract(dublinCore(`urn:a:${100 + turn}`, 'new')),
          ],
        });
        assert.ok(++turn < 30, 'the list has no end');
      }
      repository.wait(10);
      for await (const page of listPages(repository, 'ListRecords', `${LIST}&from=${responseDate}`))
        take(page.text);
      const truth = new Map<string, string>();
      for await (const page of listPages(repository, 'ListRecords', LIST))
        for (const [, identifier = '', title = ''] of page.text.matchAll(
          /<identifier>(urn:a:\d+)<\/identifier>.*?<dc:title>([^<]*)</g,
        ))
          truth.set(identifier, title);
      assert.deepEqual(copy, truth);
      assert.equal(truth.size, 20 + turn);
    }),
  );

  test(
    'when all that was left has changed, the last page still has a record and the list ends',
    within({ oai: { pageSize: 2 } }, async (repository) => {
      await repository.commit('ocean', { records: many(repository, 4) });
      repository.wait(10);
      const { token } = await repository.ask(`verb=ListRecords&${LIST}`);
      await repository.commit('ocean', { records: many(repository, 4, 'changed') });
      repository.wait(10);
      const page = await repository.ask(`verb=ListRecords&resumptionToken=${token}`);
      assert.equal(headersOf(page).length, 1);
      assert.match(page.text, /<resumptionToken[^>]*><\/resumptionToken>/);
      const bounded = await repository.ask(`verb=ListRecords&${LIST}&until=${formatOai(repository.now())}`);
      await repository.commit('ocean', { records: many(repository, 4, 'again') });
      repository.wait(10);
      const end = await repository.ask(`verb=ListRecords&resumptionToken=${bounded.token}`);
      assert.deepEqual(end.errors, ['noRecordsMatch'], 'an end that the harvester set is kept');
    }),
  );

  test(
    'records of another namespace than the announced one are not offered under that prefix',
    within({}, async (repository) => {
      const gmi = iso('gmi', 'Radar')
        .replaceAll('gmd:MD_Metadata', 'gmi:MI_Metadata')
        .replace('<gmi:MI_Metadata', '<gmi:MI_Metadata xmlns:gmi="http://www.isotc211.org/2005/gmi"');
      await repository.commit('ocean', {
        records: [repository.extract(gmi), repository.extract(iso('gmd', 'Sonar'))],
      });
      repository.wait(10);
      const [gmdName, gmiName] = ['gmd', 'gmi'].map((name) => `oai:repository.example.org:ocean:${name}`);
      for (const verb of ['ListRecords', 'ListIdentifiers']) {
        const page = await repository.ask(`verb=${verb}&metadataPrefix=iso19139`);
        assert.deepEqual(headersOf(page), [gmdName]);
      }
      const formats = await repository.ask(`verb=ListMetadataFormats&identifier=${gmiName}`);
      assert.deepEqual(formats.all('metadataPrefix'), ['oai_dc']);
      const single = await repository.ask(`verb=GetRecord&metadataPrefix=iso19139&identifier=${gmiName}`);
      assert.deepEqual(single.errors, ['cannotDisseminateFormat']);
      assert.equal((await headers(repository)).length, 2);
    }),
  );

  test(
    'policies, friends, branding and names of sets come from the configuration',
    within(
      {
        oai: {
          friends: ['https://friend.example/oai'],
          branding: { icon: 'https://x.example/icon.png', width: 88 },
          policies: { metadata: 'Free & open.', data: 'https://x.example/policy' },
          sets: { 'source:ocean': { name: 'The <sea>', description: 'All of it.' } },
        },
      },
      async (repository) => {
        await repository.commit('ocean', { records: many(repository, 1) });
        repository.wait(5);
        const identify = await repository.ask('verb=Identify');
        assert.match(
          identify.text,
          /<friends .*<baseURL>https:\/\/friend\.example\/oai<\/baseURL><\/friends>/,
        );
        assert.match(
          identify.text,
          /<metadataPolicy><text>Free &amp; open\.<\/text><\/metadataPolicy><dataPolicy><URL>/,
        );
        assert.match(identify.text, /<collectionIcon><url>https:\/\/x\.example\/icon\.png<\/url><width>88</);
        const sets = await repository.ask('verb=ListSets');
        assert.ok(sets.all('setName').includes('The <sea>'));
        assert.match(sets.text, /<setDescription><oai_dc:dc .*<dc:description>All of it\.</);
      },
    ),
  );

  test(
    'whoever has an answer already gets 304, and a changed record gets through',
    within({}, async (repository) => {
      await repository.commit('ocean', { records: many(repository, 1) });
      repository.wait(10);
      for (const query of [
        'verb=Identify',
        'verb=ListSets',
        'verb=ListMetadataFormats',
        `verb=GetRecord&${LIST}&identifier=urn:a:0`,
      ]) {
        const etag = (await repository.get(query)).headers.get('etag') ?? '';
        assert.match(etag, /^W\/"/);
        repository.wait(10);
        const known = await repository.get(query, { headers: { 'if-none-match': etag } });
        assert.equal(known.status, 304, query);
      }
      const query = `verb=GetRecord&${LIST}&identifier=urn:a:0`;
      const since = (await repository.get(query)).headers.get('last-modified') ?? '';
      const ifModified = () => repository.get(query, { headers: { 'if-modified-since': since } });
      assert.equal((await ifModified()).status, 304);
      await repository.commit('ocean', { records: many(repository, 1, 'New') });
      repository.wait(10);
      assert.equal((await ifModified()).status, 200);
    }),
  );

  test(
    'too many lists at once are told to come again, and places become free',
    within({ oai: { maxLists: 1, pageBytes: 2 ** 26 } }, async (repository) => {
      // More than the buffers between here and there hold.
      const text = 'x'.repeat(500_000);
      await repository.commit('ocean', {
        records: many(repository, 60).map((record, i) => ({
          ...record,
          raw: Buffer.from(dublinCore(`urn:a:${i}`, text)),
        })),
      });
      repository.wait(10);
      const slow = await repository.get(`verb=ListRecords&${LIST}`);
      const refused = await repository.get(`verb=ListRecords&${LIST}`);
      assert.equal(refused.status, 503);
      assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/);
      assert.equal((await repository.ask('verb=Identify')).response.status, 200, 'other verbs are answered');
      repository.wait(31);
      // Who stopped reading gives way.
      const next = await readAnswer(await repository.get(`verb=ListRecords&${LIST}`));
      assert.equal(headersOf(next).length, 60);
      await assert.rejects(slow.text());
      const last = await repository.get(`verb=ListRecords&${LIST}`);
      assert.equal(last.status, 200);
      await last.body?.cancel();
    }),
  );

  test(
    'pages end by bytes as well as by number',
    within({ oai: { pageBytes: 1000 } }, async (repository) => {
      await repository.commit('ocean', { records: many(repository, 5) });
      repository.wait(10);
      const sizes: number[] = [];
      for await (const page of listPages(repository, 'ListRecords', LIST)) sizes.push(headersOf(page).length);
      assert.ok(sizes.length > 1);
      assert.equal(
        sizes.reduce((sum, size) => sum + size, 0),
        5,
      );
    }),
  );

  test(
    'methods that OAI-PMH does not have are refused, HEAD is GET without its body',
    within({}, async (repository) => {
      assert.equal((await repository.get('verb=Identify', { method: 'PUT', body: 'x' })).status, 405);
      const head = await repository.get('verb=Identify', { method: 'HEAD' });
      assert.equal(head.status, 200);
      assert.equal(await head.text(), '');
    }),
  );

  test(
    'an argument of a megabyte is badArgument, by GET and by POST',
    within({}, async (repository) => {
      const long = `verb=GetRecord&${LIST}&identifier=${'x'.repeat(2 ** 20)}`;
      const posted = await repository.ask('', {
        method: 'POST',
        body: long,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      });
      assert.deepEqual(posted.errors, ['badArgument']);
      assert.equal(posted.response.status, 200);
      const got = await repository.ask(long);
      assert.equal(got.response.status, 200);
      assert.deepEqual(got.errors, ['badArgument']);
    }),
  );

  test(
    'whatever bytes come as arguments, the answer is well-formed, with HTTP 200 and the right code',
    within({}, async (repository) => {
      await repository.commit('ocean', { records: many(repository, 1) });
      repository.wait(10);
      const { hostname, port } = new URL(repository.baseUrl);
      const send = async (body: Buffer): Promise<string> => {
        const socket = connect(Number(port), hostname);
        socket.write(
          `POST /oai HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n`,
        );
        socket.write(body);
        const chunks: Buffer[] = [];
        socket.on('data', (chunk: Buffer) => chunks.push(chunk));
        await once(socket, 'close');
        return Buffer.concat(chunks).toString();
      };
      const names = fc.constantFrom(
        'verb',
        'identifier',
        'metadataPrefix',
        'from',
        'until',
        'set',
        'resumptionToken',
        'x',
        '',
      );
      const values = fc.oneof(
        fc.constantFrom(
          'Identify',
          'ListRecords',
          'GetRecord',
          'oai_dc',
          'urn:a:0',
          '2020-01-01',
          '%00',
          '%FF',
          '%zz',
          '"<&>\'',
        ),
        fc.string(),
        fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
      );
      const body = fc
        .array(fc.tuple(names, values), { maxLength: 5 })
        .map((pairs) => Buffer.from(pairs.map(([name, value]) => `${name}=${value}`).join('&'), 'latin1'));
      await fc.assert(
        fc.asyncProperty(body, async (bytes) => {
          const answer = await send(bytes);
          assert.match(answer, /^HTTP\/1\.1 200 /);
          const text = /<\?xml[\s\S]*<\/OAI-PMH>/.exec(answer)?.[0] ?? '';
          parse(text).dispose();
          const isError = /<error code="(badVerb|badArgument|\w+)"/.test(text);
          assert.ok(isError || /<(Identify|ListRecords|GetRecord)>/.test(text), text);
        }),
        { numRuns: 150 },
      );
    }),
  );

  test(
    'a record larger than a page, an encoding of old and a script inside pass through unharmed',
    within({}, async (repository) => {
      const big = 'ö'.repeat(300_000);
      const script = '<script xmlns="http://www.w3.org/1999/xhtml">alert(1)</script>';
      await repository.commit('ocean', {
        records: [
          repository.extract(dublinCore('urn:a:big', big)),
          repository.extract(
            dublinCore('urn:a:script', 'x').replace('</oai_dc:dc>', `${script}</oai_dc:dc>`),
          ),
        ],
      });
      repository.wait(10);
      const response = await repository.get(`verb=ListRecords&${LIST}`);
      assert.match(response.headers.get('content-security-policy') ?? '', /^sandbox; default-src 'none'/);
      const answer = await readAnswer(response);
      assert.deepEqual(answer.all('title'), [big, 'x']);
    }),
  );

  const schema = join(SCHEMAS, 'drivers/oai-all.xsd');
  test(
    'every verb is valid by the schemas of OAI-PMH, oai_dc and oai-identifier; provenance by our reconstruction of its schema',
    { skip: existsSync(schema) ? false : 'the schemas are not there' },
    within({ oai: { pageSize: 2 } }, async (repository) => {
      const hop = {
        baseURL: 'https://b.example/oai',
        identifier: 'oai:b.example:1',
        datestamp: '2025-05-05',
        metadataNamespace: 'urn:x',
        harvestDate: '2026-01-01T00:00:00Z',
        altered: true,
      };
      const named = (name: string) => ({ identifier: name });
      await repository.commit('ocean', {
        records: [
          repository.extract(dublinCore('urn:a:1', 'One &amp; all'), {
            ...named('one'),
            sets: ['ice:sea'],
            origin: { provenance: { ...hop, altered: false, originDescription: hop } },
          }),
          repository.extract(dublinCore('urn:a:2', 'Two'), named('two')),
          repository.extract(iso('iso', 'Three'), named('three')),
          repository.extract(dublinCore('urn:a:4', 'Four'), named('four')),
        ],
      });
      repository.wait(10);
      await repository.commit('ocean', { deletions: [{ identifier: 'two' }] });
      repository.wait(10);
      using compiled = compileSchema(schema, { root: SCHEMAS });
      const check = (text: string) => {
        using document = parse(text);
        assert.deepEqual(compiled.validate(document), [], text);
      };
      const identifier = 'oai:repository.example.org:ocean:one';
      for (const query of [
        'verb=Identify',
        'verb=ListMetadataFormats',
        `verb=ListMetadataFormats&identifier=${identifier}`,
        'verb=ListSets',
        `verb=GetRecord&${LIST}&identifier=${identifier}`,
        'verb=junk',
        'verb=ListRecords',
        `verb=ListRecords&${LIST}&until=1990-01-01`,
        `verb=GetRecord&${LIST}&identifier=oai:x.y:a%26b%3Cc`,
        'verb=ListRecords&resumptionToken=junk',
        'verb=ListRecords&metadataPrefix=none',
      ])
        check((await repository.ask(query)).text);
      for (const verb of ['ListRecords', 'ListIdentifiers'])
        for await (const page of listPages(repository, verb, LIST)) check(page.text);
      const { text } = await repository.ask(`verb=GetRecord&${LIST}&identifier=${identifier}`);
      assert.equal(text.split('<originDescription').length, 3, 'both hops are told');
      assert.match((await repository.ask('verb=Identify')).text, /<oai-identifier /);
    }),
  );

  const isoSchema = join(SCHEMAS, 'drivers/oai-record-iso19139.xsd');
  test(
    'ISO 19139 inside of answers is valid by its schema',
    { skip: existsSync(isoSchema) ? false : 'the schemas are not there' },
    within({}, async (repository) => {
      await repository.commit('ocean', { records: [repository.extract(iso('iso', 'Three'))] });
      repository.wait(10);
      using compiled = compileSchema(isoSchema, { root: SCHEMAS });
      const { text } = await repository.ask('verb=ListRecords&metadataPrefix=iso19139');
      using document = parse(text);
      assert.deepEqual(compiled.validate(document), []);
    }),
  );
});
