/** The seam between the item store and the index: what a commit tells the index, in the same transaction. */
import type { Fields, Instant } from '../../core/model.ts';

export interface WordChange {
  /** item.key */
  readonly key: number;
  /** Absent when the words stay as they are (only access, sets, views or the datestamp changed). */
  readonly words?: Readonly<Record<string, string>>;
}

export interface DocChange extends WordChange {
  readonly sourceId: number;
  readonly formatId: number;
  readonly accessId: number;
  readonly setIds: readonly number[];
  readonly viewIds: readonly number[];
  readonly updatedAt: Instant;
  readonly title: string | undefined;
  readonly fields: Fields;
}

/** Runs on the writer's connection, inside its transaction. */
export interface IndexWriter {
  apply(seq: number, changes: readonly DocChange[], removedKeys: readonly number[]): void;
  /** Words of documents that are in the index already but for their words. */
  restoreWords(documents: readonly WordChange[]): void;
  /** After a rollback: forget cached dictionary entries and words of the lost transaction. */
  reset(): void;
  /** Folds deltas into blocks, merges the words into one segment, counts them exactly. */
  optimise(): void;
}
