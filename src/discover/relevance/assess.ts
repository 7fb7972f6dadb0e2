/** One list judged: the score of every candidate, whether it is crawled, and why. */
import type { FusionMethod } from '../fusion/fuse.ts';
import { rankWorth } from '../fusion/fuse.ts';
import {
  type CurvePoint,
  type CutOff,
  chooseCutOff,
  type DepthRates,
  precisionRecall,
  rateDepths,
  suggestDepth,
} from './curve.ts';
import type { Judgement, Mark } from './marks.ts';
import { type Score, type Scored, scoreCandidates } from './score.ts';
import type { Words } from './similarity.ts';

/** What a list says of itself. */
export interface AssessedList {
  readonly acronym: string;
  readonly title: string;
  readonly depth: number;
  readonly method: FusionMethod;
  readonly engines: readonly { readonly status: string; readonly lists: readonly (readonly unknown[])[] }[];
  readonly candidates: readonly (Scored & { readonly position: number })[];
  /** Out of documents. */
  readonly found?: readonly Omit<Scored, 'weight' | 'ranks'>[];
}

export interface AssessDeps {
  /** By key. */
  readonly marks: ReadonlyMap<string, Judgement & { readonly mark: Mark }>;
  /** Words of archived pages, by key. */
  readonly texts: ReadonlyMap<string, Words>;
  /** How many of the heaviest are taken where marks do not tell. */
  readonly top: number;
}

export interface Verdict extends Score {
  readonly accepted: boolean;
  /** Why it is accepted or not. */
  readonly because: string;
  readonly mark?: Judgement & { readonly mark: Mark };
}

export interface Assessment {
  /** By key. */
  readonly verdicts: ReadonlyMap<string, Verdict>;
  readonly good: number;
  readonly bad: number;
  /** From the highest score down; empty while there are too few marks. */
  readonly curve: readonly CurvePoint[];
  /** Absent: the heaviest are taken. */
  readonly cutOff?: CutOff;
  readonly depths: readonly DepthRates[];
  readonly suggestedDepth?: number;
  /** What is taken, in words. */
  readonly rule: string;
}

/** Fewer marks of either kind draw no curve. */
export const LEAST_MARKS = 2;

export function assess(list: AssessedList, deps: AssessDeps): Assessment {
  const { candidates } = list;
  const { marks, top } = deps;
  const answered = list.engines.filter(({ lists }) => lists.some((results) => results.length > 0)).length;
  const found = (list.found ?? []).map((one): Scored => ({ ...one, weight: 0, ranks: {} }));
  const scores = scoreCandidates([...candidates, ...found], {
    ...list,
    engines: answered,
    mostWeight: answered * rankWorth(list)(1),
    marks,
    texts: deps.texts,
  });
  const marked = candidates.flatMap(({ key, position }) => {
    const mark = marks.get(key)?.mark;
    return mark === undefined
      ? []
      : [{ position, good: mark === 'good', score: scores.get(key)?.score ?? 0 }];
  });
  const good = marked.filter((one) => one.good).length;
  const bad = marked.length - good;
  const curve = good >= LEAST_MARKS && bad >= LEAST_MARKS ? precisionRecall(marked) : [];
  const cutOff = chooseCutOff(curve);
  const depths = marked.length === 0 ? [] : rateDepths(marked);
  const suggestedDepth = suggestDepth(depths);
  const judge = (key: string, position?: number): [string, Verdict] => {
    const score = scores.get(key) ?? { score: 0, parts: [] };
    const mark = marks.get(key);
    return [key, { ...score, ...decide(position, score.score, mark, cutOff, top), ...(mark && { mark }) }];
  };
  return {
    verdicts: new Map([
      ...found.map(({ key }) => judge(key)),
      ...candidates.map(({ key, position }) => judge(key, position)),
    ]),
    good,
    bad,
    curve,
    ...(cutOff && { cutOff }),
    depths,
    ...(suggestedDepth !== undefined && { suggestedDepth }),
    rule: cutOff
      ? `those with a score of ${cutOff.threshold.toFixed(2)} or more, a cut-off by ${good} good and ${bad} bad marks`
      : `the ${top} heaviest, since ${marked.length === 0 ? 'no candidate is marked' : `${good} good and ${bad} bad marks are too few for a cut-off`}`,
  };
}

/** `position`: absent for what no engine ranks. */
function decide(
  position: number | undefined,
  score: number,
  mark: { readonly mark: Mark } | undefined,
  cutOff: CutOff | undefined,
  top: number,
): Pick<Verdict, 'accepted' | 'because'> {
  if (mark) return { accepted: mark.mark === 'good', because: `it is marked ${mark.mark}` };
  if (cutOff) {
    const accepted = score >= cutOff.threshold;
    return {
      accepted,
      because: `its score ${score.toFixed(2)} is ${accepted ? 'not ' : ''}below ${cutOff.threshold.toFixed(2)}`,
    };
  }
  if (position === undefined)
    return { accepted: false, because: 'no engine gave it, and there is no cut-off for its score' };
  return position <= top
    ? { accepted: true, because: `it is among the ${top} heaviest` }
    : { accepted: false, because: `it is not among the ${top} heaviest` };
}
