import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { makeRecord } from '../../test/contract/store-fixture.ts';
import {
  AWKWARD_IDENTIFIER,
  HOSTILE_TITLE,
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

async function getPage(path: string, headers: Record<string, string> = {}, status = 200): Promise<string> {
  const response = await app.request(path, { headers });
  assert.equal(response.status, status, path);
  assert.match(response.headers.get('content-type') ?? '', /^text\/html/);
  return response.text();
}

const PAGES = [
  '/',
  '/search',
  '/search?q=ice',
  '/search?q=zebra&f.type=Text',
  '/items/polar/ice-1979',
  '/items/polar/hostile',
  '/versions/polar/hostile',
  '/runs',
  '/runs/1',
  '/help',
  '/login',
];

test('every page has a language, a title, one main heading and a skip link, and asks nothing of other hosts', async () => {
  const titles = new Set<string>();
  for (const path of PAGES) {
    const page = await getPage(path);
    assert.match(page, /^<!doctype html>\s*<html lang="en">/);
    const title = /<title>([^<]+)<\/title>/.exec(page)?.[1] ?? '';
    assert.ok(title.includes('Northern Atlas'), path);
    titles.add(title);
    assert.equal(page.match(/<h1[ >]/g)?.length, 1, path);
    assert.match(page, /<a class="skip" href="#main">/);
    assert.doesNotMatch(
      page,
      /<(?:script|link|img|iframe)[^>]+(?:src|href)="https?:(?!\/\/atlas\.example\.org)/,
    );
    assert.doesNotMatch(page, /\sstyle="|\son\w+="/);
  }
  assert.ok(titles.size > 8);
});

test('every page carries a strict policy that allows no inline script', async () => {
  for (const path of [...PAGES, '/nowhere', '/search?q=(']) {
    const { headers } = await app.request(path);
    const policy = headers.get('content-security-policy') ?? '';
    assert.match(policy, /default-src 'none'/);
    assert.match(policy, /script-src 'self'/);
    assert.doesNotMatch(policy, /unsafe|\*/);
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.ok(headers.get('referrer-policy'));
    assert.equal(headers.get('cache-control'), 'private, no-cache');
  }
});

test('hostile titles and values are text on every page', async () => {
  for (const path of [
    '/',
    '/search',
    '/items/polar/hostile',
    '/versions/polar/hostile',
    '/items/polar/ice-1979',
  ]) {
    const page = await getPage(path);
    const scripts = page.match(/<script[^>]*>/g) ?? [];
    const allowed = /^<script type="(?:module" src="\/assets\/[\w.]+"|application\/ld\+json")>$/;
    for (const script of scripts) assert.match(script, allowed);
    assert.doesNotMatch(page, /<img|<b>Mallory|<svg onload/);
  }
  const page = await getPage('/items/polar/hostile');
  assert.ok(page.includes('&lt;/script&gt;&lt;script&gt;alert(1)'));
  const ld = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(page)?.[1] ?? '';
  assert.equal(JSON.parse(ld).name, HOSTILE_TITLE);
});

test('a hostile question is text too', async () => {
  const question = encodeURIComponent('"><script>alert(1)</script>');
  for (const path of [
    `/search?q=${question}`,
    `/search?f.subject=${question}`,
    `/search?sort=${question}`,
    `/search?bbox=${question}`,
    `/${question}`,
  ]) {
    const page = await (await app.request(path)).text();
    assert.doesNotMatch(page, /<script>alert/, path);
  }
});

test('only web addresses become links', async () => {
  const page = await getPage('/items/polar/ice-1979');
  assert.match(page, /<a href="https:\/\/data\.example\.org\/ice\/1979" rel="noopener nofollow">/);
  assert.doesNotMatch(page, /href="javascript:/i);
  assert.ok(page.includes('javascript:alert(1)'));
});

test('the search page shows hits, counts as links, and how to undo a filter', async () => {
  const page = await getPage('/search?q=ice&f.type=Dataset');
  assert.match(page, /href="\/items\/polar\/ice-1979"/);
  assert.match(page, /<mark>[Ii]ce<\/mark>/);
  assert.ok(page.includes('/search?q=ice&amp;f.type=Dataset&amp;f.subject=Sea+ice'));
  assert.match(page, /<a class="chip" href="\/search\?q=ice">.*Type: Dataset/s);
  assert.match(page, /href="\/api\/search\?q=ice&amp;f\.type=Dataset&amp;limit=20"/);
});

test('a bad query is told with its place, a tip and the box to mend it in', async () => {
  const page = await getPage('/search?q=ice+AND+(snow', {}, 400);
  assert.match(page, /<pre class="caret"[^>]*>ice AND \(snow\n {13}<span class="sign"/);
  assert.match(page, /value="ice AND \(snow"/);
  assert.match(page, /query\.syntax/);
});

test('nothing found gives ways on', async () => {
  const page = await getPage('/search?q=zebra&f.type=Text');
  assert.match(page, /Nothing found/);
  assert.match(page, /Take away all filters/);
  assert.match(page, /href="\/search\?q=/);
});

test('an item answers in the form that the client accepts', async () => {
  for (const [accept, type] of [
    ['application/xml', /^text\/xml/],
    ['application/json', /^application\/json/],
    ['application/ld+json', /^application\/ld\+json/],
    ['text/html,application/xml;q=0.9,*/*;q=0.8', /^text\/html/],
  ] as const) {
    const response = await app.request('/items/polar/ice-1979', { headers: { accept } });
    assert.match(response.headers.get('content-type') ?? '', type);
    assert.match(response.headers.get('vary') ?? '', /Accept/);
  }
  const chosen = await app.request('/items/polar/ice-1979?format=oai_dc', {
    headers: { accept: 'text/html' },
  });
  assert.match(chosen.headers.get('content-type') ?? '', /^text\/xml/);
});

test('an error has the form that the client accepts', async () => {
  assert.equal(
    (await app.request('/items/polar/no')).headers.get('content-type'),
    'text/html; charset=UTF-8',
  );
  const asData = await app.request('/items/polar/no', { headers: { accept: 'application/json' } });
  assert.equal(asData.headers.get('content-type'), 'application/problem+json');
  assert.equal(asData.status, 404);
});

test('a page of an awkward identifier is found by the link to it', async () => {
  const list = await getPage('/search?q=awkward');
  const path = itemPath('polar', AWKWARD_IDENTIFIER);
  assert.ok(list.includes(`href="${path}"`));
  assert.match(await getPage(path), /A record whose identifier is awkward/);
});

test('a withdrawn item keeps its history', async () => {
  const { store } = collection;
  const { id: runId } = await store.runs.startRun('clouds', 'import');
  await store.items.commit({ source: 'clouds', runId, deletions: [{ identifier: 'cloud/fog' }] });
  await store.runs.finishRun(runId, 'complete');
  assert.match(await getPage('/items/clouds/cloud/fog', {}, 410), /withdrawn/);
  const history = await getPage('/versions/clouds/cloud/fog');
  assert.match(history, /withdrawn/);
  assert.match(history, /\?format=raw&amp;schema=oai_dc&amp;version=1"/);
  const old = await app.request('/items/clouds/cloud/fog?format=raw&schema=oai_dc&version=1');
  assert.match(await old.text(), /Fog observations/);
});

test('runs show what happened, and refresh only while something runs', async () => {
  const { store } = collection;
  const refresh = /<noscript><meta http-equiv="refresh"/;
  assert.doesNotMatch(await getPage('/runs'), refresh);
  const { id } = await store.runs.startRun('clouds', 'import');
  assert.match(await getPage('/runs'), refresh);
  assert.match(await getPage(`/runs/${id}`), refresh);
  await store.runs.finishRun(id, 'failed', 'the folder is gone');
  const page = await getPage(`/runs/${id}`);
  assert.match(page, /failed/);
  assert.match(page, /the folder is gone/);
  const problems = await getPage(`/runs/${collection.importRunId}`);
  assert.match(problems, /polar\/broken\.xml:12/);
  assert.doesNotMatch(problems, /staff-only/);
});

test('problems of a run are counted by kind, and shown kind by kind', async () => {
  const { store } = collection;
  const { id } = await store.runs.startRun('clouds', 'import');
  await store.items.commit({
    source: 'clouds',
    runId: id,
    records: [],
    problems: [
      { code: 'xml.malformed', message: 'no end', where: 'one.xml' },
      { code: 'xml.malformed', message: 'no end', where: 'two.xml' },
      { code: 'record.repaired', message: 'mended', where: 'three.xml' },
    ],
  });
  await store.runs.finishRun(id, 'incomplete', 'two are lost', 12);
  const page = await getPage(`/runs/${id}`);
  assert.match(page, /href="\/runs\/\d+\?code=xml.malformed#problems">xml.malformed 2</);
  assert.match(page, /<dt>Unchanged<\/dt><dd>12</);
  assert.match(page, /<dt>Repaired<\/dt><dd>1</);
  const chosen = await getPage(`/runs/${id}?code=record.repaired`);
  assert.match(chosen, /three\.xml/);
  assert.doesNotMatch(chosen, /one\.xml/);
  assert.match(await getPage(`/runs/${id}?code=nothing.such`), /one\.xml/, 'an unknown kind is none');
});

test('signing in opens what the token opens, signing out closes it', async () => {
  assert.doesNotMatch(await getPage('/search?q=forecast'), /Unpublished/);
  const form = (token: string, headers: Record<string, string> = {}) => ({
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams({ token }).toString(),
  });
  assert.equal((await app.request('/login', form('wrong'))).status, 401);
  const foreign = await app.request('/login', form(MEMBER.secret, { origin: 'https://evil.example' }));
  assert.equal(foreign.status, 403);
  const done = await app.request('/login', form(MEMBER.secret, { origin: 'https://atlas.example.org' }));
  assert.equal(done.status, 303);
  const setCookie = done.headers.get('set-cookie') ?? '';
  for (const part of ['HttpOnly', 'SameSite=Lax', 'Secure', 'Path=/'])
    assert.ok(setCookie.includes(part), part);
  assert.ok(!setCookie.includes(MEMBER.secret));
  const cookie = setCookie.split(';')[0] ?? '';
  assert.match(await getPage('/search?q=forecast', { cookie }), /Unpublished/);
  const out = await app.request('/logout', { method: 'POST', headers: { cookie } });
  assert.match(out.headers.get('set-cookie') ?? '', /garner_session=;/);
});

test('style and script are kept for ever under a name that follows their content', async () => {
  const page = await getPage('/');
  for (const [, href] of page.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)) {
    const response = await app.request(href ?? '');
    assert.equal(response.status, 200);
    assert.match(response.headers.get('cache-control') ?? '', /immutable/);
  }
  const script = /src="(\/assets\/[^"]+)"/.exec(page)?.[1] ?? '';
  const code = await (await app.request(script)).text();
  assert.doesNotMatch(code, /interface |: HTMLInputElement/);
});

test('the newest on the home page have names; what has only an address is found by searching', async () => {
  const { store } = collection.deps;
  const address = 'https://polar.example.org/robots.txt';
  // Datestamps have seconds: it is to be newer than all others.
  await setTimeout(1100);
  const { id } = await store.runs.startRun('polar', 'import');
  await store.items.commit({ source: 'polar', runId: id, records: [makeRecord(address, address)] });
  await store.runs.finishRun(id, 'complete');
  const path = itemPath('polar', address);
  const home = await getPage('/');
  assert.ok(!home.includes(path));
  assert.match(home, /<h2 id="newest">[\s\S]*href="\/items\/polar\//);
  assert.ok((await getPage('/search?sort=updated')).includes(path));
});
