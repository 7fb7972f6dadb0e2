/** One ranking of 20 engines with 1,000 results each. `npm run bench:fusion` */
import { fuse } from '../src/discover/fusion/fuse.ts';

const ENGINES = 20;
const RESULTS = 1000;
const ROUNDS = 15;

/** `share` of each list is common to all engines, in another order. */
function makeLists(share: number) {
  return Array.from({ length: ENGINES }, (_, engine) => ({
    engine: `engine${engine}`,
    results: Array.from({ length: RESULTS }, (_unused, i) => {
      const common = Math.round(RESULTS * share);
      const number = i < common ? (i * 7 + engine * 13) % common : RESULTS * (engine + 1) + i;
      return { url: `https://www.host${number % 97}.example.org/pages/${number}.html`, title: `Page ${i}` };
    }),
  }));
}

for (const share of [0, 0.5, 1]) {
  const lists = makeLists(share);
  const times: number[] = [];
  const used: number[] = [];
  let found = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const before = process.cpuUsage();
    const startedAt = performance.now();
    found = fuse(lists, { depth: RESULTS }).candidates.length;
    times.push(performance.now() - startedAt);
    const { user, system } = process.cpuUsage(before);
    used.push((user + system) / 1000);
  }
  console.log(
    `${Math.round(share * 100)} % in common: ${found} candidates, first ${describe(times[0])}, median ${describe(medianOf(times))}; of processors ${describe(used[0])} and ${describe(medianOf(used))}`,
  );
}

function medianOf(values: readonly number[]): number | undefined {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

function describe(durationMs: number | undefined): string {
  return `${durationMs?.toFixed(1)} ms`;
}
