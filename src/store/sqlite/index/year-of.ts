const MEAN_YEAR_MS = 31_556_952_000;
/** Of the years that most records are of; the others are worked out each time. */
const FIRST_YEAR = 1500;
const yearStarts = Float64Array.from({ length: 1000 }, (_, i) => workOutStart(FIRST_YEAR + i));

/** The year of an instant, UTC. An estimate is at most one year off. */
export function yearOf(at: number): number {
  if (!Number.isFinite(at)) return at;
  let year = 1970 + Math.floor(at / MEAN_YEAR_MS);
  if (at < startOfYear(year)) year--;
  else if (at >= startOfYear(year + 1)) year++;
  return year;
}

function startOfYear(year: number): number {
  return yearStarts[year - FIRST_YEAR] ?? workOutStart(year);
}

function workOutStart(year: number): number {
  const date = new Date(0);
  date.setUTCFullYear(year);
  return date.getTime();
}
