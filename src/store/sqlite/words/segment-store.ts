/**
 * Segments in the database. A segment holds the words of the documents of some commits and never changes;
 * its bytes are three streams, cut into chunks that are rows of `word_chunk`:
 *
 * - dictionary: words in order, each with its number of documents and the sizes of its lists,
 * - postings: for each word its documents, by columns of words and how often (all that ranking needs),
 * - positions: for each posting the places of the word, which only phrases read.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { GarnerError } from '../../../core/errors.ts';

export const DICTIONARY = 0;
export const POSTINGS = 1;
export const POSITIONS = 2;
export type StreamKind = typeof DICTIONARY | typeof POSTINGS | typeof POSITIONS;

/** Of postings and positions; a chunk of a dictionary ends at a word. */
export const CHUNK_BYTES = 32 * 1024;
/** Chunks of one stream; key of a chunk: segment, stream and number in one integer below 2⁵³. */
const MAX_CHUNKS = 2 ** 19;
const STREAMS = 4;

/** A row of `word_segment` without its bytes. */
export interface SegmentRow {
  /** Never given twice. */
  readonly id: number;
  /** The generations it covers: a commit's segment has one, a merged one those of its inputs. */
  readonly first: number;
  readonly last: number;
  /** Documents count from here. */
  readonly base: number;
  /** Bytes of postings and positions. */
  readonly postings: number;
  readonly positions: number;
}

/** A merge that is under way: what it has written, and the word it goes on with. */
export interface MergeRow extends SegmentRow {
  readonly resume: Uint8Array;
}

const COLUMNS = 'id, first, last, base, postings, positions';

export class SegmentStore {
  readonly #list: StatementSync;
  readonly #merges: StatementSync;
  readonly #directory: StatementSync;
  readonly #docs: StatementSync;
  readonly #chunk: StatementSync;
  readonly #ids: StatementSync;
  readonly #put: StatementSync;
  readonly #putChunk: StatementSync;
  readonly #dropChunks: StatementSync;
  readonly #drop: StatementSync;
  readonly #addGarbage: StatementSync;
  readonly #garbage: StatementSync;
  readonly #forgetGarbage: StatementSync;

  constructor(db: DatabaseSync) {
    this.#list = db.prepare(`SELECT ${COLUMNS} FROM word_segment WHERE resume IS NULL ORDER BY first`);
    this.#merges = db.prepare(
      `SELECT ${COLUMNS}, resume FROM word_segment WHERE resume IS NOT NULL ORDER BY first DESC`,
    );
    this.#directory = db.prepare('SELECT directory FROM word_segment WHERE id = ?');
    this.#docs = db.prepare('SELECT docs FROM word_segment WHERE id = ?');
    this.#chunk = db.prepare('SELECT data FROM word_chunk WHERE key = ?');
    this.#ids = db.prepare(
      `SELECT max(coalesce(max(id), 0), (SELECT coalesce(max(segment_id), 0) FROM word_garbage)) AS id,
         coalesce(max(last), 0) AS generation FROM word_segment`,
    );
    this.#put = db.prepare(
      `INSERT OR REPLACE INTO word_segment (${COLUMNS}, resume, directory, docs) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#putChunk = db.prepare('INSERT OR REPLACE INTO word_chunk (key, data) VALUES (?, ?)');
    this.#dropChunks = db.prepare(
      `DELETE FROM word_chunk WHERE key IN (
         SELECT key FROM word_chunk WHERE key >= ? AND key < ? ORDER BY key LIMIT ?)`,
    );
    this.#drop = db.prepare('DELETE FROM word_segment WHERE id = ?');
    this.#addGarbage = db.prepare('INSERT INTO word_garbage (segment_id) VALUES (?)');
    this.#garbage = db.prepare('SELECT segment_id FROM word_garbage');
    this.#forgetGarbage = db.prepare('DELETE FROM word_garbage WHERE segment_id = ?');
  }

  /** Those that hold the index now, in the order of their generations. */
  list(): SegmentRow[] {
    return this.#list.all().map(readRow);
  }

  listMerges(): MergeRow[] {
    return this.#merges.all().map((row) => ({ ...readRow(row), resume: row.resume as Uint8Array }));
  }

  /**
   * Segments never vanish without one that has a higher id and the same last generation, except merges that were
   * given up: while their chunks are still to be deleted, their ids are taken.
   */
  nextIds(): { id: number; generation: number } {
    const row = this.#ids.get();
    return { id: Number(row?.id ?? 0) + 1, generation: Number(row?.generation ?? 0) + 1 };
  }

  directory(id: number): Uint8Array {
    return getBytes(this.#directory.get(id)?.directory, `directory of segment ${id}`);
  }

  docs(id: number): Uint8Array {
    return getBytes(this.#docs.get(id)?.docs, `documents of segment ${id}`);
  }

  chunk(id: number, stream: StreamKind, number: number): Uint8Array {
    return getBytes(
      this.#chunk.get(chunkKey(id, stream, number))?.data,
      `chunk ${number} of stream ${stream} of segment ${id}`,
    );
  }

  putChunk(id: number, stream: StreamKind, number: number, bytes: Uint8Array): void {
    this.#putChunk.run(chunkKey(id, stream, number), bytes);
  }

  put(row: SegmentRow, resume: Uint8Array | null, directory: Uint8Array, docs: Uint8Array): void {
    const { id, first, last, base, postings, positions } = row;
    this.#put.run(id, first, last, base, postings, positions, resume, directory, docs);
  }

  /** Its chunks go later, some at a time. */
  drop(id: number): void {
    this.#drop.run(id);
    this.#addGarbage.run(id);
  }

  /** Deletes up to so many chunks of dropped segments; true: there may be more. */
  sweep(chunks: number): boolean {
    let left = chunks;
    for (const { segment_id } of this.#garbage.all()) {
      const id = Number(segment_id);
      const { changes } = this.#dropChunks.run(
        chunkKey(id, DICTIONARY, 0),
        chunkKey(id + 1, DICTIONARY, 0),
        left,
      );
      left -= Number(changes);
      if (left <= 0) return true;
      this.#forgetGarbage.run(id);
    }
    return false;
  }
}

export function chunkKey(id: number, stream: StreamKind, number: number): number {
  if (number >= MAX_CHUNKS) throw new GarnerError('internal.bug', 'a segment of the word index is too large');
  return (id * STREAMS + stream) * MAX_CHUNKS + number;
}

function readRow(row: Record<string, unknown>): SegmentRow {
  return {
    id: Number(row.id),
    first: Number(row.first),
    last: Number(row.last),
    base: Number(row.base),
    postings: Number(row.postings),
    positions: Number(row.positions),
  };
}

function getBytes(value: unknown, what: string): Uint8Array {
  if (value instanceof Uint8Array) return value;
  throw new GarnerError('store.corrupt', `the word index is damaged: ${what} is missing`);
}
