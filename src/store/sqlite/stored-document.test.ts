import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FIELDS, makeRecord } from '../../../test/contract/store-fixture.ts';
import type { BlockReader } from './blocks.ts';
import { documentWriter, readDocument } from './stored-document.ts';

const { document } = makeRecord('a', 'Sea ice', { keyword: ['ice cover', 'Säule'], abstract: 'not shown' });

/** A block that has these bytes and nothing else. */
function readFrom(bytes: Uint8Array, docSize: number) {
  const blocks: Pick<BlockReader, 'read'> = {
    read: (_, start, size) => bytes.subarray(start, start + size),
  };
  const place = { doc_block: 1, doc_start: 0, doc_size: docSize, rest_size: bytes.length - docSize };
  return readDocument(blocks, place, FIELDS);
}

test('a document comes back as it was written', () => {
  const { bytes, docSize } = documentWriter(FIELDS)(document);
  assert.deepEqual(readFrom(bytes, docSize), document);
});

test('values that an older store kept apart by another sign are apart', () => {
  const { bytes, docSize } = documentWriter(FIELDS)(document);
  const older = Buffer.from(bytes).toString().replaceAll('\x7f', '\uE000');
  assert.match(older, /ice cover \uE000 saule/);
  assert.deepEqual(readFrom(Buffer.from(older), docSize), document);
});
