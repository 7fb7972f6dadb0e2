import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import { GarnerError } from '../../core/errors.ts';
import { readRecordAt } from '../read/read-record-at.ts';
import { readAll, temporaryFolder } from '../samples.fixture.ts';
import { responseRecord, writeHttpHead } from '../write/record-draft.ts';
import { openWarcWriter } from '../write/warc-writer.ts';
import { openWacz } from './read-wacz.ts';
import { writeWacz } from './write-wacz.ts';
import { createZip } from './zip-writer.ts';

const AT = Date.UTC(2026, 1, 3, 4, 5, 6);
const HEAD = writeHttpHead('HTTP/1.1 200 OK', [['Content-Type', 'text/html']]);

async function writeSample(folder: string): Promise<string> {
  const writer = await openWarcWriter({ folder, prefix: 'sample', clock: () => AT, info: [] });
  const places = [];
  for (let i = 0; i < 10; i++) {
    const context = { targetUri: `http://example.org/${i}`, at: AT + i * 1000 };
    places.push(
      ...(await writer.append(responseRecord(context, { head: HEAD, body: Buffer.from(`page ${i}`) }))),
    );
  }
  await writer.close();
  const path = join(folder, 'sample.wacz');
  await writeWacz(path, {
    archives: [join(folder, places[0]?.file ?? '')],
    pages: [{ url: 'http://example.org/0', at: AT, title: 'Page ünf' }],
    title: 'A sample',
    software: 'test',
    createdAt: AT,
  });
  return path;
}

const gather = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
};
const ignore = (): void => undefined;

test('a written WACZ is read back: description, pages, index, and every record by its index', async (t) => {
  const path = await writeSample(await temporaryFolder(t));
  const wacz = await openWacz(path);
  t.after(() => wacz.close());
  assert.equal((await wacz.description()).title, 'A sample');
  assert.deepEqual(await gather(wacz.pages()), [{ url: 'http://example.org/0', at: AT, title: 'Page ünf' }]);
  assert.deepEqual(await gather(wacz.verify()), []);
  const captures = await gather(wacz.captures(ignore));
  assert.equal(captures.length, 10);
  const [name = ''] = wacz.archiveNames;
  const source = await wacz.open(name);
  assert.equal((await readAll(source)).records.length, 11);
  for (const { url, offset = -1 } of captures)
    assert.equal((await readRecordAt(source, offset)).targetUri, url);
});

test('other tools unpack it', {
  skip: spawnSync('python3', ['-V']).status === 0 ? false : 'there is no Python',
}, async (t) => {
  const path = await writeSample(await temporaryFolder(t));
  const list = execFileSync(
    'python3',
    [
      '-c',
      `import sys,zipfile; z=zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; print(*z.namelist())`,
      path,
    ],
    { encoding: 'utf8' },
  );
  assert.match(list, /datapackage\.json/);
});

test('a changed byte is found by the digests of the description', async (t) => {
  const path = await writeSample(await temporaryFolder(t));
  const bytes = readFileSync(path);
  const at = bytes.indexOf('json-pages-1.0');
  bytes[at] = 0x4a;
  writeFileSync(path, bytes);
  const wacz = await openWacz(path);
  t.after(() => wacz.close());
  assert.deepEqual(await gather(wacz.verify()), [{ path: 'pages/pages.jsonl', problem: 'another digest' }]);
});

test('a zip that is no WACZ, and a file that is no zip, are refused', async (t) => {
  const folder = await temporaryFolder(t);
  const zip = await createZip(join(folder, 'x.zip'), AT);
  await zip.add('readme.txt', Buffer.from('hello'));
  await zip.finish();
  writeFileSync(join(folder, 'y.wacz'), 'not a zip');
  for (const name of ['x.zip', 'y.wacz']) {
    await assert.rejects(
      openWacz(join(folder, name)),
      (error) => error instanceof GarnerError && error.code === 'archive.format',
    );
  }
  await assert.rejects(readAll(join(folder, 'x.zip')), /zip file/);
});

test('a zip entry beyond 4 GB is announced in zip64 fields', async (t) => {
  const folder = await temporaryFolder(t);
  const path = join(folder, 'large.zip');
  const zip = await createZip(path, AT);
  // The size that was announced decides on the form, not the bytes that come.
  await zip.add('archive/a.warc', Buffer.from('WARC/1.1\r\nContent-Length: 0\r\n\r\n\r\n\r\n'), 5e9);
  await zip.finish();
  const wacz = await openWacz(path);
  t.after(() => wacz.close());
  assert.equal((await readAll(await wacz.open('archive/a.warc'))).records.length, 1);
});

test('a WARC that was deflated inside the zip is read all the same', async (t) => {
  const folder = await temporaryFolder(t);
  const path = join(folder, 'deflated.wacz');
  const warc = Buffer.from('WARC/1.1\r\nWARC-Type: resource\r\nContent-Length: 5\r\n\r\nhello\r\n\r\n');
  writeFileSync(path, deflatedZip('archive/a.warc', warc));
  const wacz = await openWacz(path);
  t.after(() => wacz.close());
  assert.equal((await readAll(await wacz.open('archive/a.warc'))).blocks[0]?.toString(), 'hello');
});

/** The smallest zip with one deflated entry. */
function deflatedZip(name: string, bytes: Buffer): Buffer {
  const packed = deflateRawSync(bytes);
  const sizes = Buffer.alloc(12);
  sizes.writeUInt32LE(crc(bytes), 0);
  sizes.writeUInt32LE(packed.length, 4);
  sizes.writeUInt32LE(bytes.length, 8);
  const common = Buffer.concat([Buffer.from([20, 0, 0, 0, 8, 0, 0, 0, 0x21, 0x5a]), sizes]);
  const lengths = Buffer.from([name.length, 0, 0, 0]);
  const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), common, lengths, Buffer.from(name), packed]);
  const central = Buffer.concat([
    Buffer.from('PK\u0001\u0002'),
    Buffer.from([20, 0]),
    common,
    lengths,
    Buffer.alloc(14),
    Buffer.from(name),
  ]);
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006', 0, 'latin1');
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(local.length, 16);
  return Buffer.concat([local, central, end]);
}

function crc(bytes: Buffer): number {
  let value = 0xffffffff;
  for (const byte of bytes) {
    value ^= byte;
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  }
  return (value ^ 0xffffffff) >>> 0;
}
