import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { BLOCK_BYTES, BlockReader, BlockWriter } from './blocks.ts';

function withBlocks(): { db: DatabaseSync; writer: BlockWriter; reader: BlockReader } {
  const db = new DatabaseSync(':memory:');
  db.exec('CREATE TABLE block (id INTEGER PRIMARY KEY, data BLOB NOT NULL)');
  let id = 0;
  return { db, writer: new BlockWriter(db, () => ++id), reader: new BlockReader(db) };
}

describe('blocks', () => {
  test('pieces of any sizes are read back from their places', () => {
    const size = fc.oneof(
      fc.integer({ min: 0, max: 3000 }),
      fc.integer({ min: BLOCK_BYTES - 2, max: BLOCK_BYTES + 2 }),
    );
    fc.assert(
      fc.property(fc.array(size, { maxLength: 60 }), (sizes) => {
        const { writer, reader } = withBlocks();
        const pieces = sizes.map((length, n) => Uint8Array.from({ length }, (_, i) => (i * 31 + n) % 256));
        const places = pieces.map((piece) => writer.append(piece));
        writer.flush();
        for (const [n, piece] of pieces.entries()) {
          const { block, start } = places[n] ?? { block: 0, start: 0 };
          assert.deepEqual(Uint8Array.from(reader.read(block, start, piece.length)), piece);
        }
      }),
      { numRuns: 30 },
    );
  });

  test('no block holds more than 32 KB unless a single piece is larger', () => {
    const { db, writer, reader } = withBlocks();
    for (let i = 0; i < 50; i++) writer.append(new Uint8Array(3000));
    const large = writer.append(new Uint8Array(100_000));
    writer.flush();
    for (const { id } of db.prepare('SELECT id FROM block').all()) {
      const { length } = reader.readBlock(Number(id));
      assert.ok(length <= BLOCK_BYTES || id === large.block, `block ${String(id)} has ${length}`);
    }
  });

  test('a block that is missing, broken or too short is reported as damage', () => {
    const { db, writer, reader } = withBlocks();
    const { block } = writer.append(new Uint8Array(10));
    writer.flush();
    assert.throws(() => reader.read(block, 5, 6), { code: 'store.corrupt' });
    assert.throws(() => reader.read(99, 0, 1), { code: 'store.corrupt' });
    db.exec(`INSERT INTO block VALUES (50, x'0102')`);
    assert.throws(() => reader.read(50, 0, 1), { code: 'store.corrupt' });
  });

  test('what a rollback took back is neither written nor remembered', () => {
    const { db, writer, reader } = withBlocks();
    db.exec('BEGIN');
    const lost = writer.append(Buffer.from('lost'));
    writer.flush();
    assert.equal(Buffer.from(reader.read(lost.block, 0, 4)).toString(), 'lost');
    writer.append(Buffer.from('staged'));
    db.exec('ROLLBACK');
    writer.reset();
    reader.reset();
    assert.throws(() => reader.read(lost.block, 0, 4), { code: 'store.corrupt' });
    const kept = writer.append(Buffer.from('kept'));
    assert.equal(kept.start, 0);
  });
});
