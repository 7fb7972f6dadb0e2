import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { after, before, test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { extract } from 'tar-stream';
import { surtKey } from '../../archive/index.ts';
import { OPERATOR } from '../../core/access.ts';
import type { StoredCapture } from '../../store/index.ts';
import { openTestArchive, type TestArchive } from '../archive.fixture.ts';
import { packDirectory } from './pack-directory.ts';
import { createFilePacker } from './pack-file.ts';

const LARGE = randomBytes(3_000_000);
const SMALL = Buffer.from('cirrus');
const at = (path: string): string => `http://example.org/${path}`;

let archive: TestArchive;
before(async () => {
  archive = await openTestArchive();
  const coded = [['Content-Encoding', 'gzip']] as const;
  const long = `${'very-long-folder-name/'.repeat(9)}file.html`;
  await archive.crawl('2026-01-01T00:00:00Z', [
    { url: at('large'), body: LARGE, type: 'image/png' },
    { url: at('coded'), body: gzipSync(LARGE), headers: coded },
    { url: at('small'), body: SMALL },
    { url: at(''), body: SMALL },
    { url: at(long), body: SMALL },
    { url: at('..%2F..%2Fetc%2Fpasswd'), body: SMALL },
  ]);
});
after(() => archive[Symbol.asyncDispose]());

async function bytesOf(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return Buffer.concat(parts);
}

async function find(url: string): Promise<StoredCapture> {
  const [capture] = await archive.store.captures.list({ urlKey: surtKey(url), limit: 1 }, OPERATOR);
  assert.ok(capture, url);
  return capture;
}

async function pack(url: string) {
  const { captures } = archive.store;
  const capture = await find(url);
  return packDirectory(createFilePacker({ captures, dataFolder: archive.folder }, OPERATOR), [capture]);
}

for (const [path, content] of [
  ['large', LARGE],
  ['coded', LARGE],
  ['small', SMALL],
] as const)
  test(`the ${path} file is in the tar.gz without codings, and what is told of it is true each time`, async () => {
    const packed = await pack(at(path));
    const first = await bytesOf(packed.open());
    assert.ok(first.equals(await bytesOf(packed.open())));
    assert.ok(first.equals(await bytesOf((await pack(at(path))).open())), 'packed anew it is the same');
    assert.equal(packed.size, first.length);
    assert.equal(packed.sha256, createHash('sha256').update(first).digest('hex'));
    assert.equal(packed.files[0]?.sha256, createHash('sha256').update(content).digest('hex'));
    const files: [string, Buffer][] = [];
    for await (const entry of Readable.from([gunzipSync(first)]).pipe(extract()))
      files.push([entry.header.name, await bytesOf(entry as AsyncIterable<Uint8Array>)]);
    assert.deepEqual(
      files.map(([name]) => name),
      [packed.files[0]?.name],
    );
    assert.ok(files[0]?.[1].equals(content));
  });

test('names follow the URL, and never lead out of the folder', async () => {
  assert.equal((await pack(at(''))).files[0]?.name, 'example.org/index.html');
  const long = await pack(at(`${'very-long-folder-name/'.repeat(9)}file.html`));
  assert.match(long.files[0]?.name ?? '', /^example\.org\/very-long.*\/file\.html$/);
  const hostile = await pack(at('..%2F..%2Fetc%2Fpasswd'));
  assert.doesNotMatch(hostile.files[0]?.name ?? '../', /\.\.\//);
});

/** With a packer of so much room; tells how many records were read for it. */
async function packPages(urls: readonly string[], room?: number) {
  let read = 0;
  const files = {
    find: () => {
      read++;
      return undefined;
    },
    [Symbol.asyncDispose]: async () => undefined,
  };
  const access = { captures: archive.store.captures, dataFolder: archive.folder, files };
  const packFile = createFilePacker(access, OPERATOR, room);
  const shared = await find(at('small'));
  const packed: Buffer[] = [];
  for (const url of urls) {
    const directory = await packDirectory(packFile, [await find(url), shared]);
    packed.push(await bytesOf(directory.open()));
  }
  return { packed, read };
}

test('what several pages are shown with is read once, and what there is no room for again, to the same bytes', async () => {
  const urls = [at(''), at('..%2F..%2Fetc%2Fpasswd'), at('')];
  const kept = await packPages(urls);
  assert.equal(kept.read, 3);
  const anew = await packPages(urls, 0);
  assert.ok(anew.read > 6);
  assert.deepEqual(anew.packed, kept.packed);
});
