/** Many deltas as one: for every changed document the newest, gathered by block. */
import { BLOCK_DOCS, type ColumnBlock, type ColumnKind, replacePlaces } from './column-block.ts';
import type { ColumnDelta } from './column-delta.ts';

type Row = readonly [delta: ColumnDelta, place: number];

export class ColumnChanges {
  /** By block number, then by place in the block. */
  readonly #rows = new Map<number, Map<number, Row>>();

  /** Deltas must come in the order of their commits. */
  add(delta: ColumnDelta): void {
    for (let i = 0; i < delta.keys.length; i++) {
      const key = delta.keys[i]!;
      const number = Math.floor(key / BLOCK_DOCS);
      let rows = this.#rows.get(number);
      if (!rows) {
        rows = new Map();
        this.#rows.set(number, rows);
      }
      rows.set(key % BLOCK_DOCS, [delta, i]);
    }
  }

  blockNumbers(): IterableIterator<number> {
    return this.#rows.keys();
  }

  /** The columns that have values in the changes of one block, with their kinds. */
  columnsOf(number: number): Map<number, ColumnKind> {
    const found = new Map<number, ColumnKind>();
    for (const delta of new Set([...(this.#rows.get(number)?.values() ?? [])].map(([delta]) => delta))) {
      for (const [id, block] of delta.columns) found.set(id, block.kind);
    }
    return found;
  }

  /** One column's block with the changes in it. */
  rebuild(columnId: number, kind: ColumnKind, number: number, old: ColumnBlock | undefined): ColumnBlock {
    const changes = new Map<number, { block: ColumnBlock | undefined; place: number }>();
    for (const [place, [delta, row]] of this.#rows.get(number) ?? []) {
      changes.set(place, { block: delta.columns.get(columnId), place: row });
    }
    return replacePlaces(kind, old, changes);
  }
}
