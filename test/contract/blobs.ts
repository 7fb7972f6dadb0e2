/** What every store of blobs must do. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { BlobInfo, BlobStore } from '../../src/store/index.ts';

const digestOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

async function* chunks(...parts: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* parts;
}

async function collect(bytes: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of bytes) parts.push(part);
  return Buffer.concat(parts);
}

async function listAll(blobs: BlobStore): Promise<BlobInfo[]> {
  const all: BlobInfo[] = [];
  for await (const blob of blobs.list()) all.push(blob);
  return all;
}

export function blobStoreContract(
  name: string,
  withStore: (body: (blobs: BlobStore) => Promise<void>) => Promise<void>,
): void {
  describe(`${name}: blobs`, () => {
    test('bytes come back as they went in, named by their digest', () =>
      withStore(async (blobs) => {
        await fc.assert(
          fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 5 }), async (parts) => {
            const whole = Buffer.concat(parts);
            const info = await blobs.put(chunks(...parts));
            assert.deepEqual(info, { digest: digestOf(whole), size: whole.length });
            assert.deepEqual(await blobs.find(info.digest), info);
            assert.deepEqual(await collect(blobs.read(info.digest)), whole);
          }),
          { numRuns: 20 },
        );
      }));

    test('a range is the slice of the whole, however it lies', () =>
      withStore(async (blobs) => {
        const whole = Buffer.from('0123456789');
        const { digest } = await blobs.put(chunks(whole));
        for (const [start, end] of [
          [0, 10],
          [2, 5],
          [9, 10],
          [3, 3],
          [5, 99],
          [10, 20],
          [50, 60],
        ] as const) {
          assert.equal(
            (await collect(blobs.read(digest, { start, end }))).toString(),
            whole.subarray(start, end).toString(),
          );
        }
      }));

    test('the same bytes twice are one blob, also when both come at once', () =>
      withStore(async (blobs) => {
        const same = () => blobs.put(chunks(Buffer.from('same')));
        const [a, b] = await Promise.all([same(), same()]);
        assert.deepEqual(a, b);
        assert.deepEqual(await same(), a);
        assert.deepEqual(await listAll(blobs), [a]);
      }));

    test('a blob whose bytes break off is not there at all', () =>
      withStore(async (blobs) => {
        const broken = async function* () {
          yield Buffer.from('half');
          throw new RangeError('line cut');
        };
        await assert.rejects(blobs.put(broken()), /line cut/);
        assert.equal(await blobs.find(digestOf(Buffer.from('half'))), undefined);
        assert.deepEqual(await listAll(blobs), []);
      }));

    test('a deleted blob is gone; deleting what is not there is no error; reading it is', () =>
      withStore(async (blobs) => {
        const kept = await blobs.put(chunks(Buffer.from('kept')));
        const { digest } = await blobs.put(chunks(Buffer.from('gone')));
        await blobs.delete(digest);
        await blobs.delete(digest);
        assert.equal(await blobs.find(digest), undefined);
        await assert.rejects(collect(blobs.read(digest)), { code: 'blob.unknown' });
        assert.deepEqual(await listAll(blobs), [kept]);
      }));

    test('a name that is no digest finds nothing', () =>
      withStore(async (blobs) => {
        for (const name of ['', '..', '../../etc/passwd', 'A'.repeat(64), `${'a'.repeat(63)}/`]) {
          assert.equal(await blobs.find(name), undefined);
          await assert.rejects(collect(blobs.read(name)), { code: 'blob.unknown' });
          await blobs.delete(name);
        }
      }));
  });
}
