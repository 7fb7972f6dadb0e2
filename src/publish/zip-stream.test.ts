import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type Entry,
  fromBufferPromise,
  fromRandomAccessReader,
  RandomAccessReader,
  type ZipFile as Unpacker,
} from 'yauzl';
import { writeZip, type ZipFile } from './zip-stream.ts';

const AT = Date.UTC(2026, 4, 6, 7, 8, 10);

async function pack(files: Iterable<ZipFile>, offset = 0): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of writeZip(files, { offset })) pieces.push(piece);
  return Buffer.concat(pieces);
}

async function unpack(zip: Unpacker): Promise<{ entry: Entry; bytes: Buffer }[]> {
  const found: { entry: Entry; bytes: Buffer }[] = [];
  for await (const entry of zip.eachEntry()) {
    const pieces: Buffer[] = [];
    for await (const piece of (await zip.openReadStreamPromise(entry)) as AsyncIterable<Buffer>)
      pieces.push(piece);
    found.push({ entry, bytes: Buffer.concat(pieces) });
  }
  return found;
}

test('whatever goes into a zip comes out of it', async () => {
  const files = fc.uniqueArray(
    fc.record({
      name: fc.stringMatching(/^[a-zé☂]{1,12}(\/[a-z0-9]{1,9}){0,2}$/),
      bytes: fc.oneof(
        fc.uint8Array({ maxLength: 300 }),
        fc.nat(5000).map((length) => new Uint8Array(length).fill(65)),
      ),
    }),
    { selector: ({ name }) => name, maxLength: 8 },
  );
  await fc.assert(
    fc.asyncProperty(files, async (wanted) => {
      const packed = await pack(wanted.map((file) => ({ ...file, modifiedAt: AT })));
      const found = await unpack(await fromBufferPromise(packed, { lazyEntries: true }));
      assert.deepEqual(
        found.map(({ entry, bytes }) => [entry.fileName, bytes.toString('hex')]),
        wanted.map(({ name, bytes }) => [name, Buffer.from(bytes).toString('hex')]),
      );
    }),
    { numRuns: 50 },
  );
});

test('what packs well is packed, what does not is stored, and the time is kept to two seconds', async () => {
  const found = await unpack(
    await fromBufferPromise(
      await pack([
        { name: 'plain.txt', bytes: Buffer.alloc(10_000, 'a'), modifiedAt: AT },
        { name: 'noise.bin', bytes: randomBytes(10_000), modifiedAt: 0 },
      ]),
      { lazyEntries: true },
    ),
  );
  assert.deepEqual(
    found.map(({ entry }) => [entry.compressionMethod, entry.compressedSize < 1000]),
    [
      [8, true],
      [0, false],
    ],
  );
  assert.equal(found[0]?.entry.getLastModDate({ timezone: 'UTC' }).getTime(), AT);
});

test('more files than sixteen bits can count are all found', async () => {
  const count = 70_000;
  const files = function* (): Generator<ZipFile> {
    for (let i = 0; i < count; i++) yield { name: `f${i}`, bytes: new Uint8Array(), modifiedAt: AT };
  };
  const zip = await fromBufferPromise(await pack(files()), { lazyEntries: true });
  assert.equal(zip.entryCount, count);
  let last = '';
  for await (const entry of zip.eachEntry()) last = entry.fileName;
  assert.equal(last, `f${count - 1}`);
});

/** As if so many bytes stood before the archive. */
class Behind extends RandomAccessReader {
  readonly #bytes: Buffer;
  readonly #offset: number;

  constructor(bytes: Buffer, offset: number) {
    super();
    this.#bytes = bytes;
    this.#offset = offset;
  }

  override _readStreamForRange(start: number, end: number): PassThrough {
    const stream = new PassThrough();
    const before = Buffer.alloc(Math.max(0, Math.min(end, this.#offset) - start));
    const wanted = this.#bytes.subarray(Math.max(0, start - this.#offset), Math.max(0, end - this.#offset));
    stream.end(Buffer.concat([before, wanted]));
    return stream;
  }
}

test('a file that starts behind four gigabytes is found and read', async () => {
  const offset = 5 * 2 ** 30;
  const packed = await pack(
    [
      { name: 'a', bytes: Buffer.from('first'), modifiedAt: AT },
      { name: 'b', bytes: Buffer.from('second'), modifiedAt: AT },
    ],
    offset,
  );
  const zip = await new Promise<Unpacker>((resolve, reject) => {
    fromRandomAccessReader(
      new Behind(packed, offset),
      offset + packed.length,
      { lazyEntries: true },
      (error, opened) => (opened ? resolve(opened) : reject(error)),
    );
  });
  const found = await unpack(zip);
  assert.deepEqual(
    found.map(({ entry, bytes }) => [entry.fileName, String(bytes)]),
    [
      ['a', 'first'],
      ['b', 'second'],
    ],
  );
});
