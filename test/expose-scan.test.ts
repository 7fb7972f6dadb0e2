/** A folder as a repository: what is listed, since when, and what becomes of it. */
import assert from 'node:assert/strict';
import { watch, writeFileSync } from 'node:fs';
import { mkdir, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { OPERATOR } from '../src/core/access.ts';
import { dead, exposeSite, live, PATIENCE_MS } from './expose-site.ts';

const LONG_AGO = Date.UTC(2020, 0, 2) / 1000;

test('files become items: address, time of modification, type', async () => {
  await using site = await exposeSite();
  await site.write('index.html', '<!DOCTYPE html><title>Start &amp; more</title>', LONG_AGO);
  await site.write('docs/a b.txt', 'hello', LONG_AGO + 60);
  await site.write('docs/index.htm', '<p>', LONG_AGO + 120);
  await site.write('img/x.jpg', Buffer.from('ffd8ffe000104a464946', 'hex'), LONG_AGO + 180);
  const report = await site.site.scan();
  assert.equal(report.status, 'complete');
  assert.deepEqual(await site.headers(), [
    {
      identifier: 'https://www.foo.edu/',
      datestamp: '2020-01-02T00:00:00Z',
      deleted: false,
      sets: ['source:site', 'mime:text:html'],
    },
    {
      identifier: 'https://www.foo.edu/docs/a%20b.txt',
      datestamp: '2020-01-02T00:01:00Z',
      deleted: false,
      sets: ['source:site', 'mime:text:plain'],
    },
    {
      identifier: 'https://www.foo.edu/docs/',
      datestamp: '2020-01-02T00:02:00Z',
      deleted: false,
      sets: ['source:site', 'mime:text:html'],
    },
    {
      identifier: 'https://www.foo.edu/img/x.jpg',
      datestamp: '2020-01-02T00:03:00Z',
      deleted: false,
      sets: ['source:site', 'mime:image:jpeg'],
    },
  ]);
  assert.deepEqual(live(await site.headers('&set=mime:image:jpeg')), ['/img/x.jpg']);
  const { text } = await site.get(
    '/oai?verb=GetRecord&metadataPrefix=oai_dc&identifier=https://www.foo.edu/',
  );
  assert.match(text, /<dc:title>Start &amp; more<\/dc:title>/);
  assert.match(text, /<dc:format>text\/html<\/dc:format><dc:format>46 bytes<\/dc:format>/);
});

test('hidden files, programs, and links that leave the folder are not there; links inside are', async () => {
  await using site = await exposeSite({
    'a.txt': 'a',
    '.secret': 's',
    '.git/config': 'c',
    'x.php': '<?php',
    'd/b.txt': 'b',
  });
  await writeFile(join(site.top, 'outside.txt'), 'outside');
  await mkdir(join(site.top, 'out'));
  await writeFile(join(site.top, 'out/o.txt'), 'outside');
  await symlink('../outside.txt', join(site.folder, 'leak.txt'));
  await symlink('../out', join(site.folder, 'leaks'));
  await symlink('.git/config', join(site.folder, 'hidden.txt'));
  await symlink('a.txt', join(site.folder, 'same.txt'));
  await symlink('d', join(site.folder, 'd2'));
  await symlink('..', join(site.folder, 'd/loop'));
  await symlink('/dev/zero', join(site.folder, 'zero.txt'));
  await site.site.scan();
  const found = live(await site.until('the scan', (all) => all.length >= 4));
  assert.deepEqual(found, ['/a.txt', '/d/b.txt', '/d2/b.txt', '/same.txt']);
});

test('after the first scan changes are dated when they are found, however old the file', async () => {
  await using site = await exposeSite({ 'a.txt': 'a' });
  await site.site.scan();
  const startedAt = new Date(Math.floor(Date.now() / 1000) * 1000).toISOString().replace('.000', '');
  await site.write('old.txt', 'copied in', LONG_AGO);
  await site.write('a.txt', 'changed', LONG_AGO);
  await site.site.scan();
  const found = await site.until('the new file', (all) =>
    all.some(({ identifier }) => identifier.endsWith('old.txt')),
  );
  for (const { identifier, datestamp } of found)
    assert.ok(datestamp >= startedAt, `${identifier} ${datestamp}`);
  const { text } = await site.get(
    '/oai?verb=GetRecord&metadataPrefix=http_header&identifier=https://www.foo.edu/old.txt',
  );
  assert.match(
    text,
    /<http:Last-Modified>Thu, 02 Jan 2020 00:00:00 GMT</,
    'the header keeps the file’s own time',
  );
});

test('a file of the future is dated now', async () => {
  await using site = await exposeSite();
  await site.write('a.txt', 'a', Date.now() / 1000 + 1_000_000);
  await site.site.scan();
  const [header] = await site.until('the file', (all) => all.length > 0);
  assert.ok((header?.datestamp ?? '9') <= new Date().toISOString());
});

test('a harvester who comes during the first scan misses nothing with his next visit', async (t) => {
  const files = Object.fromEntries(
    Array.from({ length: 1500 }, (_, i) => [`f${String(i).padStart(4, '0')}.txt`, String(i)]),
  );
  await using site = await exposeSite();
  for (const [name, text] of Object.entries(files)) await site.write(name, text, LONG_AGO);
  const visit = async () => {
    const { text } = await site.get('/oai?verb=ListIdentifiers&metadataPrefix=oai_dc');
    const found = [...text.matchAll(/<identifier>(.*?)</g)].map(([, id = '']) => id);
    for (let token = /<resumptionToken[^>]*>([^<]+)</.exec(text)?.[1]; token; ) {
      const page = (await site.get(`/oai?verb=ListIdentifiers&resumptionToken=${token}`)).text;
      found.push(...[...page.matchAll(/<identifier>(.*?)</g)].map(([, id = '']) => id));
      token = /<resumptionToken[^>]*>([^<]+)</.exec(page)?.[1];
    }
    return { from: /<responseDate>(.*?)</.exec(text)?.[1] ?? '', found };
  };
  // The visit begins in the second commit, and the fourth waits until it is over.
  let early: ReturnType<typeof visit> | undefined;
  const { items } = site.garner.store;
  const commit = items.commit.bind(items);
  let commits = 0;
  t.mock.method(items, 'commit', async (batch: Parameters<typeof commit>[0]) => {
    commits++;
    if (commits === 2) {
      early = visit();
      await site.firstHarvester;
    }
    if (commits === 4) await early;
    return commit(batch);
  });
  await site.site.scan();
  const { from, found } = (await early) ?? assert.fail('there was no second commit');
  assert.ok(found.length < 1500, 'the visit was early');
  const first = new Set(found);
  const giveUpAt = Date.now() + PATIENCE_MS;
  for (;;) {
    const all = new Set(first);
    let query = `&from=${from}`;
    for (let next: string | undefined = query; next !== undefined; ) {
      const path: string = next.startsWith('&')
        ? `/oai?verb=ListIdentifiers&metadataPrefix=oai_dc${next}`
        : `/oai?verb=ListIdentifiers&resumptionToken=${next}`;
      const page = (await site.get(path)).text;
      for (const [, id = ''] of page.matchAll(/<identifier>(.*?)</g)) all.add(id);
      next = /<resumptionToken[^>]*>([^<]+)</.exec(page)?.[1];
    }
    if (all.size === 1500) break;
    assert.ok(Date.now() < giveUpAt, `${all.size} of 1500 were found`);
    query = `&from=${from}`;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
});

test('an unchanged folder leaves no run behind; a touched file is a new version, an equal one is not', async () => {
  await using site = await exposeSite({ 'a.txt': 'a', 'b.txt': 'b' });
  await site.site.scan();
  await site.site.scan();
  const runs = () => site.garner.store.runs.listRuns({ limit: 10 });
  assert.equal((await runs()).length, 1);
  await utimes(join(site.folder, 'a.txt'), LONG_AGO, LONG_AGO);
  const report = await site.site.scan();
  assert.deepEqual([report.counts.updated, report.counts.added, report.counts.deleted], [1, 0, 0]);
  await rm(join(site.folder, 'b.txt'));
  await site.write('b.txt', 'b');
  const again = await site.site.scan();
  assert.equal(again.counts.deleted, 0);
});

test('a rename is a deletion and a creation; tombstones stay', async () => {
  await using site = await exposeSite({ 'a.txt': 'a', 'd/x.txt': 'x', 'keep.txt': 'k' });
  await site.site.scan();
  await rename(join(site.folder, 'a.txt'), join(site.folder, 'b.txt'));
  await rename(join(site.folder, 'd'), join(site.folder, 'e'));
  await site.site.scan();
  const found = await site.until('the rename', (all) => dead(all).length === 2);
  assert.deepEqual(live(found), ['/b.txt', '/e/x.txt', '/keep.txt']);
  assert.deepEqual(dead(found), ['/a.txt', '/d/x.txt']);
  await site.site.scan();
  assert.deepEqual(dead(await site.headers()), ['/a.txt', '/d/x.txt']);
});

test('the address of a folder goes to the best index file there is', async () => {
  await using site = await exposeSite({ 'd/index.htm': 'old', 'k.txt': 'k' });
  const content = async () =>
    (
      await site.garner.store.items.findItem(
        { source: 'site', identifier: 'https://www.foo.edu/d/' },
        OPERATOR,
      )
    )?.records[0]?.version;
  await site.site.scan();
  await site.write('d/index.html', 'new');
  await site.site.scan();
  let found = await site.until('the other file', (all) => live(all).length === 3);
  assert.deepEqual(live(found), ['/d/', '/d/index.htm', '/k.txt']);
  assert.equal(await content(), 2);
  await rm(join(site.folder, 'd/index.html'));
  await site.site.scan();
  found = await site.until('the return', (all) => dead(all).length === 1);
  assert.deepEqual(live(found), ['/d/', '/k.txt']);
  assert.deepEqual(dead(found), ['/d/index.htm']);
  await rm(join(site.folder, 'd/index.htm'));
  await site.site.scan();
  found = await site.until('the end', (all) => dead(all).length === 2);
  assert.deepEqual(live(found), ['/k.txt']);
});

test('a folder that is gone or empty deletes nothing', async () => {
  await using site = await exposeSite({ 'a.txt': 'a', 'b.txt': 'b' });
  await site.site.scan();
  await rename(site.folder, `${site.folder}-away`);
  await assert.rejects(site.site.scan(), { code: 'source.unreadable' });
  await mkdir(site.folder);
  const report = await site.site.scan();
  assert.equal(report.status, 'incomplete');
  assert.match(report.message ?? '', /nothing was deleted/);
  const found = await site.until('the list', (all) => all.length === 2);
  assert.deepEqual(live(found), ['/a.txt', '/b.txt']);
  assert.equal((await site.site.scan({ force: true })).counts.deleted, 2);
});

test('a file that becomes denied is a tombstone if it was public, and never was if it was not', async () => {
  await using site = await exposeSite({
    'a/x.txt': 'x',
    'b/y.txt': 'y',
    'b/.htaccess': 'Require all denied',
    'k.txt': 'k',
  });
  await site.site.scan();
  await site.write('a/.htaccess', 'Require all denied');
  await site.write('b/z.txt', 'z');
  await site.site.scan();
  const found = await site.until('the tombstone', (all) => dead(all).length === 1);
  assert.deepEqual(live(found), ['/k.txt']);
  assert.deepEqual(dead(found), ['/a/x.txt']);
  await rm(join(site.folder, 'b/.htaccess'));
  await site.site.scan();
  await site.until('the opening', (all) => live(all).join() === '/b/y.txt,/b/z.txt,/k.txt');
});

test('a file for one network is there for it, and a tombstone for others only if it was public', async () => {
  await using site = await exposeSite(
    { 'in/x.txt': 'x', 'in/.htaccess': 'Require ip 192.0.2.0/24', 'k.txt': 'k' },
    {},
    { server: { trustedProxies: 1 } },
  );
  const inside = { 'x-forwarded-for': '192.0.2.7' };
  await site.site.scan();
  await site.until('the scan', (all) => all.length > 0);
  assert.deepEqual(live(await site.headers('', inside)), ['/in/x.txt', '/k.txt']);
  assert.deepEqual(live(await site.headers('', { 'x-forwarded-for': '198.51.100.1' })), ['/k.txt']);
  await site.write('.htaccess', '<Files k.txt>\nRequire ip 192.0.2.0/24\n</Files>');
  await site.site.scan();
  const found = await site.until('the tombstone', (all) => dead(all).length === 1);
  assert.deepEqual([live(found), dead(found)], [[], ['/k.txt']]);
  assert.deepEqual(live(await site.headers('', inside)), ['/in/x.txt', '/k.txt']);
});

test('another base address makes other items; the old ones are gone', async () => {
  await using site = await exposeSite({ 'a.txt': 'a', 'd/index.html': '<p>' });
  await site.site.scan();
  const { HarvestWatch } = await import('../src/publish/folder/harvest-watch.ts');
  const { publishFolder } = await import('../src/publish/folder/published-folder.ts');
  const { createPasswords } = await import('../src/publish/folder/apache/htpasswd.ts');
  const { silentLog } = await import('../src/core/log.ts');
  const unreachable = async () => assert.fail('nobody asks the live site');
  const moved = publishFolder(
    {
      store: site.garner.store,
      fieldSpecs: site.garner.formats.fieldSpecs(),
      passwords: createPasswords(),
      watch: new HarvestWatch(),
      clock: Date.now,
      log: silentLog,
      client: { head: unreachable, get: unreachable },
    },
    { ...site.site.source, baseUrl: 'https://www.bar.edu/' },
    { rescanMs: 1_000_000, liveHeaders: false },
  );
  await moved.scan();
  const found = await site.until('the move', (all) => dead(all).length === 2);
  assert.deepEqual(live(found), ['https://www.bar.edu/a.txt', 'https://www.bar.edu/d/']);
  assert.deepEqual(dead(found), ['/a.txt', '/d/']);
});

test('aliases of the server stand at their own addresses', async () => {
  await using site = await exposeSite({ 'a.txt': 'a', 'docs/shadowed.txt': 's' });
  await mkdir(join(site.top, 'manual/deep'), { recursive: true });
  await writeFile(join(site.top, 'manual/m.txt'), 'm');
  await writeFile(join(site.top, 'manual/deep/n.txt'), 'n');
  await writeFile(join(site.top, 'robots'), 'r');
  const conf = join(site.top, 'httpd.conf');
  await writeFile(
    conf,
    `DocumentRoot ${site.folder}\nAlias /docs ${site.top}/manual\nAlias /x/y/ ${site.top}/manual/deep/\nAlias /robots.txt ${site.top}/robots\n`,
  );
  await using aliased = await exposeSite({}, { path: site.folder, httpdConf: conf });
  await aliased.site.scan();
  const found = await aliased.until('the scan', (all) => all.length >= 5);
  assert.deepEqual(live(found), ['/a.txt', '/docs/deep/n.txt', '/docs/m.txt', '/robots.txt', '/x/y/n.txt']);
});

test('what comes into a folder after it is watched, and before it is listed, is found', async () => {
  await using site = await exposeSite({ 'a.txt': 'a', 'd/x.txt': 'x' });
  const { counts } = await site.site.scan({
    onFolder: (path, entry) => {
      if (entry === 'd/') writeFileSync(join(path, 'late.txt'), 'l');
    },
  });
  assert.equal(counts.added, 3);
});

test('what changes while it is watched appears by itself', async (t) => {
  await using site = await exposeSite({ 'a.txt': 'a', 'd/x.txt': 'x' }, { rescanSeconds: 3600 });
  try {
    watch(site.folder).close();
  } catch (error) {
    return t.skip(`this system gives no more watches: ${String(error)}`);
  }
  await site.site.start();
  await site.until('the scan', (all) => live(all).join() === '/a.txt,/d/x.txt');
  await site.write('new/deep/n.txt', 'n');
  await rm(join(site.folder, 'd'), { recursive: true });
  await site.until('the change', (all) => live(all).join() === '/a.txt,/new/deep/n.txt');
  await site.write('new/deep/later.txt', 'l');
  await site.until(
    'the later change',
    (all) => live(all).join() === '/a.txt,/new/deep/later.txt,/new/deep/n.txt',
  );
  await site.write('new/.htaccess', 'Require all denied');
  const found = await site.until('the denial', (all) => dead(all).length === 3);
  assert.deepEqual(live(found), ['/a.txt']);
  assert.deepEqual(dead(found), ['/d/x.txt', '/new/deep/later.txt', '/new/deep/n.txt']);
});

test('names that are no UTF-8 are listed by their bytes', async (t) => {
  if (process.platform !== 'linux') return t.skip('only Linux has such names');
  await using site = await exposeSite({ 'a.txt': 'a' });
  await writeFile(
    Buffer.concat([Buffer.from(`${site.folder}/caf`), Buffer.from([0xe9]), Buffer.from('.txt')]),
    'x',
  );
  await site.site.scan();
  const found = await site.until('the scan', (all) => all.length === 2);
  assert.deepEqual(live(found), ['/a.txt', '/caf%E9.txt']);
});
