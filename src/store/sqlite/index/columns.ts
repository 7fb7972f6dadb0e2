/**
 * The doc-value columns of one reader, in memory. Every query brings them, inside its read transaction,
 * to the state that the transaction sees: other processes' commits arrive as deltas, or, when those were
 * folded meanwhile, as rewritten blocks.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import {
  BLOCK_DOCS,
  BLOCK_HEADER_BYTES,
  blockSeq,
  type ColumnBlock,
  type ColumnKind,
  decodeBlock,
} from './column-block.ts';
import { ColumnChanges } from './column-changes.ts';
import { decodeDeltas } from './column-delta.ts';

/** Columns that the store fills itself; those of fields have the field's id, from 1. */
export const SOURCE_COLUMN = -1;
export const SCHEMA_COLUMN = -2;
export const ACCESS_COLUMN = -3;
export const SET_COLUMN = -4;
export const VIEW_COLUMN = -5;
/** Milliseconds. */
export const UPDATED_COLUMN = -6;

/** Name in `meta` of the commit up to which deltas are folded into blocks. */
export const FOLDED_META = 'index_folded';

export interface Column {
  readonly kind: ColumnKind;
  readonly blocks: readonly (ColumnBlock | undefined)[];
}

interface LoadedColumn extends Column {
  readonly blocks: (ColumnBlock | undefined)[];
}

export class Columns {
  readonly #columns = new Map<number, LoadedColumn>();
  readonly #folded: StatementSync;
  readonly #all: StatementSync;
  readonly #headers: StatementSync;
  readonly #one: StatementSync;
  readonly #deltas: StatementSync;
  #loaded = false;
  #seq = 0;

  constructor(db: DatabaseSync) {
    this.#folded = db.prepare(`SELECT value FROM meta WHERE name = '${FOLDED_META}'`);
    this.#all = db.prepare('SELECT field_id, number, data FROM column_block');
    this.#headers = db.prepare(
      `SELECT field_id, number, substr(data, 1, ${BLOCK_HEADER_BYTES}) AS head FROM column_block`,
    );
    this.#one = db.prepare('SELECT data FROM column_block WHERE field_id = ? AND number = ?');
    this.#deltas = db.prepare('SELECT seq, data FROM column_delta WHERE seq > ? ORDER BY seq');
  }

  /** The commit whose state the columns show. */
  get seq(): number {
    return this.#seq;
  }

  /** All keys lie below this. */
  get size(): number {
    return (this.#columns.get(SOURCE_COLUMN)?.blocks.length ?? 0) * BLOCK_DOCS;
  }

  get(id: number): Column | undefined {
    return this.#columns.get(id);
  }

  /** True when something had changed. */
  refresh(): boolean {
    const folded = Number(this.#folded.get()?.value ?? 0);
    const before = this.#loaded ? this.#seq : -1;
    if (!this.#loaded) {
      for (const row of this.#all.iterate()) {
        this.#put(Number(row.field_id), Number(row.number), decodeBlock(row.data as Uint8Array));
      }
      this.#loaded = true;
      this.#seq = folded;
    } else if (folded > this.#seq) {
      this.#reloadFolded();
      this.#seq = folded;
    }
    this.#applyDeltas();
    return this.#seq !== before;
  }

  /** Drops everything: the next refresh loads anew. For a state that may be rolled back. */
  forget(): void {
    this.#columns.clear();
    this.#loaded = false;
    this.#seq = 0;
  }

  #reloadFolded(): void {
    for (const row of this.#headers.all()) {
      if (blockSeq(row.head as Uint8Array) <= this.#seq) continue;
      const fieldId = Number(row.field_id);
      const number = Number(row.number);
      const data = this.#one.get(fieldId, number)?.data;
      if (data instanceof Uint8Array) this.#put(fieldId, number, decodeBlock(data));
    }
  }

  #applyDeltas(): void {
    const changes = new ColumnChanges();
    for (const row of this.#deltas.iterate(this.#seq)) {
      for (const delta of decodeDeltas(row.data as Uint8Array)) changes.add(delta);
      this.#seq = Number(row.seq);
    }
    for (const number of changes.blockNumbers()) {
      const columns = changes.columnsOf(number);
      for (const [id, { kind, blocks }] of this.#columns) {
        if (blocks[number] && !columns.has(id)) columns.set(id, kind);
      }
      for (const [id, kind] of columns) {
        const old = this.#columns.get(id)?.blocks[number];
        this.#put(id, number, changes.rebuild(id, kind, number, old));
      }
    }
  }

  #put(id: number, number: number, block: ColumnBlock): void {
    let column = this.#columns.get(id);
    if (!column || column.kind !== block.kind) {
      column = { kind: block.kind, blocks: [] };
      this.#columns.set(id, column);
    }
    while (column.blocks.length < number) column.blocks.push(undefined);
    column.blocks[number] = block;
  }
}
