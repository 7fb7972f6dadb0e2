/** Many deltas as one: for every changed document the newest, gathered by block. */
import { BLOCK_DOCS, type ColumnBlock, type ColumnKind, replacePlaces } from './column-block.ts';
import type { ColumnDelta } from './column-delta.ts';

type Row = readonly [delta: ColumnDelta, place: number];

interface ChangedBlock {
  /** By place in the block. */
  readonly rows: Map<number, Row>;
  /**
   * Every column that any of the deltas has, also of values that a later delta took away: a reader may
   * have seen them.
   */
  readonly columns: Map<number, ColumnKind>;
}

export class ColumnChanges {
  readonly #blocks = new Map<number, ChangedBlock>();

  /** Deltas must come in the order of their commits. */
  add(delta: ColumnDelta): void {
    const touched = new Set<ChangedBlock>();
    for (let i = 0; i < delta.keys.length; i++) {
      const key = delta.keys[i]!;
      const number = Math.floor(key / BLOCK_DOCS);
      let changed = this.#blocks.get(number);
      if (!changed) {
        changed = { rows: new Map(), columns: new Map() };
        this.#blocks.set(number, changed);
      }
      changed.rows.set(key % BLOCK_DOCS, [delta, i]);
      touched.add(changed);
    }
    for (const { columns } of touched) for (const [id, { kind }] of delta.columns) columns.set(id, kind);
  }

  blockNumbers(): IterableIterator<number> {
    return this.#blocks.keys();
  }

  /** The columns that the changes of one block concern, with their kinds. */
  columnsOf(number: number): Map<number, ColumnKind> {
    return new Map(this.#blocks.get(number)?.columns);
  }

  /** One column's block with the changes in it. */
  rebuild(columnId: number, kind: ColumnKind, number: number, old: ColumnBlock | undefined): ColumnBlock {
    const changes = new Map<number, { block: ColumnBlock | undefined; place: number }>();
    for (const [place, [delta, row]] of this.#blocks.get(number)?.rows ?? []) {
      changes.set(place, { block: delta.columns.get(columnId), place: row });
    }
    return replacePlaces(kind, old, changes);
  }
}
