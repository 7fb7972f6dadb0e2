import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { type ByteSource, bytesInMemory } from '../bytes/byte-source.ts';
import { temporaryFolder, warcRecord } from '../samples.fixture.ts';
import { readRecordAt } from './read-record-at.ts';

const records = ['first', 'second, which is longer', 'third'].map((text) => warcRecord(text));

function watched(bytes: Buffer): ByteSource & { largest: number } {
  const source = bytesInMemory(bytes);
  return {
    ...source,
    largest: 0,
    read(position, length) {
      this.largest = Math.max(this.largest, length);
      return source.read(position, length);
    },
  };
}

for (const [what, parts] of [
  ['packed', records.map((record) => gzipSync(record))],
  ['unpacked', records],
] as const)
  test(`a record of a known length is read without what lies behind it, ${what}`, async () => {
    const padding = Buffer.alloc(100_000);
    const source = watched(Buffer.concat([...parts, padding]));
    const offset = parts[0]?.length ?? 0;
    const length = parts[1]?.length ?? 0;
    const record = await readRecordAt(source, offset, { length });
    assert.equal((await record.block()).toString(), 'second, which is longer');
    assert.equal(record.stored.offset, offset);
    assert.ok(source.largest <= length, `${source.largest} bytes were asked for at once`);
  });

test('an index that tells a wrong length does no harm', async (t) => {
  const folder = await temporaryFolder(t);
  const packed = records.map((record) => gzipSync(record));
  const path = join(folder, 'a.warc.gz');
  await writeFile(path, Buffer.concat(packed));
  const offset = packed[0]?.length ?? 0;
  for (const length of [0, 1, 20, (packed[1]?.length ?? 0) - 1, 10_000]) {
    const record = await readRecordAt(path, offset, { length });
    assert.equal((await record.block()).toString(), 'second, which is longer', `length ${length}`);
    await record.close();
  }
  await assert.rejects(readRecordAt(path, offset + 1, { length: 50 }), { code: 'archive.record' });
});
