/** What an import tells while it runs and when it ends. */
import type { ErrorCode } from '../../core/errors.ts';
import type { ChangeCounts, RunStatus } from '../../store/index.ts';

export interface ImportProgress {
  entriesSeen: number;
  bytesRead: number;
  /** Cut out of files, and of these committed. */
  records: number;
  committed: number;
  problems: number;
}

export interface ImportReport extends Readonly<ImportProgress> {
  readonly runId: number;
  readonly status: Exclude<RunStatus, 'running' | 'failed'>;
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
