/**
 * Damerau-Levenshtein distance in its optimal-string-alignment form: insertions, deletions,
 * substitutions and swaps of neighbours, no part edited twice. Counted in characters (code points).
 * Returns `limit + 1` as soon as the distance is known to exceed `limit`.
 */
export function editDistance(a: string, b: string, limit: number): number {
  if (a === b) return 0;
  const left = characters(a);
  const right = characters(b);
  const tooFar = limit + 1;
  if (Math.abs(left.length - right.length) > limit) return tooFar;

  let twoBack: number[] = [];
  let previous = Array.from({ length: right.length + 1 }, (_, j) => j);
  for (let i = 1; i <= left.length; i++) {
    const row = [i];
    let best = i;
    for (let j = 1; j <= right.length; j++) {
      const same = left[i - 1] === right[j - 1];
      let cost = Math.min(previous[j]! + 1, row[j - 1]! + 1, previous[j - 1]! + (same ? 0 : 1));
      if (i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1]) {
        cost = Math.min(cost, twoBack[j - 2]! + 1);
      }
      row.push(cost);
      if (cost < best) best = cost;
    }
    // A swap reaches two rows back, but it costs 1 on top of that row, which cannot beat this row's best.
    if (best > limit) return tooFar;
    twoBack = previous;
    previous = row;
  }
  return Math.min(previous[right.length]!, tooFar);
}

function characters(text: string): ArrayLike<string> {
  return /[\ud800-\udfff]/.test(text) ? Array.from(text) : text;
}
