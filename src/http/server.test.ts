import assert from 'node:assert/strict';
import { request as httpRequest } from 'node:http';
import { after, before, test } from 'node:test';
import {
  AWKWARD_IDENTIFIER,
  CURATOR,
  openTestCollection,
  type TestCollection,
} from '../../test/portal-collection.ts';
import { itemPath } from '../core/identifiers.ts';
import type { GarnerStore } from '../store/index.ts';
import { createHttpApp, type RunningServer, startServer } from './server.ts';

let collection: TestCollection;
let server: RunningServer;
const failures: unknown[] = [];

before(async () => {
  collection = await openTestCollection((name, fields) => {
    if (name === 'http.failed') failures.push(fields);
  });
  server = await startServer(createHttpApp(collection.deps), { host: '127.0.0.1', port: 0 });
});
after(async () => {
  await server.close();
  await collection.close();
});

/** The path goes over the wire exactly as written, which fetch would not do. */
function getRaw(
  path: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: string }> {
  const { hostname, port } = new URL(server.url);
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ hostname, port, path, headers, agent: false }, (answer) => {
      let body = '';
      answer.setEncoding('utf8');
      answer.on('data', (piece: string) => {
        body += piece;
      });
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body }));
    });
    sent.on('error', reject);
    sent.end();
  });
}

test('awkward identifiers go over the wire, as we write them and as people do', async () => {
  const paths = [
    itemPath('polar', AWKWARD_IDENTIFIER, '/api/items/'),
    `/api/items/polar/${encodeURIComponent(AWKWARD_IDENTIFIER)}`,
    '/api/items/polar/../a%20b/%252e%252e/c%3Fd%23e%5Cf//g',
  ];
  for (const path of paths) {
    const { status, body } = await getRaw(path);
    assert.equal(status, 200, path);
    assert.equal(JSON.parse(body).identifier, AWKWARD_IDENTIFIER);
  }
});

test('dots in a path lead nowhere else', async () => {
  assert.equal((await getRaw('/items/polar/../../health')).status, 404);
  assert.equal((await getRaw('/items/../health')).status, 404);
  assert.equal((await getRaw('/x/../health')).status, 404);
});

test('malformed targets are refused without harm', async () => {
  for (const path of [
    '/items/polar/%zz',
    '/items/polar/%c0%af',
    '/items/%00/x',
    '/search?q=%ff',
    '//',
    '/items/polar/\\x',
  ])
    assert.ok((await getRaw(path)).status < 500, path);
  assert.equal((await getRaw('/health')).status, 200);
});

test('liveness asks nothing of the store', async () => {
  const refuse = new Proxy({} as object, {
    get: (_, name) => {
      assert.fail(`the store was asked for ${String(name)}`);
    },
  });
  const app = createHttpApp({ ...collection.deps, store: refuse as GarnerStore });
  const response = await app.request('/health');
  assert.equal(response.status, 200);
  assert.deepEqual(await response.json(), { status: 'ok', version: '0.0.0-test' });
});

test('metrics count requests by route and tell nothing of items', async () => {
  await getRaw('/items/polar/ice-1979');
  await getRaw('/nowhere/at/all');
  const { body } = await getRaw('/metrics');
  assert.match(
    body,
    /garner_http_requests_total\{method="GET",route="\/items\/:source\/:identifier",status="200"\} \d+/,
  );
  assert.match(body, /route="none",status="404"/);
  assert.doesNotMatch(body, /ice|nowhere|staff|garner_store/);
  const kept = await getRaw('/metrics', { authorization: `Bearer ${CURATOR.secret}` });
  assert.match(kept.body, /garner_store_live_items 12/, 'how much there is, hidden or not, is for keepers');
});

test('robots are kept off endless pages, browsers find the search box', async () => {
  assert.match((await getRaw('/robots.txt')).body, /Disallow: \/search/);
  const { body } = await getRaw('/opensearch.xml');
  assert.match(body, /template="https:\/\/atlas\.example\.org\/search\?q=\{searchTerms\}"/);
  assert.match((await getRaw('/favicon.svg')).body, /^<svg /);
});

test('a mistake of ours is logged in full and told in general', async () => {
  const broken: GarnerStore = {
    ...collection.store,
    search: {
      ...collection.store.search,
      search: () => Promise.reject(new TypeError('/secret/path is not a function')),
    },
  };
  const logged: unknown[] = [];
  const app = createHttpApp({
    ...collection.deps,
    store: broken,
    log: (name, fields) => name === 'http.failed' && logged.push(fields),
  });
  for (const path of ['/api/search', '/search']) {
    const response = await app.request(path);
    assert.equal(response.status, 500);
    assert.doesNotMatch(await response.text(), /secret/);
  }
  assert.equal(logged.length, 2);
});

test('closing lets an answer under way end', async () => {
  const arrived = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const slow = await startServer(
    {
      fetch: async () => {
        arrived.resolve();
        await gate.promise;
        return new Response('late but whole');
      },
    },
    { host: '127.0.0.1', port: 0 },
  );
  const answer = fetch(`${slow.url}/`);
  await arrived.promise;
  const closed = slow.close();
  gate.resolve();
  assert.equal(await (await answer).text(), 'late but whole');
  await closed;
  await assert.rejects(fetch(`${slow.url}/`));
});

test('a taken port is a clear error', async () => {
  const { port } = new URL(server.url);
  await assert.rejects(
    startServer({ fetch: () => new Response() }, { host: '127.0.0.1', port: Number(port) }),
    {
      code: 'server.address',
    },
  );
});

test('nothing above failed inside', () => {
  assert.deepEqual(failures, []);
});
