import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { openWarcWriter, responseRecord, writeHttpHead, writeWacz } from '../../archive/index.ts';
import { ANONYMOUS, OPERATOR } from '../../core/access.ts';
import { createFormatRegistry } from '../../formats/registry.ts';
import { createCatalogue } from '../../query/catalogue.ts';
import { parseQuery } from '../../query/parse.ts';
import type { GarnerStore, StoredCapture } from '../../store/index.ts';
import { openStore } from '../../store/open.ts';
import { createExtraction } from '../extract-record.ts';
import type { Ingest } from '../ingest.ts';
import { reindexSource } from '../reindex.ts';
import { sortPaths } from './find-archives.ts';
import { type ArchiveImportReport, importArchives } from './import-archives.ts';

const samples = fileURLToPath(new URL('../../../../shared/data/archives/', import.meta.url));
const skip = existsSync(`${samples}INDEX.md`) ? false : 'the sample archives are not beside the project';
const formats = createFormatRegistry();
const catalogue = createCatalogue(formats.fieldSpecs());

let folder: string;
let store: GarnerStore;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'garner-archives-'));
  await mkdir(join(folder, 'data'));
  await mkdir(join(folder, 'in'));
  store = await openStore(
    {
      folder: join(folder, 'data'),
      fields: formats.fieldSpecs(),
      sources: [
        { name: 'web', access: { public: true } },
        { name: 'other', access: { public: true } },
        { name: 'closed', access: { groups: ['staff'] } },
      ],
      views: [],
      repositoryIdentifier: 'test.example.org',
    },
    { threads: 0 },
  );
});
afterEach(async () => {
  await store.close();
  await rm(folder, { recursive: true, force: true });
});

async function run(
  paths: readonly string[],
  source = 'web',
  signal?: AbortSignal,
): Promise<ArchiveImportReport> {
  const { archives, others } = await sortPaths(paths);
  assert.deepEqual(others, []);
  const deps = { store, fields: formats.fieldSpecs(), dataFolder: join(folder, 'data') };
  return importArchives(deps, source, archives, signal ? { signal } : {});
}

interface Page {
  readonly url: string;
  readonly at: string;
  readonly html: string;
  readonly status?: number;
}

async function writeWarc(name: string, pages: readonly Page[]): Promise<string> {
  const target = join(folder, 'in', name);
  const writer = await openWarcWriter({
    folder: target,
    prefix: name,
    clock: () => Date.parse('2026-01-01T00:00:00Z'),
    info: [['software', 'Test crawler 1']],
  });
  for (const { url, at, html, status = 200 } of pages) {
    const head = writeHttpHead(`HTTP/1.1 ${status} Here`, [['Content-Type', 'text/html; charset=utf-8']]);
    await writer.append(
      responseRecord({ targetUri: url, at: Date.parse(at) }, { head, body: Buffer.from(html) }),
    );
  }
  await writer.close();
  const [file = ''] = await readdir(target);
  return join(target, file);
}

const page = (title: string, text: string): string =>
  `<!doctype html><html lang="en"><head><title>${title}</title>` +
  `<meta name="description" content="About ${title}"><meta name="keywords" content="clouds, ice"></head><body><p>${text}</p></body></html>`;

async function find(text: string, viewer = ANONYMOUS): Promise<string[]> {
  const { hits } = await store.search.search({ query: parseQuery(text, catalogue), limit: 20 }, viewer);
  return hits.filter(({ schema }) => schema === 'web_capture').map(({ identifier }) => identifier);
}

const everything = (source: string): Promise<readonly StoredCapture[]> =>
  store.captures.list({ urlKey: '', match: 'prefix', sources: [source], limit: 5000 }, OPERATOR);

const HOME = 'http://example.org/';

describe('importing web archives', () => {
  it('makes items that are found by their words, and captures that are found by their URL', async () => {
    const file = await writeWarc('a', [
      { url: HOME, at: '2020-01-01T00:00:00Z', html: page('Glaciers', 'the tongue of the glacier retreats') },
      { url: `${HOME}gone`, at: '2020-01-01T00:00:01Z', html: page('Not found', 'nothing'), status: 404 },
    ]);
    const report = await run([file]);
    assert.equal(report.status, 'complete');
    assert.equal(report.captures, 2);
    assert.deepEqual(report.counts, { added: 1, updated: 0, unchanged: 0, deleted: 0, invalid: 0 });
    assert.deepEqual(await find('"tongue of the glacier"'), [HOME]);
    assert.deepEqual(await find('subject:ice title:glaciers mediaType:"text/html"'), [HOME]);
    assert.deepEqual(await find('captured:2020'), [HOME]);
    // What the archive added is no text of the page.
    assert.deepEqual(await find('200'), []);
    assert.deepEqual(await find('viewport OR keywords'), []);
    const item = await store.items.findItem({ source: 'web', identifier: HOME }, ANONYMOUS);
    assert.equal(item?.title, 'Glaciers');
    assert.deepEqual(item?.fields.description, ['About Glaciers']);
    const content = await store.items.findContent({ source: 'web', identifier: HOME }, {}, ANONYMOUS);
    assert.match(Buffer.from(content?.bytes ?? []).toString(), /"capturedBy":"Test crawler 1"/);
    const [first] = await store.captures.list({ urlKey: 'org,example)/', limit: 1 }, ANONYMOUS);
    assert.equal(first?.file, basename(file));
    const kept = join(folder, 'data', 'archive', 'web', first?.file ?? '');
    assert.deepEqual(await readFile(kept), await readFile(file));
  });

  it('makes a version of every content, none of a visit that found the same, none of an older capture', async () => {
    const file = await writeWarc('a', [
      { url: HOME, at: '2020-01-01T00:00:00Z', html: page('One', 'first') },
      { url: HOME, at: '2020-02-01T00:00:00Z', html: page('One', 'first') },
      { url: HOME, at: '2020-03-01T00:00:00Z', html: page('Two', 'second') },
    ]);
    const report = await run([file]);
    assert.equal(report.captures, 3);
    assert.deepEqual([report.counts.added, report.counts.updated], [1, 1]);
    const older = await writeWarc('b', [
      { url: HOME, at: '2019-01-01T00:00:00Z', html: page('Zero', 'none') },
    ]);
    const second = await run([older]);
    assert.deepEqual([second.captures, second.counts.added, second.counts.updated], [1, 0, 0]);
    const item = await store.items.findItem({ source: 'web', identifier: HOME }, OPERATOR);
    assert.equal(item?.title, 'Two');
    assert.equal((await store.items.listHistory({ source: 'web', identifier: HOME }, OPERATOR)).length, 2);
  });

  it('takes nothing in twice, whether the file is known or comes under other bytes', async () => {
    const file = await writeWarc('a', [
      { url: HOME, at: '2020-01-01T00:00:00Z', html: page('One', 'first') },
    ]);
    await run([file]);
    const again = await run([file]);
    assert.deepEqual([again.captures, again.entriesUnchanged, again.counts.added], [0, 1, 0]);
    const plain = join(folder, 'in', 'copy.warc.gz');
    const { gunzipSync } = await import('node:zlib');
    await writeFile(plain, gzipSync(gunzipSync(await readFile(file))));
    const repacked = await run([plain]);
    assert.deepEqual([repacked.counts.added, repacked.counts.updated], [0, 0]);
    assert.equal((await store.items.listHistory({ source: 'web', identifier: HOME }, OPERATOR)).length, 1);
    assert.deepEqual(await store.admin.verify(), []);
  });

  it('can be indexed again from what is stored, without the archive files', async () => {
    const file = await writeWarc('a', [
      { url: HOME, at: '2020-01-01T00:00:00Z', html: page('Glaciers', 'the tongue retreats') },
    ]);
    await run([file]);
    await rm(join(folder, 'data', 'archive'), { recursive: true });
    const extractOne = createExtraction({ formats, validation: 'report' });
    const ingest: Ingest = {
      extract: async (pieces) => ({
        records: pieces.flatMap((piece) => extractOne(piece).record ?? []),
        problems: [],
      }),
      close: async () => {},
    };
    assert.equal((await reindexSource({ store, ingest, formats }, 'web')).records, 2);
    assert.deepEqual(await find('tongue title:glaciers subject:ice'), [HOME]);
    assert.deepEqual(await find('200'), []);
    assert.deepEqual(await store.admin.verify(), []);
  });

  it('makes one snapshot of the files that were new, which lists their captures', async () => {
    const file = await writeWarc('a', [
      { url: HOME, at: '2020-01-02T03:04:05Z', html: page('One', 'first') },
      { url: HOME, at: '2020-02-01T00:00:00Z', html: page('One', 'first') },
    ]);
    const report = await run([file]);
    assert.equal(report.snapshot, 'web:20200102T030405Z');
    const ref = { source: 'web', identifier: 'web:20200102T030405Z' };
    const item = await store.items.findItem(ref, ANONYMOUS);
    assert.deepEqual(item?.fields.series, ['web']);
    const content = await store.items.findContent(ref, {}, ANONYMOUS);
    const { manifest, captures, urls } = JSON.parse(Buffer.from(content?.bytes ?? []).toString());
    assert.deepEqual([captures, urls], [2, 1]);
    const lines: string[] = [];
    for await (const part of store.blobs.read(manifest.digest)) lines.push(Buffer.from(part).toString());
    const listed = lines
      .join('')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.deepEqual(
      listed.map(({ at }) => at),
      [Date.parse('2020-01-02T03:04:05Z'), Date.parse('2020-02-01T00:00:00Z')],
    );
    assert.equal((await run([file])).snapshot, undefined);
    assert.equal((await store.items.listHistory(ref, OPERATOR)).length, 1);
  });

  it('keeps what a group may read from everybody else', async () => {
    const file = await writeWarc('a', [
      { url: HOME, at: '2020-01-01T00:00:00Z', html: page('Secret', 'hidden') },
      { url: `${HOME}x`, at: '2020-01-01T00:00:00Z', html: page('Error', 'hidden'), status: 500 },
    ]);
    await run([file], 'closed');
    const staff = { role: 'reader', groups: ['staff'] } as const;
    assert.deepEqual(await find('hidden'), []);
    assert.deepEqual(await find('hidden', staff), [HOME]);
    const query = { urlKey: 'org,example)/', match: 'prefix', limit: 10 } as const;
    assert.equal((await store.captures.list(query, ANONYMOUS)).length, 0);
    assert.equal((await store.captures.list(query, staff)).length, 2);
  });

  it('goes on where it was stopped, and ends with the same as without a stop', async () => {
    const pages = Array.from({ length: 450 }, (_, i) => ({
      url: `${HOME}${i}`,
      at: '2020-01-01T00:00:00Z',
      html: page(`Page ${i}`, `text${i}`),
    }));
    const file = await writeWarc('many', pages);
    const stop = new AbortController();
    const { archives } = await sortPaths([file]);
    const deps = { store, fields: formats.fieldSpecs(), dataFolder: join(folder, 'data') };
    const first = await importArchives(deps, 'web', archives, {
      signal: stop.signal,
      onProgress: () => stop.abort(),
    });
    assert.equal(first.status, 'interrupted');
    assert.ok(first.captures > 0 && first.captures < 450, String(first.captures));
    const second = await run([file]);
    assert.equal(second.status, 'complete');
    assert.equal(second.records, 450 - first.records);
    assert.equal(first.captures + second.captures, 450);
    assert.equal(first.counts.added + second.counts.added, 450);
    assert.deepEqual(await store.admin.verify(), []);
  });

  it('tells the offset of damage and takes in the rest', async () => {
    const file = await writeWarc('a', [
      { url: HOME, at: '2020-01-01T00:00:00Z', html: page('One', 'first') },
      { url: `${HOME}2`, at: '2020-01-01T00:00:00Z', html: page('Two', 'second') },
      { url: `${HOME}3`, at: '2020-01-01T00:00:00Z', html: page('Three', 'third') },
    ]);
    await run([file], 'other');
    const second = (await everything('other'))[1];
    const bytes = await readFile(file);
    bytes.fill(0xff, (second?.offset ?? 0) + 20, (second?.offset ?? 0) + 60);
    const broken = join(folder, 'in', 'broken.warc.gz');
    await writeFile(broken, bytes);
    const report = await run([broken]);
    assert.equal(report.status, 'incomplete');
    const problems = await store.runs.listProblems({ runId: report.runId, limit: 10 });
    assert.ok(
      problems.some(
        ({ code, where }) => code === 'archive.damaged' && where === `broken.warc.gz@${second?.offset}`,
      ),
      JSON.stringify(problems),
    );
    assert.deepEqual((await find('source:web')).sort(), [HOME, `${HOME}3`]);
  });

  it('a record that is too large to be held is read in part, and found again with its length', async () => {
    const large = page('Large', `beginning ${'x '.repeat(9 << 20)} ending`);
    const file = await writeWarc('a', [
      { url: HOME, at: '2020-01-01T00:00:00Z', html: large },
      { url: `${HOME}2`, at: '2020-01-01T00:00:00Z', html: page('Two', 'second') },
    ]);
    const report = await run([file]);
    assert.equal(report.counts.added, 2);
    assert.deepEqual(await find('beginning'), [HOME]);
    const [first, second] = await everything('web');
    assert.equal((first?.offset ?? 0) + (first?.length ?? 0), second?.offset);
  });

  it('takes in a WACZ as it takes in the WARC files in it', async () => {
    const file = await writeWarc('a', [
      { url: HOME, at: '2020-01-01T00:00:00Z', html: page('One', 'first') },
    ]);
    const wacz = join(folder, 'in', 'all.wacz');
    await writeWacz(wacz, { archives: [file], pages: [], software: 'test', createdAt: 0 });
    await run([wacz]);
    await run([file], 'other');
    const facts = async (source: string) =>
      (await everything(source)).map(({ url, at, digest, offset }) => ({ url, at, digest, offset }));
    assert.deepEqual(await facts('web'), await facts('other'));
    assert.equal((await facts('web')).length, 1);
    assert.deepEqual(await find('source:web first'), [HOME]);
  });

  it('a file that only looks like an archive is reported, the next one is read', async () => {
    const bad = join(folder, 'in', 'bad.warc');
    await writeFile(bad, `WARC/1.0\r\n${'x'.repeat(3000)}`);
    const good = await writeWarc('a', [
      { url: HOME, at: '2020-01-01T00:00:00Z', html: page('One', 'first') },
    ]);
    const report = await run([bad, good]);
    assert.equal(report.status, 'incomplete');
    assert.deepEqual(await find('first'), [HOME]);
  });

  it('an index without its records tells what was captured when', async () => {
    const file = join(folder, 'in', 'only.cdx');
    await writeFile(
      file,
      ' CDX N b a m s k r M S V g\norg,example)/ 20200101000000 http://example.org/ text/html 200 AAAA - - 100 0 far.warc.gz\n',
    );
    const report = await run([file]);
    assert.equal(report.captures, 1);
    assert.equal((await run([file])).captures, 0);
    assert.equal((await everything('web'))[0]?.file, 'far.warc.gz');
  });

  it('folders of wget, of HTTrack and of "save as" become captures of the URLs that they came from', async () => {
    const put = async (path: string, text: string) => {
      const full = join(folder, 'in', path);
      await mkdir(join(full, '..'), { recursive: true });
      await writeFile(full, text);
      await utimes(full, 1_600_000_000, 1_600_000_000);
    };
    await put('wget/www.example.org/index.html', '<html><title>Start</title><p>wgetpage');
    await put('wget/www.example.org/a/list.php?page=2', '<html><title>Two</title>');
    await put('httrack/hts-log.txt', 'HTTrack');
    await put(
      'httrack/www.example.com/x.html',
      '<html><!-- Mirrored from www.example.com/x.asp?id=3 by HTTrack Website Copier/3.x --><p>mirrorpage',
    );
    await put('httrack/www.example.com/i.gif', 'GIF89a');
    await put(
      'saved/Page.html',
      '<!-- saved from url=(0028)https://example.net/dir/page -->\n<html><p>savedpage',
    );
    await put('saved/Page_files/s t.css', 'body{}');
    const paths = ['wget', 'httrack', 'saved'].map((name) => join(folder, 'in', name));
    const report = await run(paths);
    assert.equal(report.status, 'complete');
    assert.deepEqual((await everything('web')).map(({ url }) => url).sort(), [
      'http://www.example.com/i.gif',
      'http://www.example.com/x.asp?id=3',
      'http://www.example.org/',
      'http://www.example.org/a/list.php?page=2',
      'https://example.net/dir/Page_files/s%20t.css',
      'https://example.net/dir/page',
    ]);
    assert.ok((await everything('web')).every(({ at }) => at === 1_600_000_000_000));
    assert.deepEqual(await find('wgetpage'), ['http://www.example.org/']);
    assert.deepEqual(await find('mirrorpage'), ['http://www.example.com/x.asp?id=3']);
    assert.deepEqual(await find('savedpage'), ['https://example.net/dir/page']);
    const again = await run(paths);
    assert.deepEqual([again.captures, again.entriesUnchanged], [0, 3]);
  });

  it('records of metadata stay with the importer of files', async () => {
    const xml = join(folder, 'in', 'xml');
    await mkdir(xml);
    await writeFile(join(xml, 'a.xml'), '<record/>');
    await writeFile(join(xml, 'a.json'), '{"a":1}');
    await writeFile(join(xml, 'a.xml.gz'), gzipSync('<record/>'));
    assert.deepEqual(await sortPaths([xml, join(xml, 'a.json')]), {
      archives: [],
      others: [xml, join(xml, 'a.json')],
    });
  });

  it('the ARC and the WARC file of one crawl give the same items and captures', { skip }, async () => {
    const name = `${samples}solrwayback/IAH-20080430204825-00000-blackbook`;
    const first = await run([`${name}.arc.gz`], 'web');
    const second = await run([`${name}.warc.gz`], 'other');
    assert.equal(first.counts.added, second.counts.added);
    const facts = async (source: string) =>
      (await everything(source))
        .map(({ url, at, status, mediaType }) => `${url} ${at} ${status} ${mediaType}`)
        .sort();
    assert.deepEqual(await facts('web'), await facts('other'));
    assert.equal((await facts('web')).length, 299);
    const items = async (source: string) => {
      const found = await store.search.search(
        { query: parseQuery('*:*', catalogue), sources: [source], limit: 1000 },
        OPERATOR,
      );
      return found.hits
        .filter(({ schema }) => schema === 'web_capture')
        .map(({ identifier, title }) => `${identifier} ${title}`)
        .sort();
    };
    assert.deepEqual(await items('web'), await items('other'));
    assert.ok((await items('web')).length > 150);
  });

  it('every sample archive is taken in', { skip }, async () => {
    const copy = join(folder, 'in', 'samples');
    await mkdir(copy);
    for (const part of ['iipc-dedup', 'iipc-primer', 'jwarc', 'outbackcdx', 'warcio', 'webarchive-commons'])
      for (const file of await readdir(samples + part))
        if (/arc/.test(file)) await copyFile(`${samples}${part}/${file}`, join(copy, `${part}-${file}`));
    const report = await run([copy]);
    assert.equal(report.status, 'incomplete');
    const again = await run([copy]);
    assert.deepEqual([again.counts.added, again.counts.updated, again.captures], [0, 0, 0]);
    assert.deepEqual(await store.admin.verify(), []);
  });
});
