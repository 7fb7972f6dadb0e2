/**
 * One ranking of several. The weight of an address is the sum, over the engines that gave it, of what its
 * rank there is worth: B − rank + 1 of the best B, or 1 ÷ (60 + rank) for reciprocal rank fusion.
 */
import type { EngineResult, Work } from '../engines/engine.ts';
import { canonicalKey, plainKey } from './canonical.ts';
import { refuse } from './refuse.ts';

/** What one engine answered to one query, in its order. */
export interface RankedList {
  readonly engine: string;
  readonly results: readonly EngineResult[];
}

export const FUSION_METHODS = ['weights', 'reciprocal'] as const;
export type FusionMethod = (typeof FUSION_METHODS)[number];

export interface FusionOptions {
  /** B: so many results of each engine count. */
  readonly depth: number;
  readonly method?: FusionMethod;
  /** Addresses in private networks are candidates like others. */
  readonly allowPrivate?: boolean;
}

export interface FusedCandidate {
  /** For comparing; see `canonicalKey`. */
  readonly key: string;
  /** As the engine that ranks it highest gave it. */
  readonly url: string;
  /** All spellings, in the order in which they were met. */
  readonly originals: readonly string[];
  readonly weight: number;
  /** Best rank in each engine that has it, by the engine's name. */
  readonly ranks: Readonly<Record<string, number>>;
  readonly title?: string;
  readonly snippet?: string;
  /** Media type, as an engine says. */
  readonly mediaType?: string;
  /** What it is, as a library says. */
  readonly work?: Work;
  readonly doi?: string;
}

export interface RefusedAddress {
  readonly url: string;
  readonly engine: string;
  readonly rank: number;
  readonly reason: string;
}

export interface Fusion {
  /** Heaviest first. */
  readonly candidates: readonly FusedCandidate[];
  readonly refused: readonly RefusedAddress[];
}

/** Cormack, Clarke and Büttcher 2009: 60 keeps a single first rank from outweighing two good ones. */
const RECIPROCAL_CONSTANT = 60;

/** Most addresses come from one engine only, so what is needed for several is made when a second gives it. */
interface Draft {
  readonly key: string;
  /** Of the best rank so far. */
  best: EngineResult;
  bestRank: number;
  readonly engine: string;
  weight: number;
  more: Several | undefined;
}

interface Several {
  readonly originals: string[];
  readonly engines: string[];
  /** Beside `engines`. */
  readonly ranks: number[];
  /** Everything that anybody said. */
  facts: EngineResult;
}

export function fuse(lists: readonly RankedList[], options: FusionOptions): Fusion {
  const drafts = new Map<string, Draft>();
  const refused: RefusedAddress[] = [];
  for (const { engine, results } of lists) {
    let rank = 0;
    for (const result of results) {
      if (++rank > options.depth) break;
      let key = plainKey(result.url);
      if (key === undefined) {
        const reason = refuse(result.url, options.allowPrivate);
        if (reason !== undefined) {
          refused.push({ url: result.url, engine, rank, reason });
          continue;
        }
        key = canonicalKey(result.url);
      }
      const draft = drafts.get(key);
      if (draft) addTo(draft, engine, rank, result);
      else drafts.set(key, { key, best: result, bestRank: rank, engine, weight: 0, more: undefined });
    }
  }
  const worth = rankWorth(options);
  const ordered = [...drafts.values()];
  for (const draft of ordered) draft.weight = sumOf(draft, worth);
  return { candidates: ordered.sort(heaviestFirst).map(finish), refused };
}

function addTo(draft: Draft, engine: string, rank: number, result: EngineResult): void {
  draft.more ??= {
    originals: [draft.best.url],
    engines: [draft.engine],
    ranks: [draft.bestRank],
    facts: draft.best,
  };
  const { originals, engines, ranks, facts } = draft.more;
  if (!originals.includes(result.url)) originals.push(result.url);
  // An engine's own duplicates count once, at their best rank.
  const known = engines.indexOf(engine);
  if (known < 0) {
    engines.push(engine);
    ranks.push(rank);
  } else ranks[known] = Math.min(rank, ranks[known] ?? rank);
  draft.more.facts = { ...result, ...facts };
  if (rank < draft.bestRank) {
    draft.best = result;
    draft.bestRank = rank;
  }
}

/** What a rank is worth. */
export function rankWorth({
  depth,
  method = 'weights',
}: Pick<FusionOptions, 'depth' | 'method'>): (rank: number) => number {
  return method === 'weights' ? (rank) => depth - rank + 1 : (rank) => 1 / (RECIPROCAL_CONSTANT + rank);
}

function sumOf({ bestRank, more }: Draft, worth: (rank: number) => number): number {
  if (!more) return worth(bestRank);
  // In the order of the ranks: sums of fractions must not depend on the order of the engines.
  return more.ranks.toSorted((a, b) => a - b).reduce((sum, rank) => sum + worth(rank), 0);
}

/** Of equal weights the better single rank goes first, then the key decides: the same in every run. */
function heaviestFirst(a: Draft, b: Draft): number {
  return b.weight - a.weight || a.bestRank - b.bestRank || (a.key < b.key ? -1 : 1);
}

function finish({ key, best, bestRank, engine, weight, more }: Draft): FusedCandidate {
  if (!more) return { ...best, key, originals: [best.url], weight, ranks: { [engine]: bestRank } };
  const { originals, engines, ranks, facts } = more;
  const byEngine: Record<string, number> = {};
  for (let i = 0; i < engines.length; i++) byEngine[engines[i] ?? ''] = ranks[i] ?? 0;
  return { ...facts, ...best, key, originals, weight, ranks: byEngine };
}
