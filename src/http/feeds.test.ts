import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  AWKWARD_IDENTIFIER,
  HOSTILE_TITLE,
  MEMBER,
  openTestCollection,
  type TestCollection,
} from '../../test/portal-collection.ts';
import { itemPath } from '../core/identifiers.ts';
import { compilePath, parseXml } from '../xml/engine.ts';
import { createHttpApp } from './server.ts';

const PREFIXES = {
  a: 'http://www.w3.org/2005/Atom',
  o: 'http://a9.com/-/spec/opensearch/1.1/',
  s: 'http://www.sitemaps.org/schemas/sitemap/0.9',
};
let collection: TestCollection;
let app: ReturnType<typeof createHttpApp>;

before(async () => {
  collection = await openTestCollection();
  // Lists end with the last closed second.
  app = createHttpApp(collection.deps);
  await new Promise((resolve) => {
    setTimeout(resolve, 1050);
  });
});
after(() => collection.close());

async function select(
  path: string,
  expression: string,
  headers: Record<string, string> = {},
): Promise<string[]> {
  const response = await app.request(path, { headers });
  assert.equal(response.status, 200, path);
  const document = parseXml(await response.bytes());
  const compiled = compilePath(expression, PREFIXES);
  try {
    return document.evaluate(compiled);
  } finally {
    compiled.dispose();
    document[Symbol.dispose]();
  }
}

test('a feed has what RFC 4287 asks for, of itself and of every entry', async () => {
  const response = await app.request('/feeds/atom');
  assert.match(response.headers.get('content-type') ?? '', /^application\/atom\+xml/);
  for (const [expression, count] of [
    ['/a:feed/a:id', 1],
    ['/a:feed/a:title', 1],
    ['/a:feed/a:updated', 1],
    ['/a:feed/a:author/a:name', 1],
    ['/a:feed/a:link[@rel="self"]/@href', 1],
    ['/a:feed/a:entry[a:id and a:title and a:updated and a:link[@rel="alternate"]]/a:id', 10],
    ['/a:feed/a:entry/a:id', 10],
  ] as const)
    assert.equal((await select('/feeds/atom', expression)).length, count, expression);
  const ids = await select('/feeds/atom', '/a:feed/a:entry/a:id');
  assert.equal(new Set(ids).size, ids.length);
  const stamps = await select('/feeds/atom', '/a:feed/a:entry/a:updated');
  assert.deepEqual(stamps, stamps.toSorted().reverse());
});

test('a feed follows the search that it is of, and what is hostile in it is only text', async () => {
  assert.deepEqual(await select('/feeds/atom?q=fram', '//a:entry/a:title'), [
    'Drift of sea ice through Fram Strait',
  ]);
  assert.equal((await select('/feeds/atom?source=clouds', '//a:entry/a:id')).length, 4);
  assert.equal((await select('/feeds/atom?f.type=Image', '//a:entry/a:id')).length, 1);
  const titles = await select('/feeds/atom?source=polar', '//a:entry/a:title');
  assert.ok(titles.includes(HOSTILE_TITLE));
  const self = await select('/feeds/atom?q="sea ice"&utm=x&sort=title', '/a:feed/a:link[@rel="self"]/@href');
  assert.deepEqual(self, ['https://atlas.example.org/feeds/atom?q=%22sea+ice%22']);
  assert.deepEqual(await select('/feeds/atom?q=nothing-like-this', '/a:feed/a:updated'), [
    '1970-01-01T00:00:00Z',
  ]);
  assert.equal((await app.request('/feeds/atom?q=(')).status, 400);
  assert.equal((await app.request('/feeds/atom?page=201')).status, 400);
});

test('a feed goes on from page to page', async () => {
  const { store } = collection;
  const { id: runId } = await store.runs.startRun('clouds', 'import');
  await store.items.commit({
    source: 'clouds',
    runId,
    records: Array.from({ length: 60 }, (_, i) => ({
      identifier: `many-${i}`,
      format: 'oai_dc',
      raw: Buffer.from(`<x>${i}</x>`),
      document: { fields: { title: [`Many ${i}`] }, words: { title: `many ${i}` } },
    })),
  });
  await store.runs.finishRun(runId, 'complete');
  const link = (path: string, rel: string) => select(path, `/a:feed/a:link[@rel="${rel}"]/@href`);
  const [next = ''] = await link('/feeds/atom?q=many', 'next');
  assert.equal(next, 'https://atlas.example.org/feeds/atom?q=many&page=2');
  const second = next.replace('https://atlas.example.org', '');
  assert.deepEqual(await link(second, 'next'), []);
  assert.deepEqual(await link(second, 'previous'), ['https://atlas.example.org/feeds/atom?q=many']);
  const seen = [
    ...(await select('/feeds/atom?q=many', '//a:entry/a:id')),
    ...(await select(second, '//a:entry/a:id')),
  ];
  assert.equal(new Set(seen).size, 60);
  assert.deepEqual(await select(second, '/a:feed/o:totalResults'), ['60']);
});

test('a feed and its numbers show what the viewer may see', async () => {
  const forecast = /Unpublished/;
  assert.doesNotMatch(await (await app.request('/feeds/atom?q=forecast')).text(), forecast);
  const member = { authorization: `Bearer ${MEMBER.secret}` };
  assert.match(await (await app.request('/feeds/atom?q=forecast', { headers: member })).text(), forecast);
});

test('the sitemap lists the pages of what everybody may read, to whomever asks', async () => {
  const member = { authorization: `Bearer ${MEMBER.secret}` };
  for (const headers of [{}, member] as const) {
    const pages = await select('/sitemap.xml', '/s:urlset/s:url/s:loc', headers);
    assert.ok(pages.includes(`https://atlas.example.org${itemPath('polar', AWKWARD_IDENTIFIER)}`));
    assert.ok(!pages.some((page) => /staff-only|closed/.test(page)));
    for (const page of pages)
      assert.equal((await app.request(page.replace('https://atlas.example.org', ''))).status, 200, page);
  }
});

test('robots, the front page and the search page lead to the lists', async () => {
  const robots = await (await app.request('/robots.txt')).text();
  assert.match(robots, /^Sitemap: https:\/\/atlas\.example\.org\/sitemap\.xml$/m);
  assert.match(robots, /^Sitemap: https:\/\/atlas\.example\.org\/resourcesync\/resourcelist\.xml$/m);
  const home = await (await app.request('/')).text();
  assert.match(
    home,
    /<link rel="resourcesync" href="https:\/\/atlas\.example\.org\/resourcesync\/capabilitylist\.xml">/,
  );
  const search = await (await app.request('/search?q=ice&page=1&sort=title')).text();
  assert.match(
    search,
    /<link rel="alternate" type="application\/atom\+xml"[^>]* href="\/feeds\/atom\?q=ice">/,
  );
});
