/** What one run found of one topic: the document that pages, downloads and the next run read. */
import type { Category } from '../categories/categorise.ts';
import type { KeptAnswer } from '../engines/ask.ts';
import type { EngineResult } from '../engines/engine.ts';
import type { FusedCandidate, FusionMethod, RefusedAddress } from '../fusion/fuse.ts';

export type EngineStatus = 'waiting' | 'asking' | 'done' | 'failed';

export interface EngineReport {
  readonly name: string;
  readonly kind: string;
  readonly status: EngineStatus;
  /** In its order, one list for each query. */
  readonly lists: readonly (readonly EngineResult[])[];
  /** Raw, in the blob store. */
  readonly answers: readonly KeptAnswer[];
  readonly code?: string;
  readonly message?: string;
}

export type Change = 'new' | 'risen' | 'fallen' | 'same';

export interface Candidate extends FusedCandidate {
  /** From 1. */
  readonly position: number;
  readonly category: Category;
  readonly landedAt?: string;
  /** Why its host could not be looked at. */
  readonly lookFailure?: string;
  /** Against the run before; absent in a first run. */
  readonly change?: Change;
  readonly positionBefore?: number;
}

export interface GoneCandidate {
  readonly url: string;
  readonly key: string;
  readonly position: number;
  readonly weight: number;
}

export interface TopicRun {
  readonly acronym: string;
  readonly title: string;
  /** Of the store; 0 for a dry run. */
  readonly runId: number;
  readonly queries: readonly string[];
  readonly depth: number;
  readonly method: FusionMethod;
  readonly startedAt: number;
  readonly endedAt?: number;
  readonly step: 'asking' | 'looking' | 'done';
  /** How many candidates were looked at. */
  readonly looked: number;
  readonly engines: readonly EngineReport[];
  readonly candidates: readonly Candidate[];
  readonly refused: readonly RefusedAddress[];
  /** The run that this one is compared with. */
  readonly comparedWith?: number;
  readonly gone: readonly GoneCandidate[];
}
