/** What one run found of one topic: the document that pages, downloads and the next run read. */
import type { Category } from '../categories/categorise.ts';
import type { FoundCandidate } from '../documents/found-candidates.ts';
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
  /** The most frequent words of the page's beginning, as far as it was looked at. */
  readonly words?: Readonly<Record<string, number>>;
  /** Keys of other candidates that link to it. */
  readonly linkedFrom?: readonly string[];
}

/** For those who read the list: the words of a page are for comparing only. */
export function withoutWords<T extends { readonly words?: unknown }>(candidate: T): Omit<T, 'words'> {
  const copy: { words?: unknown } & Omit<T, 'words'> = { ...candidate };
  delete copy.words;
  return copy;
}

export interface GoneCandidate {
  readonly url: string;
  readonly key: string;
  readonly position: number;
  readonly weight: number;
}

/** What became of one address in the crawl. */
export interface SeedOutcome {
  readonly state: 'queued' | 'done' | 'failed' | 'excluded';
  /** Of the answer. */
  readonly status?: number;
  readonly reason?: string;
}

export interface TopicSeed {
  readonly key: string;
  readonly url: string;
  /** Found in a document, not by an engine: nothing further is taken from it. */
  readonly hop?: true;
}

/**
 * What follows on the list. `waiting`: nothing was crawled yet; `crawling`: the job is on the disk; `crawled`:
 * the snapshot is stored, but not everything made of it; `done` and `failed`: nothing is left to do.
 */
export interface TopicCrawl {
  readonly state: 'waiting' | 'crawling' | 'crawled' | 'done' | 'failed';
  readonly seeds: readonly TopicSeed[];
  /** Why these, in words. */
  readonly rule: string;
  /** Of the crawl, in the store. */
  readonly runId?: number;
  /** Identifier of the item. */
  readonly snapshot?: string;
  readonly message?: string;
  /** By key. */
  readonly outcomes?: Readonly<Record<string, SeedOutcome>>;
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
  /** Out of documents that were archived; see `findCandidates`. */
  readonly found?: readonly FoundCandidate[];
  /** Absent: the run ends with the list. */
  readonly crawl?: TopicCrawl;
}
