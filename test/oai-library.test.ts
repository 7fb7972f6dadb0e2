/** `garner/oai` as others use it: a backend in memory, mounted on node:http and on Hono. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { Hono } from 'hono';
import { GarnerError } from '../src/core/errors.ts';
import { createOaiProvider, type OaiBackend, type OaiRecord } from '../src/publish/oai/index.ts';
import { parseToken, writeToken } from '../src/publish/oai/token.ts';
import { headersOf, readAnswer } from './oai-repository.ts';

const DAY_MS = 86_400_000;
const BASE = 'https://x.example/oai';
const START = Date.parse('2026-01-01T00:00:00Z');

const makeRecords = (count: number): OaiRecord[] =>
  Array.from({ length: count }, (_, i) => ({
    identifier: `oai:x.example:${i}`,
    datestampAt: START + i * 1000,
    sets: i % 2 === 0 ? ['even'] : ['odd'],
    deleted: i % 5 === 4,
    metadata: `<m xmlns="urn:m">${i}</m>`,
    position: String(i),
  }));

/** As small as a backend can be. */
function memoryBackend(records: readonly OaiRecord[], more: Partial<OaiBackend> = {}): OaiBackend {
  const formats = [{ prefix: 'oai_dc', schema: 'urn:s', namespace: 'urn:m' }];
  return {
    identify: async () => ({
      repositoryName: 'Memory',
      adminEmails: ['a@x.example', 'b@x.example'],
      earliestDatestampAt: START,
      deletedRecord: 'transient',
    }),
    listFormats: async (identifier) =>
      identifier === undefined || records.some((record) => record.identifier === identifier)
        ? formats
        : undefined,
    findRecord: async (identifier, prefix) => {
      const found = records.find((record) => record.identifier === identifier);
      return found && prefix !== 'oai_dc' ? 'no-format' : found;
    },
    listRecords: async ({ prefix, fromAt = 0, untilAt = Number.MAX_SAFE_INTEGER, set, after, limit }) => {
      if (prefix !== 'oai_dc') return 'no-format';
      const found = records.filter(
        (record) =>
          record.datestampAt >= fromAt &&
          record.datestampAt <= untilAt &&
          (set === undefined || record.sets.includes(set)) &&
          (after === undefined || Number(record.position) > Number(after)),
      );
      return { records: found.slice(0, limit), more: found.length > limit };
    },
    ...more,
  };
}

const clock = () => START + DAY_MS;
const provider = (backend: OaiBackend, more: Partial<Parameters<typeof createOaiProvider>[1]> = {}) => {
  const handle = createOaiProvider(backend, { baseUrl: BASE, clock, pageSize: 4, ...more });
  return async (query: string) => readAnswer(await handle(new Request(`${BASE}?${query}`)));
};

void describe('garner/oai', () => {
  test('a list is the same whatever the pages, and by headers or records', async () => {
    const records = makeRecords(23);
    for (const pageSize of [1, 3, 23, 100]) {
      const ask = provider(memoryBackend(records), { pageSize, headersPageSize: pageSize });
      for (const verb of ['ListRecords', 'ListIdentifiers']) {
        const seen: string[] = [];
        let page = await ask(`verb=${verb}&metadataPrefix=oai_dc`);
        for (;;) {
          seen.push(...headersOf(page).map((header) => header.replace('-', '')));
          if (!page.token) break;
          page = await ask(`verb=${verb}&resumptionToken=${page.token}`);
        }
        assert.equal(seen.length, 23);
        assert.equal(new Set(seen).size, 23);
      }
    }
  });

  test('a repository without sets says noSetHierarchy, one with sets lists them by pages', async () => {
    const ask = provider(memoryBackend(makeRecords(3)));
    assert.deepEqual((await ask('verb=ListSets')).errors, ['noSetHierarchy']);
    assert.deepEqual((await ask('verb=ListRecords&metadataPrefix=oai_dc&set=even')).errors, [
      'noSetHierarchy',
    ]);
    const specs = ['a', 'b', 'c', 'd', 'e'];
    const withSets = provider(
      memoryBackend(makeRecords(3), {
        listSets: async (after, limit) => {
          const rest = specs.filter((spec) => after === undefined || spec > after);
          return {
            sets: rest.slice(0, limit).map((spec) => ({ spec, name: spec })),
            more: rest.length > limit,
          };
        },
      }),
      { headersPageSize: 2 },
    );
    const seen: string[] = [];
    let page = await withSets('verb=ListSets');
    for (;;) {
      seen.push(...page.all('setSpec'));
      if (!page.token) break;
      page = await withSets(`verb=ListSets&resumptionToken=${page.token}`);
    }
    assert.deepEqual(seen, specs);
  });

  test('an item without formats is noMetadataFormats', async () => {
    const ask = provider(memoryBackend(makeRecords(1), { listFormats: async () => [] }));
    assert.deepEqual((await ask('verb=ListMetadataFormats&identifier=oai:x.example:0')).errors, [
      'noMetadataFormats',
    ]);
  });

  test('a repository of days refuses seconds and writes days', async () => {
    const ask = provider(memoryBackend(makeRecords(2), { granularity: 'YYYY-MM-DD' }));
    const refused = await ask('verb=ListRecords&metadataPrefix=oai_dc&from=2026-01-01T00:00:00Z');
    assert.deepEqual(refused.errors, ['badArgument']);
    const page = await ask('verb=ListRecords&metadataPrefix=oai_dc&from=2026-01-01&until=2026-01-01');
    assert.deepEqual(page.all('datestamp'), ['2026-01-01', '2026-01-01']);
    assert.deepEqual((await ask('verb=Identify')).all('earliestDatestamp'), ['2026-01-01']);
  });

  test('responseDate stays behind what may still appear', async () => {
    const completeUntilAt = clock() - 5000;
    const backend = memoryBackend(makeRecords(2));
    const ask = provider({
      ...backend,
      listRecords: async (request) => {
        const page = await backend.listRecords(request);
        return page === 'no-format' ? page : { ...page, completeUntilAt };
      },
    });
    const page = await ask('verb=ListRecords&metadataPrefix=oai_dc');
    assert.equal(Date.parse(page.all('responseDate')[0] ?? ''), completeUntilAt + 1000);
  });

  test('a backend that fails in the middle of a page ends it early, well-formed, and the token leads on', async () => {
    const failures: string[] = [];
    const backend = memoryBackend(makeRecords(10));
    let calls = 0;
    const broken: OaiBackend = {
      ...backend,
      listRecords: async (request) => {
        if (++calls === 2) throw new GarnerError('store.busy', 'not now');
        return backend.listRecords({ ...request, limit: 3 });
      },
    };
    const ask = provider(broken, { pageSize: 10, onFailure: ({ code }) => failures.push(code) });
    const page = await ask('verb=ListRecords&metadataPrefix=oai_dc');
    assert.equal(headersOf(page).length, 3);
    assert.deepEqual(failures, ['store.busy']);
    const rest = await ask(`verb=ListRecords&resumptionToken=${page.token}`);
    assert.equal(headersOf(rest).length, 7);
  });

  test('a backend that is busy from the start gives 503 with Retry-After, one that is broken throws', async () => {
    const failing = (error: GarnerError) =>
      createOaiProvider(
        memoryBackend([], {
          listRecords: async () => {
            throw error;
          },
        }),
        { baseUrl: BASE, clock },
      )(new Request(`${BASE}?verb=ListRecords&metadataPrefix=oai_dc`));
    const busy = await failing(new GarnerError('store.busy', 'not now'));
    assert.equal(busy.status, 503);
    assert.ok(busy.headers.has('retry-after'));
    await assert.rejects(failing(new GarnerError('store.corrupt', 'damaged')), { code: 'store.corrupt' });
  });

  test('metadata may come in pieces, and memory holds few of them', async () => {
    const pieces = 2000;
    const piece = 'y'.repeat(10_000);
    let given = 0;
    async function* metadata() {
      yield '<m xmlns="urn:m">';
      for (; given < pieces; given++) yield piece;
      yield Buffer.from('</m>');
    }
    const [record] = makeRecords(1);
    assert.ok(record);
    for (const query of [
      'verb=ListRecords&metadataPrefix=oai_dc',
      'verb=GetRecord&metadataPrefix=oai_dc&identifier=oai:x.example:0',
    ]) {
      given = 0;
      const handle = createOaiProvider(memoryBackend([{ ...record, metadata: metadata() }]), {
        baseUrl: BASE,
        clock,
      });
      const response = await handle(new Request(`${BASE}?${query}`));
      const reader = response.body?.getReader();
      let bytes = 0;
      for (let chunk = await reader?.read(); chunk && !chunk.done; chunk = await reader?.read()) {
        bytes += chunk.value.length;
        assert.ok(given * piece.length - bytes < 500_000, 'it is made no faster than it is taken');
      }
      assert.ok(bytes > pieces * piece.length);
    }
  });

  test('metadata may be made when it is written; a list that breaks there ends early, with a token', async () => {
    const failures: string[] = [];
    let made = 0;
    let broken = '';
    const records = makeRecords(8).map((record, i): OaiRecord => {
      const make = () => {
        made++;
        if (record.position === broken) throw new GarnerError('internal.bug', 'broken');
        return `<m xmlns="urn:m">${i}</m>`;
      };
      return { ...record, deleted: false, metadata: i % 2 === 0 ? make : async () => make() };
    });
    const ask = provider(memoryBackend(records), {
      pageSize: 8,
      onFailure: ({ message }) => failures.push(message),
    });
    const list = 'verb=ListRecords&metadataPrefix=oai_dc';
    assert.match((await ask(list)).text, /<metadata><m xmlns="urn:m">7</);
    assert.equal(made, 8);
    await ask('verb=ListIdentifiers&metadataPrefix=oai_dc');
    assert.equal(made, 8, 'headers need none');
    const single = await ask('verb=GetRecord&metadataPrefix=oai_dc&identifier=oai:x.example:3');
    assert.match(single.text, /<m xmlns="urn:m">3</);
    for (broken of ['2', '3']) {
      const page = await ask(list);
      assert.equal(headersOf(page).length, Number(broken), 'what came before is given');
      assert.ok(page.token);
    }
    assert.deepEqual(failures, ['broken', 'broken']);
    broken = '0';
    await assert.rejects(ask(list), /broken/, 'nothing is answered that has nothing in it');
  });

  test('a client that goes away ends the reading of the backend', async () => {
    const backend = memoryBackend(makeRecords(1000));
    let calls = 0;
    const handle = createOaiProvider(
      {
        ...backend,
        listRecords: (request) => {
          calls++;
          return backend.listRecords({ ...request, limit: 1 });
        },
      },
      { baseUrl: BASE, clock, pageSize: 1000 },
    );
    const response = await handle(new Request(`${BASE}?verb=ListRecords&metadataPrefix=oai_dc`));
    await response.body?.cancel();
    const before = calls;
    await new Promise((resolve) => setImmediate(resolve));
    assert.ok(before < 1000);
    assert.equal(calls, before);
  });

  test('tokens are read back exactly, and no other text is one', () => {
    const prefix = fc.stringMatching(/^[A-Za-z0-9\-_.!~*'()]{1,12}$/);
    const scope = fc.record(
      { prefix, untilAt: fc.maxSafeInteger(), fromAt: fc.maxSafeInteger(), set: prefix },
      { requiredKeys: ['prefix', 'untilAt'] },
    );
    const token = fc.record({
      verb: fc.constantFrom('ListRecords' as const, 'ListIdentifiers' as const),
      scope,
      open: fc.boolean(),
      position: fc.string(),
      cursor: fc.maxSafeNat(),
      size: fc.option(fc.maxSafeNat(), { nil: undefined }),
      expiresAt: fc.maxSafeNat(),
    });
    fc.assert(
      fc.property(token, fc.nat(), (one, at) => {
        const text = writeToken(one, BASE);
        assert.match(text, /^[A-Za-z0-9._~-]+$/);
        assert.deepEqual(parseToken(text, one.verb, BASE), { ...one, scope: { ...one.scope } });
        assert.equal(parseToken(text, 'ListSets', BASE), undefined);
        assert.equal(parseToken(text, one.verb, `${BASE}/other`), undefined);
        const i = at % text.length;
        const damaged = text.slice(0, i) + (text[i] === 'A' ? 'B' : 'A') + text.slice(i + 1);
        assert.equal(parseToken(damaged, one.verb, BASE), undefined);
      }),
    );
    fc.assert(fc.property(fc.string(), (text) => parseToken(text, 'ListRecords', BASE) === undefined));
  });

  test('mounts on node:http', async () => {
    const handle = createOaiProvider(memoryBackend(makeRecords(9)), { baseUrl: BASE, clock });
    const server = createServer(async (incoming, outgoing) => {
      const response = await handle(
        new Request(`http://${incoming.headers.host}${incoming.url}`, {
          method: incoming.method ?? 'GET',
          headers: new Headers(
            Object.entries(incoming.headers).flatMap(([k, v]) => (typeof v === 'string' ? [[k, v]] : [])),
          ),
          ...(incoming.method === 'POST' && {
            body: Readable.toWeb(incoming) as ReadableStream,
            duplex: 'half',
          }),
        }),
      );
      outgoing.writeHead(response.status, Object.fromEntries(response.headers));
      for await (const chunk of response.body ?? []) outgoing.write(chunk);
      outgoing.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    try {
      const got = await readAnswer(await fetch(`${url}?verb=ListRecords&metadataPrefix=oai_dc`));
      assert.equal(headersOf(got).length, 9);
      const body = new URLSearchParams({ verb: 'ListRecords', metadataPrefix: 'oai_dc' });
      const posted = await readAnswer(await fetch(url, { method: 'POST', body }));
      assert.equal(headersOf(posted).length, 9);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  test('mounts on Hono', async () => {
    const handle = createOaiProvider(memoryBackend(makeRecords(9)), { baseUrl: BASE, clock });
    const app = new Hono().all('/oai', (c) => handle(c.req.raw));
    const got = await readAnswer(await app.request('/oai?verb=ListRecords&metadataPrefix=oai_dc'));
    assert.equal(headersOf(got).length, 9);
  });
});
