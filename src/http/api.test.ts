import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  AWKWARD_IDENTIFIER,
  CURATOR,
  MEMBER,
  openTestCollection,
  type TestCollection,
} from '../../test/portal-collection.ts';
import { itemPath } from '../core/identifiers.ts';
import { createHttpApp } from './server.ts';

let collection: TestCollection;
let app: ReturnType<typeof createHttpApp>;

before(async () => {
  collection = await openTestCollection();
  app = createHttpApp(collection.deps);
});
after(() => collection.close());

const bearer = ({ secret }: { secret: string }) => ({ authorization: `Bearer ${secret}` });

interface Answer {
  readonly total: number;
  readonly hits: readonly {
    source: string;
    identifier: string;
    title: string;
    url: string;
    raw?: string;
    fields: object;
  }[];
  readonly facets: Readonly<Record<string, readonly { value: string; count: number }[]>>;
  readonly next?: string;
}

async function getJson<T>(path: string, headers: Record<string, string> = {}): Promise<T> {
  const response = await app.request(path, { headers });
  assert.equal(response.status, 200, `${path}: ${await response.clone().text()}`);
  return (await response.json()) as T;
}

async function getProblem(path: string, init: RequestInit = {}) {
  const response = await app.request(path, init);
  assert.equal(response.headers.get('content-type'), 'application/problem+json');
  const problem = (await response.json()) as {
    status: number;
    code: string;
    detail: string;
    position?: number;
  };
  assert.equal(problem.status, response.status);
  return problem;
}

test('a search answers with totals, hits and facets', async () => {
  const answer = await getJson<Answer>('/api/search?q=sea+ice&facet=subject:2&facet=source&sort=title');
  assert.equal(answer.total, 2);
  assert.deepEqual(
    answer.hits.map(({ source, identifier, url }) => [source, identifier, url]),
    [
      ['polar', 'ice-drift', 'https://atlas.example.org/items/polar/ice-drift'],
      ['polar', 'ice-1979', 'https://atlas.example.org/items/polar/ice-1979'],
    ],
  );
  assert.equal(answer.facets.subject?.length, 2);
  assert.deepEqual(answer.facets.subject?.[0], { value: 'Sea ice', count: 2 });
  assert.deepEqual(answer.facets.source, [{ value: 'polar', count: 2 }]);
});

test('facet filters, sources, dates and boxes narrow together', async () => {
  const total = async (parameters: string) =>
    (await getJson<Answer>(`/api/search?${parameters}&limit=0`)).total;
  assert.equal(await total('f.subject=Sea+ice&f.subject=Cryosphere'), 1);
  assert.equal(await total('source=clouds'), 4);
  assert.equal(await total('source=clouds&f.date=1984..1999'), 2);
  assert.equal(await total('from=1980&to=1981'), 1, 'the period of one covers it');
  assert.equal(await total('bbox=175,70,-175,71'), 2, 'over the antimeridian');
  assert.equal(await total('view=north'), 3);
});

test('the counts of a facet are what a click on each value finds', async () => {
  const { facets } = await getJson<Answer>(
    '/api/search?limit=0&facet=subject:100&facet=type&facet=date:100&facet=source',
  );
  for (const [field, counts] of Object.entries(facets))
    for (const { value, count } of counts) {
      const clicked = await getJson<Answer>(`/api/search?limit=0&f.${field}=${encodeURIComponent(value)}`);
      assert.equal(clicked.total, count, `${field}=${value}`);
    }
});

test('pages by cursor give every item once', async () => {
  const seen: string[] = [];
  let next: string | undefined;
  do {
    const page = await getJson<Answer>(
      `/api/search?sort=title&limit=3${next ? `&after=${encodeURIComponent(next)}` : ''}`,
    );
    seen.push(...page.hits.map((hit) => hit.identifier));
    next = page.next;
  } while (next !== undefined && seen.length < 50);
  assert.equal(seen.length, 10);
  assert.equal(new Set(seen).size, 10);
});

test('chosen fields, raw records and highlights come when asked', async () => {
  const { hits } = await getJson<Answer>(
    '/api/search?q=drift+strait&fields=title,date&raw=true&highlight=true',
  );
  const [hit] = hits;
  assert.deepEqual(Object.keys(hit?.fields ?? {}).toSorted(), ['date', 'title']);
  assert.match(hit?.raw ?? '', /^<oai_dc:dc /);
  assert.ok(hit && 'highlights' in hit);
});

test('a bad query is a problem with its position', async () => {
  const problem = await getProblem('/api/search?q=ice+AND+(snow');
  assert.equal(problem.status, 400);
  assert.equal(problem.code, 'query.syntax');
  assert.equal(problem.position, 'ice AND (snow'.length);
  assert.doesNotMatch(problem.detail, /\n/);
});

test('mistaken parameters are refused by name', async () => {
  for (const [parameters, expected] of [
    ['limt=3', /limt/],
    ['limit=101', /limit/],
    ['limit=ten', /limit/],
    ['limit=1&limit=2', /limit/],
    ['offset=-1', /offset/],
    ['facet=a:b', /facet/],
    ['bbox=1,2,3', /bbox/],
    ['from=soon', /from/],
    ['after=x&offset=3', /after/],
    ['highlight=maybe', /highlight/],
  ] as const) {
    const problem = await getProblem(`/api/search?${parameters}`);
    assert.equal(problem.code, 'request.invalid', parameters);
    assert.match(problem.detail, expected);
  }
  assert.equal((await getProblem('/api/search?f.colour=red')).code, 'query.unknown-field');
  assert.equal((await getProblem('/api/search?view=nowhere')).code, 'view.unknown');
  assert.equal((await getProblem('/api/search?after=forged')).code, 'cursor.invalid');
});

test('suggestions complete values and titles', async () => {
  const { suggestions } = await getJson<{ suggestions: { text: string }[] }>('/api/suggest?q=cirr');
  assert.ok(suggestions.some(({ text }) => text === 'Cirrus'));
  assert.equal((await getProblem('/api/suggest')).code, 'request.invalid');
});

test('an item is JSON with links to its history', async () => {
  const item = await getJson<Record<string, unknown>>('/api/items/polar/ice-1979');
  assert.equal(item.title, 'Sea ice extent of the Arctic Ocean, monthly means');
  assert.equal(item.status, 'live');
  assert.equal('access' in item, false);
  assert.deepEqual(item.links, {
    page: 'https://atlas.example.org/items/polar/ice-1979',
    self: 'https://atlas.example.org/api/items/polar/ice-1979',
    versions: 'https://atlas.example.org/api/versions/polar/ice-1979',
    similar: 'https://atlas.example.org/api/similar/polar/ice-1979',
  });
  const { versions } = await getJson<{ versions: { change: string }[] }>('/api/versions/polar/ice-1979');
  assert.equal(versions[0]?.change, 'added');
  const { hits } = await getJson<Answer>('/api/similar/polar/ice-1979');
  assert.ok(hits.some((hit) => hit.identifier === 'ice-drift'));
});

test('identifiers with slashes are found encoded and as they are', async () => {
  for (const path of ['cloud/fog', 'cloud%2Ffog', 'cloud~2Ffog'])
    assert.equal(
      (await getJson<{ identifier: string }>(`/api/items/clouds/${path}`)).identifier,
      'cloud/fog',
    );
  const path = itemPath('polar', AWKWARD_IDENTIFIER, '/api/items/');
  assert.equal((await getJson<{ identifier: string }>(path)).identifier, AWKWARD_IDENTIFIER);
});

test('stored bytes come back exactly, tagged by content and sealed', async () => {
  const response = await app.request('/api/items/polar/ice-drift?format=raw');
  const stored = await collection.store.items.findContent(
    { source: 'polar', identifier: 'ice-drift' },
    {},
    { role: 'operator', groups: [] },
  );
  assert.deepEqual(new Uint8Array(await response.arrayBuffer()), new Uint8Array(stored?.bytes ?? []));
  assert.equal(response.headers.get('content-type'), 'text/xml');
  assert.match(response.headers.get('content-security-policy') ?? '', /^sandbox; default-src 'none'/);
  assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
  const etag = response.headers.get('etag') ?? '';
  const again = await app.request('/api/items/polar/ice-drift?format=raw', {
    headers: { 'if-none-match': `W/"x", ${etag}` },
  });
  assert.equal(again.status, 304);
  assert.equal(await again.text(), '');
  const head = await app.request('/api/items/polar/ice-drift?format=raw', { method: 'HEAD' });
  assert.equal(head.status, 200);
  assert.equal(head.headers.get('etag'), etag);
  assert.equal(await head.text(), '');
});

test('an item has other forms: Dublin Core as XML and JSON, JSON-LD', async () => {
  const xml = await app.request('/api/items/polar/ice-drift?format=oai_dc');
  assert.equal(xml.headers.get('content-type'), 'text/xml');
  assert.match(await xml.text(), /<dc:title>Drift of sea ice/);
  const dc = await getJson<Record<string, string[]>>('/api/items/polar/ice-drift?format=dc-json');
  assert.deepEqual(dc.title, ['Drift of sea ice through Fram Strait']);
  const ld = await getJson<Record<string, unknown>>('/api/items/polar/ice-drift?format=jsonld');
  assert.equal(ld['@context'], 'https://schema.org');
});

test('what is not there is a problem of its own kind', async () => {
  assert.equal((await getProblem('/api/items/polar/nothing')).code, 'item.unknown');
  assert.equal((await getProblem('/api/items/polar')).code, 'request.unknown');
  assert.equal((await getProblem('/api/items/polar/ice-drift?format=raw&version=7')).code, 'version.unknown');
  assert.equal((await getProblem('/api/runs/999')).code, 'run.unknown');
  assert.equal((await getProblem('/api/runs/x')).code, 'run.unknown');
  assert.equal((await getProblem('/api/nowhere')).status, 404);
});

test('hidden items show in no total, facet, suggestion, list or lookup', async () => {
  const anonymous = await getJson<Answer>('/api/search?q=forecast&facet=subject');
  assert.equal(anonymous.total, 0);
  assert.equal(JSON.stringify(await getJson('/api/suggest?q=unpub')), '{"suggestions":[]}');
  for (const prefix of ['items', 'versions', 'similar'])
    assert.equal((await getProblem(`/api/${prefix}/polar/staff-only`)).code, 'item.unknown');
  const { sources } = await getJson<{ sources: { name: string; items: number }[] }>('/api/sources');
  assert.deepEqual(
    sources.map(({ name, items }) => [name, items]),
    [
      ['polar', 6],
      ['clouds', 4],
    ],
  );
  const member = await getJson<Answer>('/api/search?q=forecast', bearer(MEMBER));
  assert.equal(member.total, 1);
  const seen = await getJson<{ sources: { name: string; items: number }[] }>('/api/sources', bearer(MEMBER));
  assert.deepEqual(
    seen.sources.map(({ name, items }) => [name, items]),
    [
      ['polar', 7],
      ['clouds', 4],
      ['closed', 1],
    ],
  );
});

test('runs of hidden sources and problems of hidden items are not told', async () => {
  interface Runs {
    readonly runs: readonly { id: number; source: string; holder?: string }[];
  }
  const { runs } = await getJson<Runs>('/api/runs');
  assert.deepEqual(new Set(runs.map(({ source }) => source)), new Set(['polar', 'clouds']));
  assert.equal(runs[0]?.holder, undefined);
  const problemsAs = async (headers: Record<string, string>) =>
    (
      await getJson<{ problems: { message: string }[] }>(
        `/api/runs/${collection.importRunId}/problems`,
        headers,
      )
    ).problems;
  assert.equal((await problemsAs({})).length, 1);
  assert.equal((await problemsAs(bearer(MEMBER))).length, 2);
  const all = await getJson<Runs>('/api/runs', bearer(CURATOR));
  const closed = all.runs.find(({ source }) => source === 'closed');
  assert.ok(closed?.holder);
  assert.equal((await getProblem(`/api/runs/${closed.id}`)).code, 'run.unknown');
});

test('a source that no configuration names is known when something of it is open', async () => {
  const { store, deps } = collection;
  const unnamed = createHttpApp({ ...deps, sources: deps.sources.filter(({ name }) => name === 'polar') });
  const { sources } = (await (await unnamed.request('/api/sources')).json()) as {
    sources: { name: string }[];
  };
  assert.deepEqual(
    sources.map(({ name }) => name),
    ['polar', 'clouds'],
  );
  const all = await store.runs.listRuns({ limit: 100 });
  const statusOf = async (source: string) =>
    (await unnamed.request(`/api/runs/${all.find((run) => run.source === source)?.id}`)).status;
  assert.equal(await statusOf('clouds'), 200);
  assert.equal(await statusOf('closed'), 404);
});

test('problems are paged', async () => {
  interface Page {
    readonly problems: readonly { id: number }[];
    readonly next?: number;
  }
  const path = `/api/runs/${collection.importRunId}/problems?limit=1`;
  const first = await getJson<Page>(path, bearer(CURATOR));
  const second = await getJson<Page>(`${path}&after=${first.next}`, bearer(CURATOR));
  assert.notEqual(first.problems[0]?.id, second.problems[0]?.id);
});

test('an unknown token is refused everywhere, with a hint how to show one', async () => {
  for (const path of ['/api/search', '/', '/items/polar/ice-drift']) {
    const response = await app.request(path, { headers: { authorization: 'Bearer wrong' } });
    assert.equal(response.status, 401, path);
    assert.match(response.headers.get('www-authenticate') ?? '', /^Bearer/);
  }
});

const rollbackBody = { source: 'polar', identifier: 'ice-drift', version: 1, note: 'as it was' };
const post = (headers: Record<string, string>, body: unknown = rollbackBody, type = 'application/json') =>
  ({
    method: 'POST',
    headers: { 'content-type': type, ...headers },
    body: JSON.stringify(body),
  }) satisfies RequestInit;

test('a rollback needs a curator', async () => {
  assert.equal((await getProblem('/api/rollback', post({}))).code, 'access.token');
  assert.equal((await getProblem('/api/rollback', post(bearer(MEMBER)))).code, 'access.denied');
  assert.equal(
    (await getProblem('/api/rollback', post({ authorization: 'Bearer no' }))).code,
    'access.token',
  );
});

test('a rollback checks what it is told', async () => {
  const told = async (body: unknown, type?: string) =>
    getProblem('/api/rollback', post(bearer(CURATOR), body, type));
  assert.equal((await told(rollbackBody, 'text/plain')).code, 'request.invalid');
  assert.equal((await told({ ...rollbackBody, version: 0 })).code, 'request.invalid');
  assert.equal((await told({ ...rollbackBody, extra: 1 })).code, 'request.invalid');
  assert.equal((await told({ ...rollbackBody, identifier: 'nothing' })).code, 'item.unknown');
  assert.equal((await told({ ...rollbackBody, note: 'x'.repeat(70_000) })).code, 'request.invalid');
  const broken = { ...post(bearer(CURATOR)), body: '{' };
  assert.equal((await getProblem('/api/rollback', broken)).code, 'request.invalid');
});

test('a failed rollback leaves a failed run and frees the source', async () => {
  const problem = await getProblem('/api/rollback', post(bearer(CURATOR), { ...rollbackBody, version: 99 }));
  assert.equal(problem.code, 'version.unknown');
  const [run] = await collection.store.runs.listRuns({ source: 'polar', limit: 1 });
  assert.deepEqual([run?.kind, run?.status], ['rollback', 'failed']);
});

test('a rollback makes a new version in a run of its own', async () => {
  const { store } = collection;
  const { id: runId } = await store.runs.startRun('polar', 'import');
  const changed = new TextEncoder().encode('<changed xmlns="urn:x"/>');
  await store.items.commit({
    source: 'polar',
    runId,
    records: [
      {
        identifier: 'ice-drift',
        format: 'oai_dc',
        raw: changed,
        document: { fields: { title: ['Changed'] }, words: { title: 'changed' } },
      },
    ],
  });
  await store.runs.finishRun(runId, 'complete');
  const response = await app.request('/api/rollback', post(bearer(CURATOR)));
  assert.equal(response.status, 200);
  const made = (await response.json()) as { version: number; change: string; runId: number };
  assert.deepEqual([made.version, made.change], [3, 'rolled-back']);
  assert.notEqual(made.runId, runId);
  const run = await store.runs.findRun(made.runId);
  assert.deepEqual([run?.kind, run?.status], ['rollback', 'complete']);
  const now = await (await app.request('/api/items/polar/ice-drift?format=raw')).text();
  assert.match(now, /Drift of sea ice/);
});

test('every address answers other methods with those that it has', async () => {
  const paths = Map.groupBy(
    // Addresses of a path with an expression are not written as that.
    app.routes.filter(({ method, path }) => method !== 'ALL' && !path.includes('{')),
    ({ path }) => path,
  );
  assert.ok(paths.size > 30);
  for (const [path, routes] of paths) {
    const known = new Set(routes.map(({ method }) => method));
    const other = ['DELETE', 'PATCH', 'PUT', 'POST', 'GET'].find((method) => !known.has(method));
    const response = await app.request(path, { method: other ?? 'TRACE' });
    assert.equal(response.status, 405, `${other} ${path}`);
    const allowed = response.headers.get('allow')?.split(', ') ?? [];
    for (const method of known) assert.ok(allowed.includes(method), `${method} ${path}`);
    assert.equal(allowed.includes('HEAD'), allowed.includes('GET'));
  }
  const asked = await app.request('/api/search', { method: 'OPTIONS' });
  assert.deepEqual([asked.status, asked.headers.get('allow')], [204, 'GET, HEAD, OPTIONS']);
  const problem = await (await app.request('/api/search', { method: 'DELETE' })).json();
  assert.equal(problem.code, 'request.method');
  assert.equal((await app.request('/nothing', { method: 'POST' })).status, 404);
});

test('who shows no token hears that one is needed, and how', async () => {
  const response = await app.request('/api/rollback', post({}));
  assert.equal(response.status, 401);
  assert.match(response.headers.get('www-authenticate') ?? '', /^Bearer realm=/);
});

test('no route changes anything without a token', async () => {
  const changing = app.routes.filter(
    ({ method, path }) => !['GET', 'ALL'].includes(method) && !/^\/log(?:in|out)$/.test(path),
  );
  assert.ok(changing.length > 0);
  for (const { method, path } of changing) {
    const response = await app.request(path, { ...post({}), method });
    assert.ok([401, 403].includes(response.status), `${method} ${path}`);
  }
});

test('other people’s pages may read, and only read', async () => {
  const read = await app.request('/api/search', { headers: { origin: 'https://other.example' } });
  assert.equal(read.headers.get('access-control-allow-origin'), '*');
  assert.equal(read.headers.get('access-control-allow-credentials'), null);
  const asked = await app.request('/api/rollback', {
    method: 'OPTIONS',
    headers: { origin: 'https://other.example', 'access-control-request-method': 'POST' },
  });
  assert.equal(asked.headers.get('access-control-allow-origin'), null);
});
