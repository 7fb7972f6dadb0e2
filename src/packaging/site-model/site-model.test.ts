import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { ANONYMOUS, OPERATOR } from '../../core/access.ts';
import { hideItem } from '../archive.fixture.ts';
import { type CapturedSite, openCapturedSite, SITE, SITE_ANSWERS } from '../captured-site.fixture.ts';
import { readSnapshot } from '../snapshot/read-snapshot.ts';
import { createSiteModels, forgetModels } from './site-models.ts';

const short = (url: string | undefined): string => (url ?? '').replace(SITE, '/');
const ALL = { after: 0, limit: 1000 };

const openModel = async (
  site: Pick<CapturedSite, 'store' | 'dataFolder' | 'snapshot'>,
  models = createSiteModels(site),
) => models.openSnapshot(await readSnapshot(site.store, site.snapshot, {}, OPERATOR), OPERATOR);

test('pages are listed from the entry page on, with their distance from it', async (t) => {
  const site = await openCapturedSite(t);
  using model = await openModel(site);
  assert.deepEqual(
    [...model.pages()].map(({ url, depth, kind, title }) => [short(url), depth, kind, title]),
    [
      ['/', 0, 'page', 'Pegelstände'],
      ['/home.htm', 1, 'page', 'Home — 水位'],
      ['/enter.png', 2, 'image', undefined],
      ['/frame.html', 2, 'page', 'Frame'],
      ['/plan.pdf', 2, 'document', undefined],
      ['/wide.html', undefined, 'page', 'Weit'],
    ],
  );
  assert.equal(model.facts.entryUrl, SITE);
  assert.deepEqual(model.facts.languages, ['de', 'en']);
});

test('a page has all that it is shown with, also by way of style sheets and frames', async (t) => {
  const site = await openCapturedSite(t);
  using model = await openModel(site);
  const entry = model.findFile(SITE);
  const home = model.findFile(`${SITE}home.htm`);
  assert.ok(entry && home);
  assert.deepEqual(
    model.requisitesOf(entry).map(({ url }) => short(url)),
    ['/style.css', '/intro.swf', '/enter.png', '/more.css'],
  );
  assert.deepEqual(
    model.requisitesOf(home).map(({ url }) => short(url)),
    ['/frame.html', '/enter.png'],
  );
  const missing = model
    .listEmbedded(ALL)
    .filter(({ fileKey }) => fileKey === undefined)
    .map(({ page, url, via }) => [short(page), short(url), short(via)]);
  assert.deepEqual(missing, [
    ['/', '/gr%C3%BCn.gif', ''],
    ['/', '/missing.gif', '/more.css'],
    ['/frame.html', '/big.png', ''],
    ['/home.htm', '/big.png', '/frame.html'],
  ]);
});

test('links are inside, outside or missing, follow redirects and know the bytes of their anchors', async (t) => {
  const site = await openCapturedSite(t);
  using model = await openModel(site);
  const bodies = new Map(SITE_ANSWERS.map(({ url, body = '' }) => [url, Buffer.from(body)]));
  const decoders: Readonly<Record<string, string>> = { '/': 'latin1', '/wide.html': 'utf-16le' };
  const shown = model.listLinks(ALL).map((link) => {
    const { page, scope, target, at = 0, length = 0, occurrence } = link;
    const bytes = bodies.get(page)?.subarray(at, at + length);
    const text = new TextDecoder(decoders[short(page)] ?? 'utf-8').decode(bytes);
    return [short(page), scope, short(target), occurrence, text];
  });
  assert.deepEqual(shown, [
    ['/', 'internal', '/home.htm', 0, '<a href="home.htm"><img src="enter.png" alt="Über uns"></a>'],
    ['/', 'internal', '/home.htm', 0, '<a href="alt.htm">Früher</a>'],
    ['/', 'external', '', 0, '<a href="http://elsewhere.example/">Anderswo</a>'],
    ['/', 'missing', '/fehlt.htm', 0, '<a href="fehlt.htm">Fehlt</a>'],
    ['/', 'internal', '/home.htm', 1, '<a href="home.htm">noch einmal</a>'],
    ['/home.htm', 'internal', '/', 0, '<a href="./">Start</a>'],
    ['/home.htm', 'internal', '/plan.pdf', 0, '<a href="plan.pdf">Plan</a>'],
    ['/home.htm', 'internal', '/enter.png', 0, '<a href="enter.png">Picture</a>'],
    ['/wide.html', 'internal', '/home.htm', 0, '<a href="home.htm">nach Hause</a>'],
  ]);
  assert.deepEqual(
    model.listRedirects(ALL).map(({ url, status, leadsTo }) => [short(url), status, short(leadsTo)]),
    [['/alt.htm', 301, '/home.htm']],
  );
});

test('files keep what is known of them; what cannot be read keeps its entry and says why', async (t) => {
  const site = await openCapturedSite(t, [
    ...SITE_ANSWERS,
    { url: `${SITE}bad\u0001.html`, type: 'text/html', body: '<title>Bell \u0007 rings</title>' },
  ]);
  using model = await openModel(site);
  const image = model.findFile(`${SITE}enter.png`);
  assert.deepEqual(
    [
      image?.kind,
      image?.image?.width,
      image?.image?.height,
      image?.image?.compression,
      image?.image?.resolution,
    ],
    ['image', 2, 1, 'deflate', { x: 72.01, y: 72.01 }],
  );
  assert.equal(model.findFile(`${SITE}fehlt.htm`)?.kind, 'error');
  assert.equal(model.findFile(`${SITE}odd.bin`)?.kind, 'other');
  const bell = [...model.files('page')].find(({ url }) => url.includes('bad'));
  assert.match(bell?.problems[0]?.message ?? '', /^1 characters that XML cannot hold/);
  assert.deepEqual(model.facts.archives[0]?.info.slice(0, 2), [
    ['software', 'Fixture crawler 1.0'],
    ['operator', 'Harbour library'],
  ]);
});

test('what was not stored again has the content of the capture that it repeats', async (t) => {
  const site = await openCapturedSite(t);
  const [entry] = SITE_ANSWERS;
  assert.ok(entry);
  const at = '2003-12-12T08:00:00Z';
  const later = await site.harvest([{ ...entry, at, revisitOf: '2003-04-17T22:31:25Z' }]);
  using model = await openModel({ ...site, snapshot: later });
  const file = model.findFile(SITE);
  assert.equal(file?.capturedAt, Date.parse(at));
  assert.equal(file.repeatsAt, Date.parse('2003-04-17T22:31:25Z'));
  assert.equal(file.title, 'Pegelstände');
  assert.equal(file.stored?.file.startsWith('harvest1'), true);
});

test('large files and files that must not be unpacked have their entry, too', async (t) => {
  const film = Buffer.alloc(17 << 20, 'film');
  const bomb = gzipSync(Buffer.alloc(300 << 20));
  const site = await openCapturedSite(t, [
    { url: `${SITE}film.avi`, type: 'video/x-msvideo', body: film },
    { url: `${SITE}bomb.html`, type: 'text/html', headers: [['Content-Encoding', 'gzip']], body: bomb },
  ]);
  using model = await openModel(site);
  const large = model.findFile(`${SITE}film.avi`);
  assert.deepEqual([large?.size, large?.sha256], [film.length, hash('sha256', film)]);
  const bad = model.findFile(`${SITE}bomb.html`);
  assert.deepEqual(
    [bad?.kind, bad?.size, bad?.headers.length, bad?.stored?.file.startsWith('harvest1')],
    ['page', undefined, 2, true],
  );
  assert.equal(bad?.problems[0]?.code, 'archive.unsafe');
  assert.ok(bad.payloadDigest);
});

test('a later harvest of the same URLs changes nothing in the model of the one before', async (t) => {
  const site = await openCapturedSite(t);
  const models = createSiteModels(site);
  const later = await site.harvest([
    { url: SITE, at: '2003-12-12T08:00:00Z', type: 'text/html', body: '<title>New</title>' },
  ]);
  using first = await openModel(site, models);
  using second = await openModel({ ...site, snapshot: later }, models);
  assert.equal(first.findFile(SITE)?.title, 'Pegelstände');
  assert.deepEqual(
    [...second.files()].map(({ url, title }) => [url, title]),
    [[SITE, 'New']],
  );
  using whole = await models.openSource('web', OPERATOR);
  assert.equal(whole.findFile(SITE)?.title, 'New');
  assert.ok(whole.findFile(`${SITE}home.htm`));
});

test('of a source that is dropped no model stays behind', async (t) => {
  const site = await openCapturedSite(t);
  (await openModel(site))[Symbol.dispose]();
  const folder = join(site.dataFolder, 'packages', 'site-models');
  assert.deepEqual(await readdir(folder), ['web']);
  await forgetModels(site.dataFolder, 'web');
  assert.deepEqual(await readdir(folder), []);
});

test('a source that lost captures has other models', async (t) => {
  const site = await openCapturedSite(t);
  const models = createSiteModels(site);
  const before = await openModel(site, models);
  const [archive] = before.facts.archives;
  before[Symbol.dispose]();
  await site.store.captures.removeFile('web', archive?.file ?? '');
  using model = await openModel(site, models);
  assert.equal(model.facts.files, 0);
});

test('a model is made once, by however many it is asked for at a time', async (t) => {
  const site = await openCapturedSite(t);
  let lists = 0;
  const store = {
    ...site.store,
    captures: {
      ...site.store.captures,
      list: (...given: Parameters<typeof site.store.captures.list>) => {
        lists++;
        return site.store.captures.list(...given);
      },
    },
  };
  const models = createSiteModels({ store, dataFolder: site.dataFolder });
  const opened = await Promise.all([1, 2, 3].map(() => openModel(site, models)));
  const again = await openModel(site, models);
  for (const model of [...opened, again]) model[Symbol.dispose]();
  assert.equal(lists, 1);
});

test('who may not see a capture has a model without it, and nobody else gets that one', async (t) => {
  const site = await openCapturedSite(t);
  const { store, snapshot } = site;
  const models = createSiteModels(site);
  const ref = { source: 'web', identifier: `${SITE}home.htm` };
  await hideItem(store, ref);
  const pagesFor = async (viewer = ANONYMOUS) => {
    using model = await models.openSnapshot(await readSnapshot(store, snapshot, {}, viewer), viewer);
    using whole = await models.openSource('web', viewer);
    const urls = [...model.pages()].map(({ url }) => short(url));
    assert.deepEqual(
      [...whole.pages()].map(({ url }) => short(url)),
      urls,
    );
    return urls;
  };
  for (const viewer of [OPERATOR, ANONYMOUS, OPERATOR])
    assert.equal((await pagesFor(viewer)).includes('/home.htm'), viewer === OPERATOR);
  const left = (await readdir(site.dataFolder)).filter((name) => name.startsWith('.package-'));
  assert.deepEqual(left, [], 'his is on the disk while it is read, and then gone');
});
