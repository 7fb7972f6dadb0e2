/** What a run that takes records in tells while it goes on and when it ends. */
import type { ErrorCode } from '../../core/errors.ts';
import type { ChangeCounts, RunStatus } from '../../store/index.ts';

export interface ImportProgress {
  /** Files or pages. */
  entriesSeen: number;
  bytesRead: number;
  /** Cut out of them, and of these committed. */
  records: number;
  committed: number;
  problems: number;
  /** Records in all, where the origin says so. */
  expected?: number;
}

export interface ImportReport extends Readonly<ImportProgress> {
  readonly runId: number;
  /** `failed`: a remote origin gave nothing at all. */
  readonly status: Exclude<RunStatus, 'running'>;
  /** Why it is not complete, and what to do. */
  readonly code?: ErrorCode;
  readonly message?: string;
  /** `unchanged` counts the records of unchanged files too. */
  readonly counts: ChangeCounts;
  /** Files that were as before, and files that are neither XML nor JSON. */
  readonly entriesUnchanged: number;
  readonly entriesSkipped: number;
  readonly seconds: number;
  readonly recordsPerSecond: number;
}
