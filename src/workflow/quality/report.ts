/** What a quality report says of one source. */
import type { Instant, ItemRef } from '../../core/model.ts';
import type { ChangeCounts, RunStatus } from '../../store/index.ts';
import type { DuplicateKind } from './duplicate-keys.ts';
import type { ProblemRule } from './problem-rules.ts';

export interface FieldCoverage {
  readonly name: string;
  readonly label: string;
  /** Items that have a value. */
  readonly present: number;
}

export interface DuplicateGroup {
  readonly kind: DuplicateKind;
  /** What they share. */
  readonly key: string;
  /** In all; `members` are the first of them. */
  readonly size: number;
  readonly members: readonly (ItemRef & { readonly title?: string })[];
}

export interface DuplicateCount {
  readonly kind: DuplicateKind;
  /** Groups with at least one item of the source, and how many of them reach into other sources. */
  readonly groups: number;
  readonly acrossSources: number;
}

export interface TrendPoint {
  readonly runId: number;
  readonly kind: string;
  readonly status: RunStatus;
  readonly startedAt: Instant;
  readonly counts: ChangeCounts;
  readonly problems: number;
  /** Why it is not complete. */
  readonly message?: string;
}

export interface SourceQuality {
  readonly source: string;
  readonly items: number;
  /** In the order of display; fields that no item has and no reader misses are left out. */
  readonly fields: readonly FieldCoverage[];
  /** Of the records as they are. */
  readonly problems: readonly ProblemRule[];
  /** What the last run could not take in. */
  readonly keptOut: readonly ProblemRule[];
  readonly duplicates: readonly DuplicateCount[];
  readonly duplicateGroups: readonly DuplicateGroup[];
  /** Oldest first. */
  readonly trend: readonly TrendPoint[];
}

export interface QualityReport {
  /** The commit up to which it is true, and the newest run it knows of, with its status. */
  readonly seq: number;
  readonly lastRun: string;
  readonly madeAt: Instant;
  /** False: there are more items than duplicates were looked for among. */
  readonly allCompared: boolean;
  readonly sources: Readonly<Record<string, SourceQuality>>;
}
