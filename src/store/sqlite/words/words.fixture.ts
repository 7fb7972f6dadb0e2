/** For tests: a word index over an in-memory database, and the same documents in a table of FTS5. */

import { DatabaseSync } from 'node:sqlite';
import { WORD_GAP } from '../../../query/words.ts';
import type { WordQuery } from '../index/word-index.ts';
import { SCHEMA } from '../schema.ts';
import { PostingWords } from './posting-words.ts';
import { REST_COLUMN } from './postings.ts';
import { WordReader } from './word-reader.ts';
import { WordWriter } from './word-writer.ts';

/** Lines of words: two fields and the rest of the text. */
export type Lines = readonly [first: string, second: string, rest: string];

export const WEIGHTS: readonly number[] = Array.from({ length: REST_COLUMN + 1 }, (_, column) =>
  column === 0 ? 4 : column === 1 ? 2 : 1,
);
/** More than any key. */
export const SIZE = 4096;

export class WordsFixture {
  readonly db = new DatabaseSync(':memory:');
  writer: WordWriter;
  readonly reader: WordReader;
  readonly index: PostingWords;
  readonly documents = new Map<number, Lines>();

  constructor() {
    this.db.exec(SCHEMA);
    this.writer = new WordWriter(this.db);
    this.reader = new WordReader(this.db);
    this.index = new PostingWords(this.db, this.reader, { weights: WEIGHTS, size: () => SIZE });
  }

  /** As another process would go on. */
  takeOver(): void {
    this.writer = new WordWriter(this.db);
  }

  commit(put: ReadonlyMap<number, Lines>, removed: readonly number[] = []): void {
    this.db.exec('BEGIN');
    this.writer.put(
      sorted(put).map(([key, lines]) => ({ key, columns: columnsOf(lines) })),
      removed,
    );
    this.db.exec('COMMIT');
    for (const key of removed) this.documents.delete(key);
    for (const [key, lines] of put) this.documents.set(key, lines);
  }

  /** Put and undone. */
  rollBack(put: ReadonlyMap<number, Lines>, removed: readonly number[] = []): void {
    this.db.exec('BEGIN');
    this.writer.put(
      sorted(put).map(([key, lines]) => ({ key, columns: columnsOf(lines) })),
      removed,
    );
    this.db.exec('ROLLBACK');
    this.writer.reset();
  }

  /** Scores by key. */
  rank(query: WordQuery): Map<number, number> {
    this.reader.refresh();
    const scores = new Float32Array(SIZE);
    const keys = this.index.rank(query, scores, 1).keys();
    return new Map([...keys].map((key) => [key, scores[key]!]));
  }

  keys(query: WordQuery): number[] {
    this.reader.refresh();
    return [...this.index.docs(query).keys()];
  }

  /** What FTS5 says of the same documents; made anew, since its averages keep deleted rows. */
  createOracle(): (match: string) => Map<number, number> {
    this.db.exec(
      `DROP TABLE IF EXISTS oracle;
       CREATE VIRTUAL TABLE oracle USING fts5(c0, c1, rest, content='', tokenize="ascii tokenchars '${WORD_GAP}'")`,
    );
    const insert = this.db.prepare('INSERT INTO oracle (rowid, c0, c1, rest) VALUES (?, ?, ?, ?)');
    for (const [key, lines] of sorted(this.documents)) insert.run(key, ...lines);
    const ask = this.db.prepare(
      'SELECT rowid AS key, -bm25(oracle, 4.0, 2.0, 1.0) AS score FROM oracle WHERE oracle MATCH ?',
    );
    return (match) => new Map(ask.all(match).map((row) => [Number(row.key), Number(row.score)]));
  }

  /** Keys of documents that have the word somewhere, by looking. */
  keysWith(word: string): number[] {
    return sorted(this.documents)
      .filter(([, lines]) => lines.some((line) => line.split(' ').includes(word)))
      .map(([key]) => key);
  }

  countSegments(): number {
    return Number(this.db.prepare('SELECT count(*) AS n FROM word_segment').get()?.n);
  }

  close(): void {
    this.db.close();
  }
}

function columnsOf(lines: Lines): { column: number; line: string }[] {
  return lines
    .map((line, i) => ({ column: i === 2 ? REST_COLUMN : i, line }))
    .filter(({ line }) => line !== '');
}

function sorted(documents: ReadonlyMap<number, Lines>): [number, Lines][] {
  return [...documents].sort(([a], [b]) => a - b);
}
