/** Counts by year gathered into a handful of bars of equal span. */
import type { FacetCount } from '../store/index.ts';

export interface YearBin {
  /** Both inclusive. */
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

const SPANS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];

export function binYears(counts: readonly FacetCount[], mostBins: number): YearBin[] {
  const years = counts
    .map(({ value, count }) => ({ year: Number.parseInt(value, 10), count }))
    .filter(({ year }) => Number.isFinite(year));
  if (years.length === 0) return [];
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (const { year } of years) {
    first = Math.min(first, year);
    last = Math.max(last, year);
  }
  const binOf = (year: number, span: number) => Math.floor(year / span);
  const span =
    SPANS.find((s) => binOf(last, s) - binOf(first, s) < mostBins) ??
    Math.ceil((last - first + 1) / (mostBins - 1));
  const firstBin = binOf(first, span);
  const bins: YearBin[] = [];
  for (let bin = firstBin; bin <= binOf(last, span); bin++)
    bins.push({ from: bin * span, to: bin * span + span - 1, count: 0 });
  for (const { year, count } of years) {
    const index = binOf(year, span) - firstBin;
    const bin = bins[index];
    if (bin) bins[index] = { ...bin, count: bin.count + count };
  }
  return bins;
}
