/** The archive origin over a real archive of a page, its requisites and a few oddities. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type ArchivedPage, archivePages } from '../../test/archive-pages.ts';
import { MEMBER, openTestCollection, type TestCollection } from '../../test/portal-collection.ts';
import { writeArchiveAddress } from '../replay/index.ts';
import { createArchiveOrigin } from './archive-origin.ts';
import { createHttpApp } from './server.ts';

const PAGE = 'http://www.example.org/a/page.html';
const AT = Date.parse('2020-01-02T03:04:05Z');
const html = (url: string, body: string, at = AT): ArchivedPage => ({ url, at, type: 'text/html', body });

let collection: TestCollection;
let dataFolder: string;
let app: ReturnType<typeof createArchiveOrigin>;

before(async () => {
  collection = await openTestCollection();
  dataFolder = await mkdtemp(join(tmpdir(), 'garner-archive-origin-'));
  const target = { store: collection.store, fields: collection.deps.formats.fieldSpecs(), dataFolder };
  await archivePages(target, 'polar', [
    html(
      PAGE,
      `<link rel=preconnect href=//spy.example><link rel=stylesheet href="../s.css"><img src="/i.png"><img src=http://gone.example/x.png>
       <script>document.title='run'</script><a href="/next">next</a>`,
    ),
    {
      url: 'http://www.example.org/s.css',
      at: AT + 1000,
      type: 'text/css',
      body: 'b { background: url(bg.gif) }',
    },
    { url: 'http://www.example.org/bg.gif', at: AT + 1000, type: 'image/gif', body: 'GIF89a' },
    { url: 'http://www.example.org/i.png', at: AT + 2000, type: 'text/html', body: '\x89PNG\r\n\x1a\n0000' },
    html(PAGE, '<p>later', AT + 86_400_000),
    { url: 'http://www.example.org/doc.pdf', at: AT, type: 'application/pdf', body: '%PDF-1.4' },
    { url: 'http://www.example.org/moved', at: AT, type: 'text/html', body: '', status: 301, location: PAGE },
  ]);
  await archivePages(target, 'closed', [html('http://www.example.org/secret', 'secret')]);
  app = createArchiveOrigin({ ...collection.deps, dataFolder, portalUrl: 'https://data.example' });
});
after(async () => {
  await collection.close();
  await rm(dataFolder, { recursive: true, force: true });
});

const ask = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  Promise.resolve(app.request(path, { headers }));
const directory = (url: string, at = AT, source = 'polar') => writeArchiveAddress({ source, url, at });

async function namesIn(path: string): Promise<Map<string, string>> {
  const text = await (await ask(path)).text();
  return new Map(
    [...text.matchAll(/<td><a href="([^"]+)">.*?<td>(http[^<]+)<\/td><\/tr>/gs)].map(([, name, url]) => [
      url ?? '',
      name ?? '',
    ]),
  );
}

test('a page is a directory with all that it is shown with, and tells what is missing', async () => {
  const answer = await ask(directory(PAGE));
  assert.equal(answer.status, 200);
  const text = await answer.text();
  assert.match(text, /Not in the archive<\/h2><ul><li>http:\/\/gone\.example\/x\.png/);
  const names = await namesIn(directory(PAGE));
  assert.deepEqual(
    [...names.keys()].sort(),
    [
      PAGE,
      'http://www.example.org/bg.gif',
      'http://www.example.org/i.png',
      'http://www.example.org/s.css',
    ].sort(),
  );
});

test('in the directory links lead to its files and to the directories of other pages, never out', async () => {
  const names = await namesIn(directory(PAGE));
  const answer = await ask(directory(PAGE) + names.get(PAGE));
  const text = await answer.text();
  assert.match(text, new RegExp(`href="${names.get('http://www.example.org/s.css')}"`));
  assert.match(text, new RegExp(`src="${names.get('http://www.example.org/i.png')}"`));
  assert.ok(text.includes(`<a href="${directory('http://www.example.org/next')}">`), text);
  assert.doesNotMatch(text, /preconnect/);
  const css = await ask(directory(PAGE) + names.get('http://www.example.org/s.css'));
  assert.equal(await css.text(), `b { background: url(${names.get('http://www.example.org/bg.gif')}) }`);
});

test('archived bytes are sealed: sandbox, no script, no network, the type that they have', async () => {
  const names = await namesIn(directory(PAGE));
  for (const [url, type] of [
    [PAGE, /^text\/html/],
    ['http://www.example.org/s.css', /^text\/css/],
    ['http://www.example.org/i.png', /^image\/png$/],
  ] as const) {
    const { headers } = await ask(directory(PAGE) + names.get(url));
    const policy = headers.get('content-security-policy') ?? '';
    assert.match(policy, /^sandbox; default-src 'none'/);
    assert.doesNotMatch(policy, /script-src|connect-src|allow-/);
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.match(headers.get('content-type') ?? '', type);
    assert.equal(headers.get('referrer-policy'), 'no-referrer');
  }
  const pdf = await ask(`${directory('http://www.example.org/doc.pdf')}original`);
  assert.equal(pdf.headers.get('content-disposition'), 'attachment');
});

test('the original is as it was archived, at the time that it was archived', async () => {
  const answer = await ask(`${directory(PAGE, AT + 86_400_000)}original`);
  assert.equal(await answer.text(), '<p>later');
  assert.equal(answer.headers.get('memento-datetime'), 'Fri, 03 Jan 2020 03:04:05 GMT');
});

test('a time without a capture leads to the nearest one, a directory without its slash to itself', async () => {
  const near = await ask(directory(PAGE, AT + 5000));
  assert.deepEqual([near.status, near.headers.get('location')], [302, directory(PAGE)]);
  const bare = await ask(directory(PAGE).slice(0, -1));
  assert.deepEqual([bare.status, bare.headers.get('location')], [302, directory(PAGE)]);
});

test('URLs of a source and times of a URL are listed', async () => {
  const urls = await (await ask('/polar/')).text();
  assert.ok(urls.includes(`<a href="${writeArchiveAddress({ source: 'polar', url: PAGE })}">`), urls);
  const times = await (await ask(writeArchiveAddress({ source: 'polar', url: PAGE }))).text();
  assert.ok(times.includes(directory(PAGE)) && times.includes(directory(PAGE, AT + 86_400_000)));
  const moved = await (await ask(directory('http://www.example.org/moved'))).text();
  assert.ok(moved.includes(`leads to <a href="${directory(PAGE)}">`), moved);
});

test('what a reader may not see is not there, at any level', async () => {
  const secret = 'http://www.example.org/secret';
  for (const path of [
    '/closed/',
    writeArchiveAddress({ source: 'closed', url: secret }),
    directory(secret, AT, 'closed'),
    `${directory(secret, AT, 'closed')}original`,
  ]) {
    assert.equal((await ask(path)).status, 404, path);
    assert.equal((await ask(path, { authorization: `Bearer ${MEMBER.secret}` })).status, 200, path);
  }
});

test('nothing of the portal is on the archive origin, and no archived page on the portal', async () => {
  for (const path of [
    '/search?q=ice',
    '/items/polar/ice-1979',
    '/oai?verb=Identify',
    '/api/openapi.json',
    '/runs',
    '/login',
  ])
    assert.equal((await ask(path)).status, 404, path);
  const portal = createHttpApp({ ...collection.deps, dataFolder });
  assert.equal((await portal.request(directory(PAGE))).status, 404);
});

for (const path of [
  '/polar/x',
  '/polar/~%00/',
  '/polar/a~!!/',
  '/../etc/',
  '/polar/a~aHR0cDovL2E/notatime/',
  '/polar//',
  '/polar/?after=x',
])
  test(`hostile address ${path} is refused`, async () => {
    const answer = await ask(path);
    assert.ok([400, 404].includes(answer.status), String(answer.status));
    assert.match(answer.headers.get('content-security-policy') ?? '', /default-src 'none'/);
  });
