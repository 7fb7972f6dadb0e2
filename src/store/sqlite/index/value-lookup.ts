/** Looks up dictionary values for queries, facets and suggestions; nothing but what is asked for is loaded. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Bound } from '../../../query/ast.ts';
import { foldValue } from '../../../query/words.ts';
import { AFTER_PREFIX, readArray } from './term-table.ts';

/** Ranks of all values of a field in the order of their folded text; `ranks[ordinal]`. */
interface ValueOrder {
  readonly last: number;
  readonly ranks: Uint32Array;
}

export class ValueLookup {
  readonly #one: StatementSync;
  readonly #texts: StatementSync;
  readonly #below: StatementSync;
  readonly #prefix: StatementSync;
  readonly #last: StatementSync;
  readonly #ordered: StatementSync;
  readonly #ranges = new Map<string, StatementSync>();
  readonly #orders = new Map<number, ValueOrder>();
  readonly #db: DatabaseSync;

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#one = db.prepare('SELECT ordinal FROM value WHERE field_id = ? AND folded = ?');
    this.#texts = db.prepare(
      'SELECT ordinal, text, folded FROM value WHERE field_id = ? AND ordinal IN (SELECT value FROM json_each(?))',
    );
    this.#below = db.prepare('SELECT count(*) AS values_below FROM value WHERE field_id = ? AND folded < ?');
    this.#prefix = db.prepare(
      `SELECT json_group_array(ordinal) AS ordinals, json_group_array(folded) AS texts FROM (
         SELECT ordinal, folded FROM value WHERE field_id = ? AND folded >= ? AND folded < ?)`,
    );
    this.#last = db.prepare('SELECT max(ordinal) AS last FROM value WHERE field_id = ?');
    this.#ordered = db.prepare(
      `SELECT json_group_array(ordinal) AS ordinals FROM (
         SELECT ordinal FROM value WHERE field_id = ? ORDER BY folded)`,
    );
  }

  findOrdinal(fieldId: number, text: string): number | undefined {
    const row = this.#one.get(fieldId, foldValue(text));
    return row && Number(row.ordinal);
  }

  lastOrdinal(fieldId: number): number {
    return Number(this.#last.get(fieldId)?.last ?? 0);
  }

  texts(fieldId: number, ordinals: readonly number[]): Map<number, { text: string; folded: string }> {
    return new Map(
      this.#texts
        .all(fieldId, JSON.stringify(ordinals))
        .map((row) => [Number(row.ordinal), { text: String(row.text), folded: String(row.folded) }]),
    );
  }

  /** Of values that begin with the (folded) prefix, those whose folded text passes. */
  listMatching(fieldId: number, prefix: string, test: (folded: string) => boolean): number[] {
    const row = this.#prefix.get(fieldId, prefix, prefix + AFTER_PREFIX);
    const ordinals = readArray<number>(row?.ordinals);
    const texts = readArray<string>(row?.texts);
    return ordinals.filter((_, i) => test(texts[i]!));
  }

  listInRange(fieldId: number, from: Bound | undefined, to: Bound | undefined): number[] {
    const low = from ? `AND folded ${from.inclusive ? '>=' : '>'} ?` : '';
    const high = to ? `AND folded ${to.inclusive ? '<=' : '<'} ?` : '';
    const sql = `SELECT json_group_array(ordinal) AS ordinals FROM value WHERE field_id = ? ${low} ${high}`;
    let statement = this.#ranges.get(sql);
    if (!statement) {
      statement = this.#db.prepare(sql);
      this.#ranges.set(sql, statement);
    }
    const bounds = [from, to].flatMap((bound) => (bound ? [foldValue(bound.value)] : []));
    return readArray<number>(statement.get(fieldId, ...bounds)?.ordinals);
  }

  /** Kept until the field gets a new value. */
  ranks(fieldId: number): Uint32Array {
    const last = this.lastOrdinal(fieldId);
    const known = this.#orders.get(fieldId);
    if (known?.last === last) return known.ranks;
    const ranks = new Uint32Array(last + 1);
    for (const [rank, ordinal] of readArray<number>(this.#ordered.get(fieldId)?.ordinals).entries())
      ranks[ordinal] = rank;
    this.#orders.set(fieldId, { last, ranks });
    return ranks;
  }

  /** The rank that this text has, or would have: values of a smaller rank come before it. */
  rankOf(fieldId: number, folded: string): number {
    return Number(this.#below.get(fieldId, folded)?.values_below ?? 0);
  }
}
