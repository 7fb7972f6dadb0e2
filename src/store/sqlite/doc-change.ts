/** The seam between the item store and the index: what a commit tells the index, in the same transaction. */
import type { Fields, Instant } from '../../core/model.ts';

export interface DocChange {
  /** item.key */
  readonly key: number;
  readonly sourceId: number;
  readonly formatId: number;
  readonly accessId: number;
  readonly setIds: readonly number[];
  readonly viewIds: readonly number[];
  readonly updatedAt: Instant;
  readonly title: string | undefined;
  readonly fields: Fields;
  /** Absent when the words stay as they are (only access, sets, views or the datestamp changed). */
  readonly words?: Readonly<Record<string, string>>;
}

/** Runs on the writer's connection, inside its transaction. */
export interface IndexWriter {
  /** `known`: keys in `changes` that the index already holds. */
  apply(seq: number, changes: readonly DocChange[], removedKeys: readonly number[]): void;
  /** After a rollback: forget cached dictionary entries and term counts of the lost transaction. */
  reset(): void;
  /** Folds deltas into blocks, refreshes term counts, merges FTS segments. */
  optimise(): void;
}
