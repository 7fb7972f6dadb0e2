/**
 * The writer's side of the `term` table: every indexed word with its stem and about how many documents
 * have it. Counts only bound the work of queries, so they are written when they have grown by an eighth,
 * not at every commit, and never shrink before `optimise` reads them afresh.
 *
 * Words are known by a hash of 63 bits in typed arrays: a Map of strings took a quarter of all indexing
 * time. At a million words the chance that any two share a hash is below 10⁻⁷; the later one could then
 * be found as it is, but not by stem or pattern.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { stemWord, WORD_GAP } from '../../../query/words.ts';

const SPACE = 0x20;
/** Words remembered before the memory is cleared. */
const MAX_KNOWN = 1 << 20;
/** Growth that is worth a write. */
const MIN_GROWTH = 32;

export class TermCounts {
  readonly #find: StatementSync;
  readonly #insert: StatementSync;
  readonly #update: StatementSync;
  readonly #grown = new Map<number, string>();
  #known = 0;
  /** Open addressing; a slot whose two hash halves are 0 is free. */
  #mask = 0;
  #high = new Int32Array(0);
  #low = new Int32Array(0);
  /** Count in the table, growth since, and the document last counted, so that each counts once. */
  #written = new Uint32Array(0);
  #pending = new Uint32Array(0);
  #lastKey = new Uint32Array(0);

  constructor(db: DatabaseSync) {
    this.#find = db.prepare('SELECT df FROM term WHERE word = ?');
    this.#insert = db.prepare('INSERT INTO term (word, stem, df) VALUES (?, ?, 0)');
    this.#update = db.prepare('UPDATE term SET df = df + ? WHERE word = ?');
    this.#clear();
  }

  countWords(key: number, line: string): void {
    const length = line.length;
    for (let start = 0; start < length; ) {
      let high = 0x9747b28c;
      let low = 0x3c6ef372;
      let end = start;
      for (; end < length; end++) {
        const code = line.charCodeAt(end);
        if (code === SPACE) break;
        high = Math.imul(high ^ code, 0x85ebca6b);
        high = (high << 13) | (high >>> 19);
        low = Math.imul(low ^ code, 0xc2b2ae35);
        low = (low << 17) | (low >>> 15);
      }
      if (end > start) this.#count(key, high ^ (high >>> 15), (low ^ (low >>> 13)) | 1, line, start, end);
      start = end + 1;
    }
  }

  #count(key: number, high: number, low: number, line: string, start: number, end: number): void {
    let slot = high & this.#mask;
    while (this.#low[slot] !== low || this.#high[slot] !== high) {
      if (this.#low[slot] === 0) {
        slot = this.#learn(slot, high, low, line.slice(start, end));
        break;
      }
      slot = (slot + 1) & this.#mask;
    }
    if (this.#lastKey[slot] === key) return;
    this.#lastKey[slot] = key;
    const pending = ++this.#pending[slot]!;
    const written = this.#written[slot]!;
    if (pending > written >> 3 && (written === 0 || pending > MIN_GROWTH) && !this.#grown.has(slot)) {
      this.#grown.set(slot, line.slice(start, end));
    }
  }

  flush(): void {
    for (const [slot, word] of this.#grown) {
      if (word === WORD_GAP) continue;
      this.#update.run(this.#pending[slot]!, word);
      this.#written[slot]! += this.#pending[slot]!;
      this.#pending[slot] = 0;
    }
    this.#grown.clear();
    if (this.#known > MAX_KNOWN) this.#clear();
  }

  /** After a rollback, or when the table was refreshed. */
  reset(): void {
    this.#grown.clear();
    this.#clear();
  }

  #learn(free: number, high: number, low: number, word: string): number {
    let slot = free;
    if (this.#known * 2 > this.#mask) {
      // `#grown` names slots, which growing moves.
      this.flush();
      this.#grow();
      slot = high & this.#mask;
      while (this.#low[slot] !== 0) slot = (slot + 1) & this.#mask;
    }
    this.#high[slot] = high;
    this.#low[slot] = low;
    this.#known++;
    if (word === WORD_GAP) return slot;
    const row = this.#find.get(word);
    if (row) this.#written[slot] = Number(row.df);
    else this.#insert.run(word, stemWord(word));
    return slot;
  }

  #clear(): void {
    this.#known = 0;
    this.#allocate(1 << 14);
  }

  #allocate(slots: number): void {
    this.#mask = slots - 1;
    this.#high = new Int32Array(slots);
    this.#low = new Int32Array(slots);
    this.#written = new Uint32Array(slots);
    this.#pending = new Uint32Array(slots);
    this.#lastKey = new Uint32Array(slots);
  }

  #grow(): void {
    const old = {
      high: this.#high,
      low: this.#low,
      written: this.#written,
      pending: this.#pending,
      lastKey: this.#lastKey,
    };
    this.#allocate(old.low.length * 2);
    for (let i = 0; i < old.low.length; i++) {
      if (old.low[i] === 0) continue;
      let slot = old.high[i]! & this.#mask;
      while (this.#low[slot] !== 0) slot = (slot + 1) & this.#mask;
      this.#high[slot] = old.high[i]!;
      this.#low[slot] = old.low[i]!;
      this.#written[slot] = old.written[i]!;
      this.#pending[slot] = old.pending[i]!;
      this.#lastKey[slot] = old.lastKey[i]!;
    }
  }
}
