/**
 * Port: what an origin has and its source has not, since it could not be read or was refused. Remembered from run
 * to run until it comes, is deleted at the origin, or the operator accepts that it is missing.
 */
import type { Instant } from '../core/model.ts';

export interface RecordLoss {
  /** What is missing, as its harvester knows it again: an identifier, a place, a span of time. */
  readonly name: string;
  readonly code: string;
  readonly message: string;
  readonly where?: string;
  readonly line?: number;
  /** As its origin calls it, where it can be asked for by itself. */
  readonly identifier?: string;
  /** The date that it had in its list. */
  readonly at?: Instant;
}

/** For a commit: what is missing from one list of the source. Records and deletions of the batch no longer are. */
export interface LossNotes {
  /** A metadata prefix; empty where a source has one list only. */
  readonly list: string;
  readonly lost: readonly RecordLoss[];
  /** Names that are no longer missing, beside the identifiers of the batch. */
  readonly found?: readonly string[];
  /** Places (`where`) at which nothing is missing any more. */
  readonly wholePlaces?: readonly string[];
}

export interface KnownLoss extends RecordLoss {
  readonly id: number;
  readonly list: string;
  /** In which it was missed first, and last. */
  readonly firstRun: number;
  readonly lastRun: number;
  /** When the operator said that it may be missing. */
  readonly acceptedAt?: Instant;
}

export interface LossCount {
  readonly open: number;
  readonly accepted: number;
  /** Names of the first open ones. */
  readonly names: readonly string[];
  /** Of all, those of which nobody knows what their records are called. */
  readonly nameless: number;
}

export interface LossStore {
  /** In order of their ids. `due`: only open ones of that list that the run has not tried yet, the longest untried first. */
  listLosses(filter: {
    readonly source: string;
    readonly due?: { readonly runId: number; readonly list: string };
    readonly after?: number;
    readonly limit: number;
  }): Promise<readonly KnownLoss[]>;
  countLosses(source: string): Promise<LossCount>;
  /**
   * At the end of a run: forgets what is missing from lists that the source no longer has, and, when `whole`, what the
   * run did not miss again. `unaccepted`: of that only what nobody accepted, since the rest was not looked for.
   */
  settleLosses(
    source: string,
    runId: number,
    options: { readonly lists: readonly string[]; readonly whole: false | 'all' | 'unaccepted' },
  ): Promise<LossCount>;
  /** By name, or all that are open; gives how many. */
  acceptLosses(source: string, names: readonly string[] | 'all'): Promise<number>;
}
