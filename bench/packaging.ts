/**
 * Information packages: `npm run bench:packaging`, with `-- --help` for its options.
 * Each row is measured in a process of its own, so that the memory of one does not count for another.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readOptions } from './options.ts';

const values = readOptions('bench:packaging: METS of a large site, DIDL of a large file.', {
  pages: { value: 'N', default: '20000', help: 'of the site' },
  megabytes: { value: 'N', default: '2048', help: 'of the file' },
});

interface Row {
  readonly what: string;
  readonly seconds: number;
  readonly peakMegabytes: number;
  readonly target: string;
  readonly note: string;
}

/** Runs a task of a sibling file and gives what it tells. */
function run(file: string, ...given: readonly string[]): Record<string, number | string> {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const flags = ['--disable-warning=ExperimentalWarning'];
  const told = execFileSync(process.execPath, [...flags, path, ...given], { encoding: 'utf8' });
  return JSON.parse(told);
}

function measureMets(folder: string): Row[] {
  const { identifier } = run('./packaging-mets.ts', 'make', folder, values.pages);
  const written = run('./packaging-mets.ts', 'write', folder, String(identifier));
  const checked = run('./packaging-mets.ts', 'check', folder);
  const model = Number(written.modelSeconds);
  const mets = Number(written.metsSeconds);
  const peakMegabytes = Number(written.peakMegabytes);
  return [
    {
      what: 'site model and METS',
      seconds: model + mets,
      peakMegabytes,
      target: '≤ 60 s, ≤ 500 MB',
      note: `${written.pages} pages, ${written.links} links inside; model ${model.toFixed(1)} s, METS ${mets.toFixed(1)} s, ${written.metsMegabytes} MB`,
    },
    {
      what: 'check of all references',
      seconds: Number(checked.seconds),
      peakMegabytes: Number(checked.peakMegabytes),
      target: '',
      note: `${checked.problems} problems`,
    },
  ];
}

function measureDidl(folder: string): Row[] {
  const size = `${values.megabytes} MB file`;
  const { identifier } = run('./packaging-didl.ts', 'make', folder, values.megabytes);
  return (['write', 'read', 'again'] as const).map((task) => {
    const told = run('./packaging-didl.ts', task, folder, String(identifier));
    const what = { write: 'DIDL written', read: 'DIDL read', again: 'DIDL read and written again' }[task];
    const note = task === 'again' ? `${size}; equal: ${told.equal}` : `${size}; ${told.megabytes} MB`;
    const { seconds, peakMegabytes } = told;
    return { what, seconds: Number(seconds), peakMegabytes: Number(peakMegabytes), target: '< 200 MB', note };
  });
}

const MEASURES: readonly ((folder: string) => Row[])[] = [measureMets, measureDidl];

const rows: Row[] = [];
for (const measure of MEASURES) {
  const folder = mkdtempSync(join(tmpdir(), 'garner-bench-packaging-'));
  try {
    rows.push(...measure(folder));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
console.log(`${availableParallelism()} cores, load ${loadavg()[0]?.toFixed(1)}\n`);
console.log('| what | time | peak RSS | target | |');
console.log('|---|---|---|---|---|');
for (const { what, seconds, peakMegabytes, target, note } of rows)
  console.log(`| ${what} | ${seconds.toFixed(1)} s | ${peakMegabytes} MB | ${target} | ${note} |`);
