/** Port: runs (one execution of an import, harvest, crawl …), their leases, checkpoints and problems. */
import type { Instant, RecordProblem } from '../core/model.ts';
import type { ChangeCounts } from './items.ts';
import type { LossStore } from './losses.ts';

/** `incomplete`: done, but something could not be got; `interrupted`: its process ended; resumable. */
export type RunStatus = 'running' | 'complete' | 'incomplete' | 'failed' | 'interrupted';

/**
 * The kind of a run that extracts a whole source again. When one ends as `complete`, all records of its
 * source count as extracted with the definitions that its process has.
 */
export const REINDEX_RUN = 'reindex';

export interface RunInfo {
  readonly id: number;
  readonly source: string;
  readonly kind: string;
  readonly status: RunStatus;
  readonly startedAt: Instant;
  readonly endedAt?: Instant;
  readonly counts: ChangeCounts;
  readonly problems: number;
  /** Records that came slightly broken and were mended. */
  readonly repaired: number;
  /** How many records the origin says it has; only while the run goes on. */
  readonly expected?: number;
  readonly message?: string;
  /** `pid@host`, who runs or ran it. */
  readonly holder: string;
}

export interface RunStart {
  /**
   * Goes on with the newest run of the kind if it has a checkpoint: when it was interrupted, or, with
   * `unfinished`, also when it failed or ended incomplete. A checkpoint `null` has nothing to go on with.
   */
  readonly resume?: boolean | 'unfinished';
}

export interface StartedRun {
  readonly id: number;
  /** The checkpoint of the interrupted run that this one goes on with. */
  readonly checkpoint?: unknown;
}

export interface ListedProblem extends RecordProblem {
  /** For `after`. */
  readonly id: number;
  readonly runId: number;
  readonly at: Instant;
}

/** One kind of complaint, and how many items have it. */
export interface ProblemCount {
  readonly code: string;
  /** Of one of them. */
  readonly message: string;
  readonly items: number;
  /** An item that has it. */
  readonly identifier?: string;
}

/** How often a run met a kind of problem; most frequent first. */
export interface RunProblemCount {
  readonly code: string;
  readonly count: number;
}

export interface ProblemCounts {
  /** Of live records, as their newest version came in; most frequent first. */
  readonly current: readonly ProblemCount[];
  /** Of the newest run that took records in: what was kept out. */
  readonly keptOut: readonly ProblemCount[];
}

export interface RunStore extends LossStore {
  /**
   * Takes the source's lease, or throws `store.leased` naming the holder. A lease whose process is gone
   * (same host) or whose heartbeat is stale is taken over and its run marked `interrupted`.
   */
  startRun(source: string, kind: string, options?: RunStart): Promise<StartedRun>;
  heartbeat(runId: number): Promise<void>;
  /** `unchanged`: in all, where the run did not look at each of them. */
  finishRun(
    runId: number,
    status: Exclude<RunStatus, 'running'>,
    message?: string,
    unchanged?: number,
  ): Promise<void>;
  /**
   * Forgets runs that ended before that instant, and their problems; the newest of each kind of a source
   * stays. Versions that they made stay as well. Gives the numbers of up to `limit` forgotten runs.
   */
  pruneRuns(endedBefore: Instant, limit: number): Promise<readonly number[]>;
  /** What is wrong with the source's records as they are now, and with what the last run could not take in. */
  countProblems(source: string): Promise<ProblemCounts>;
  countProblemsOfRun(runId: number): Promise<readonly RunProblemCount[]>;
  findRun(runId: number): Promise<RunInfo | undefined>;
  listRuns(options: { source?: string; before?: number; limit: number }): Promise<readonly RunInfo[]>;
  listProblems(filter: {
    runId?: number;
    code?: string;
    identifier?: string;
    where?: string;
    after?: number;
    limit: number;
  }): Promise<readonly ListedProblem[]>;
}
