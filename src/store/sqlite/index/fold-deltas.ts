/** Folds the delta log into the stored blocks; runs in the writer's transaction. */
import type { DatabaseSync } from 'node:sqlite';
import { decodeBlock, encodeBlock } from './column-block.ts';
import { ColumnChanges } from './column-changes.ts';
import { decodeDeltas } from './column-delta.ts';
import { FOLDED_META } from './columns.ts';

export function foldDeltas(db: DatabaseSync): void {
  const changes = new ColumnChanges();
  let seq = 0;
  for (const row of db.prepare('SELECT seq, data FROM column_delta ORDER BY seq').iterate()) {
    for (const delta of decodeDeltas(row.data as Uint8Array)) changes.add(delta);
    seq = Number(row.seq);
  }
  if (seq === 0) return;

  // Ids of fields that were redefined since are gone from `field`; what deltas hold of them is dropped.
  const known = new Set(
    db
      .prepare('SELECT id FROM field')
      .all()
      .map((row) => Number(row.id)),
  );
  const listBlocks = db.prepare('SELECT field_id, data FROM column_block WHERE number = ?');
  const put = db.prepare('INSERT OR REPLACE INTO column_block (field_id, number, data) VALUES (?, ?, ?)');
  for (const number of changes.blockNumbers()) {
    const columns = changes.columnsOf(number);
    const stored = new Map(
      listBlocks.all(number).map((row) => [Number(row.field_id), decodeBlock(row.data as Uint8Array)]),
    );
    for (const [id, block] of stored) if (!columns.has(id)) columns.set(id, block.kind);
    for (const [id, kind] of columns) {
      if (id > 0 && !known.has(id)) continue;
      put.run(id, number, encodeBlock(changes.rebuild(id, kind, number, stored.get(id)), seq));
    }
  }
  db.prepare('DELETE FROM column_delta WHERE seq <= ?').run(seq);
  db.prepare('INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)').run(FOLDED_META, seq);
}
