import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, before, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { extract } from 'tar-stream';
import { surtKey } from '../../archive/index.ts';
import { ANONYMOUS, OPERATOR, type Viewer } from '../../core/access.ts';
import { hideItem, openTestArchive, SOURCE, type TestArchive, withinRun } from '../archive.fixture.ts';
import { readDidlPackage } from '../ingest/read-didl-package.ts';
import type { PackedEntry } from '../ingest/unpack-archive.ts';
import { createSiteModels } from '../site-model/site-models.ts';
import { readSnapshot } from '../snapshot/read-snapshot.ts';
import { modifySnapshot } from '../versions/modify-snapshot.ts';
import { findPackedDirectory } from './find-directory.ts';
import { snapshotDidl } from './snapshot-didl.ts';
import { writeDidlEvents } from './write-events.ts';

const SITE = 'http://isccp.example.org/';
const PAGE =
  '<title>Clouds</title><link rel="stylesheet" href="look.css"><img src="cloud.png"><img src="lost.png"><img src="/"><a href="more.html">more</a>';
const at = (path: string): string => SITE + path;

let archive: TestArchive;
let identifier: string;

before(async () => {
  archive = await openTestArchive();
  identifier = await archive.crawl('2026-11-15T03:00:00Z', [
    { url: SITE, body: PAGE },
    { url: at('look.css'), body: '@import "fonts.css"; p { background: url(sky.png) }', type: 'text/css' },
    { url: at('fonts.css'), body: 'p { color: blue }', type: 'text/css' },
    { url: at('sky.png'), body: 'sky', type: 'image/png' },
    { url: at('cloud.png'), body: 'first cloud', type: 'image/png' },
    { url: at('lost.png'), body: 'not here', type: 'text/html', status: 404 },
    { url: at('more.html'), body: '<title>More</title><img src="cloud.png">' },
    // In one folder the page's file would be in the way of its picture's.
    {
      url: at('both'),
      body: '<title>Both</title><img src="both/a.png"><img src="https://isccp.example.org/both/a.png">',
    },
    { url: at('both/a.png'), body: 'in the folder', type: 'image/png' },
    { url: 'https://isccp.example.org/both/a.png', body: 'secured', type: 'image/png' },
  ]);
});
after(() => archive[Symbol.asyncDispose]());

const deps = () => ({
  store: archive.store,
  dataFolder: archive.folder,
  models: createSiteModels({ store: archive.store, dataFolder: archive.folder }),
  repository: { baseUrl: 'https://data.example.org', identifier: 'data.example.org' },
  settings: { identifier: '{acronym}:{url}', maxValueBytes: 1e9, maxContainerBytes: 1e9 },
});

const snapshotOf = (version?: number, viewer: Viewer = OPERATOR) =>
  readSnapshot(archive.store, { source: SOURCE, identifier }, { version }, viewer);

async function bytesOf(chunks: AsyncIterable<string | Uint8Array>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const chunk of chunks) parts.push(Buffer.from(chunk as string));
  return Buffer.concat(parts);
}

async function filesIn(tarGz: Buffer): Promise<[name: string, text: string][]> {
  const files: [string, string][] = [];
  for await (const entry of Readable.from([gunzipSync(tarGz)]).pipe(extract()))
    files.push([entry.header.name, String(await bytesOf(entry as AsyncIterable<Uint8Array>))]);
  return files;
}

interface Written {
  readonly value: Buffer;
  readonly ref: URL;
  readonly listed: string[];
}

/** By URL, what the container has of it. */
async function write(viewer: Viewer = OPERATOR): Promise<Map<string, Written>> {
  const events = snapshotDidl(deps(), await snapshotOf(undefined, viewer), viewer);
  const text = String(await bytesOf(writeDidlEvents(events)));
  const written = new Map<string, Written>();
  for (const [component] of text.matchAll(/<didl:Component><didl:Descriptor>.*?<\/didl:Component>/g)) {
    const ref = new URL((/ ref="([^"]*)"/.exec(component)?.[1] ?? '').replaceAll('&amp;', '&'));
    written.set(ref.searchParams.get('url') ?? '', {
      value: Buffer.from(/encoding="base64">([^<]*)</.exec(component)?.[1] ?? '', 'base64'),
      ref,
      listed: [...component.matchAll(/<g:file url="([^"]*)"/g)].map(([, url = '']) => url),
    });
  }
  return written;
}

/** What the reference leads to. */
async function follow({ searchParams }: URL, viewer: Viewer = OPERATOR): Promise<Buffer> {
  const asked = { url: searchParams.get('url') ?? '', at: searchParams.get('at') ?? '' };
  const snapshot = await snapshotOf(Number(searchParams.get('version')), viewer);
  return bytesOf((await findPackedDirectory(deps(), snapshot, asked, viewer)).open());
}

test('the directory of a page holds the page and all that it is shown with, each file from its capture', async () => {
  const written = await write();
  const page = written.get(SITE);
  assert.ok(page);
  assert.deepEqual(await filesIn(page.value), [
    ['isccp.example.org/index.html', PAGE],
    ['isccp.example.org/look.css', '@import "fonts.css"; p { background: url(sky.png) }'],
    ['isccp.example.org/cloud.png', 'first cloud'],
    ['isccp.example.org/fonts.css', 'p { color: blue }'],
    ['isccp.example.org/sky.png', 'sky'],
  ]);
  assert.deepEqual(page.listed, ['', 'look.css', 'cloud.png', 'fonts.css', 'sky.png'].map(at));
  const style = await filesIn(written.get(at('look.css'))?.value ?? Buffer.alloc(0));
  assert.equal(style.length, 1, 'what is no page is there alone');
});

test('files that would be in the way of each other have names of their own', async () => {
  const [own, ...others] = await filesIn((await write()).get(at('both'))?.value ?? Buffer.alloc(0));
  assert.equal(own?.[0], 'isccp.example.org/both');
  assert.deepEqual(others.map(([, text]) => text).sort(), ['in the folder', 'secured']);
  assert.equal(new Set(others.map(([name]) => name)).size, 2);
  for (const [name] of others) assert.match(name, /^isccp\.example\.org\/a-[0-9a-f]{8}\.png$/);
});

test('by reference come the bytes that are there by value, also when the object has changed since', async () => {
  const before = await write();
  for (const { value, ref } of before.values()) assert.ok(value.equals(await follow(ref)), ref.href);
  const change = (what: Partial<Parameters<typeof modifySnapshot>[3]>) =>
    withinRun(archive.store, (runId) =>
      modifySnapshot(archive, { source: SOURCE, identifier }, runId, {
        type: 'recataloguing',
        agent: 'Ada',
        reason: 'test',
        ...what,
      }),
    );

  await change({ catalogued: { subject: ['clouds'] } });
  const recatalogued = await write();
  for (const [url, { ref }] of before) assert.equal(recatalogued.get(url)?.ref.href, ref.href);

  await archive.crawl(
    '2026-11-16T03:00:00Z',
    [{ url: at('cloud.png'), body: 'better cloud', type: 'image/png' }],
    { series: 'OTHER' },
  );
  const { captures } = archive.store;
  const better = await captures.list({ urlKey: surtKey(at('cloud.png')), limit: 10 }, OPERATOR);
  await change({ type: 'fix', captures: better.slice(-1) });
  const fixed = await write();
  const page = fixed.get(SITE);
  assert.ok(page);
  assert.match(String(await filesIn(page.value)), /better cloud/);
  assert.ok(page.value.equals(await follow(page.ref)));
  const old = before.get(SITE);
  assert.ok(old?.value.equals(await follow(old.ref)), 'older containers lead to what they hold');
});

test('read back, every file has its address and time again, also what is only beside a page', async () => {
  const scratch = await mkdtemp(join(tmpdir(), 'garner-directories-'));
  try {
    const unpacked = async (maxContainerBytes: number) => {
      const settings = { ...deps().settings, maxContainerBytes };
      const events = snapshotDidl({ ...deps(), settings }, await snapshotOf(1), OPERATOR);
      const path = join(scratch, `${maxContainerBytes}.didl.xml`);
      await writeFile(path, await bytesOf(writeDidlEvents(events)));
      const folder = await mkdtemp(join(scratch, 'files-'));
      const listPacked = async function* (packed: string): AsyncGenerator<PackedEntry> {
        for (const [name, text] of await filesIn(await readFile(packed)))
          yield { name, modifiedAt: 0, open: () => Readable.from([Buffer.from(text)]) };
      };
      const { files } = await readDidlPackage(path, { scratch: folder, listPacked, now: 0 });
      return Promise.all(
        files.map(async ({ url, at: when, headers, path: file }) => ({
          line: `${when} ${url} ${await readFile(file, 'utf8')}`,
          hasHeaders: headers !== undefined,
        })),
      );
    };
    const whole = await unpacked(1e9);
    assert.equal(whole.length, 10, 'each file once');
    assert.ok(whole.every(({ hasHeaders }) => hasHeaders));
    const first = await unpacked((await write()).get(SITE)?.value.length ?? 0);
    assert.deepEqual(
      first.map(({ hasHeaders }) => hasHeaders),
      [true, false, false, false, false],
      'of what is only beside a page no headers are told',
    );
    for (const { line } of first)
      assert.ok(
        whole.some((one) => one.line === line),
        line,
      );
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
});

test('what a reader may not see is not in his directories, nor what only that names', async () => {
  await hideItem(archive.store, { source: SOURCE, identifier: at('look.css') });
  const page = (await write(ANONYMOUS)).get(SITE);
  assert.ok(page);
  assert.deepEqual(page.listed, ['', 'cloud.png'].map(at));
  assert.ok(page.value.equals(await follow(page.ref, ANONYMOUS)));
});
