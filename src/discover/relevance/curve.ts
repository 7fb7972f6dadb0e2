/** Precision and recall against the curator's marks: where to cut, and how deep a list is worth going. */

export interface MarkedScore {
  readonly score: number;
  readonly good: boolean;
}

export interface CurvePoint {
  /** Everything with this score or more is taken. */
  readonly threshold: number;
  /** Of what is taken and marked, the part that is good. */
  readonly precision: number;
  /** Of all that is marked good, the part that is taken. */
  readonly recall: number;
  /** Harmonic mean of both. */
  readonly f1: number;
}

/** One point for each score that a marked candidate has, from the highest down. */
export function precisionRecall(marked: readonly MarkedScore[]): CurvePoint[] {
  const ordered = marked.toSorted((a, b) => b.score - a.score);
  const allGood = marked.filter(({ good }) => good).length;
  const points: CurvePoint[] = [];
  let good = 0;
  for (const [i, { score, good: isGood }] of ordered.entries()) {
    if (isGood) good++;
    if (ordered[i + 1]?.score === score) continue;
    points.push({ threshold: score, ...rates(good, i + 1, allGood) });
  }
  return points;
}

export interface CutOff {
  readonly threshold: number;
  /** The point of the curve. */
  readonly point: CurvePoint;
}

/**
 * Where F1 is best; of equal ones the lowest, which takes more. The threshold lies in the middle between the last
 * marked score that is taken and the next that is not, since nothing is known of what lies between.
 */
export function chooseCutOff(points: readonly CurvePoint[]): CutOff | undefined {
  let best = -1;
  for (const [i, { f1 }] of points.entries()) if (f1 > 0 && f1 >= (points[best]?.f1 ?? 0)) best = i;
  const point = points[best];
  if (!point) return undefined;
  const next = points[best + 1];
  return { threshold: next ? (point.threshold + next.threshold) / 2 : point.threshold, point };
}

export const DEPTHS = [10, 25, 50] as const;

export interface DepthRates extends Omit<CurvePoint, 'threshold'> {
  readonly depth: number;
  /** Marked candidates among the first so many. */
  readonly marked: number;
}

/** How good the first 10, 25 and 50 of the ranking are. */
export function rateDepths(
  marked: readonly { readonly position: number; readonly good: boolean }[],
): DepthRates[] {
  const allGood = marked.filter(({ good }) => good).length;
  return DEPTHS.map((depth) => {
    const within = marked.filter(({ position }) => position <= depth);
    return {
      depth,
      marked: within.length,
      ...rates(within.filter(({ good }) => good).length, within.length, allGood),
    };
  });
}

/** The depth with the best F1; of equal ones the shallowest, which costs less. */
export function suggestDepth(depths: readonly DepthRates[]): number | undefined {
  const best = depths.reduce<DepthRates | undefined>(
    (found, one) => (one.f1 > (found?.f1 ?? 0) ? one : found),
    undefined,
  );
  return best?.depth;
}

function rates(good: number, taken: number, allGood: number): Omit<CurvePoint, 'threshold'> {
  const precision = taken === 0 ? 0 : good / taken;
  const recall = allGood === 0 ? 0 : good / allGood;
  return {
    precision,
    recall,
    f1: precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall),
  };
}
