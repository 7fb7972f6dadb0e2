/**
 * Crawling: `npm run bench:crawl`, with `-- --help` for its options.
 *
 * 1. A local site of so many pages with requisites, politeness off, against `wget --warc-file
 *    --page-requisites --recursive`, answered at once and after 20 ms. Both write compressed WARC; the sets of
 *    URLs in them must be equal. The contenders take turns, and the best turn of each counts.
 * 2. A polite crawl of many hosts: whether each one's delay is kept, and whether all are used.
 */
import { type ChildProcess, fork, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readArchive } from '../src/archive/index.ts';
import { readOptions } from './options.ts';

const values = readOptions('bench:crawl: a site against wget, then many hosts politely.', {
  pages: { value: 'N', default: '4000', help: 'of the site' },
  hosts: { value: 'N', default: '200', help: 'of the polite crawl' },
  turns: { value: 'N', default: '3', help: 'of each contender; the best counts' },
  latencies: { value: 'LIST', default: '0,20', help: 'milliseconds until the site answers' },
});
const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'garner-bench-crawl-'));

interface SiteProcess {
  readonly child: ChildProcess;
  readonly port: number;
  readonly requests: { readonly host: string; readonly at: number }[];
}

function startSite(pages: number, latencyMs: number, logs = false): Promise<SiteProcess> {
  const child = fork(here('crawl-site.ts'), [String(pages), String(latencyMs), logs ? '1' : '0']);
  const requests: { host: string; at: number }[] = [];
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.on('message', (message: { port?: number; host?: string; at?: number }) => {
      if (message.port !== undefined) resolve({ child, port: message.port, requests });
      else if (message.host !== undefined && message.at !== undefined)
        requests.push({ host: message.host, at: message.at });
    });
  });
}

interface Turn {
  readonly seconds: number;
  /** User and system time of the process. */
  readonly cpu: number;
}

/** Runs a command; bash tells the time that it took. What Node compiled is kept for the next turn. */
function timed(command: string, args: readonly string[], cwd: string): Turn {
  const { stdout, stderr, status } = spawnSync(
    'bash',
    ['-c', 'TIMEFORMAT="time %R %U %S"; time "$@"', 'bash', command, ...args],
    {
      cwd,
      encoding: 'utf8',
      maxBuffer: 1 << 28,
      env: { ...process.env, NODE_COMPILE_CACHE: join(folder, 'compiled') },
    },
  );
  const match = /time ([\d.]+) ([\d.]+) ([\d.]+)\s*$/.exec(stderr);
  if (!match)
    throw new TypeError(`${command} ended with ${status}: ${stderr.slice(-500)}${stdout.slice(-500)}`);
  return { seconds: Number(match[1]), cpu: Number(match[2]) + Number(match[3]) };
}

async function urlsIn(archiveFolder: string): Promise<Set<string>> {
  const urls = new Set<string>();
  for (const name of readdirSync(archiveFolder).filter((file) => file.endsWith('.warc.gz')))
    for await (const event of readArchive(join(archiveFolder, name)))
      if (
        event.kind === 'record' &&
        (event.type === 'response' || event.type === 'revisit') &&
        event.http?.status === 200
      )
        urls.add((event.targetUri ?? '').replace(/^<|>$/g, ''));
  return urls;
}

const CONTENDERS = {
  wget: (port: number, to: string) =>
    timed(
      'wget',
      [
        '-q',
        '-r',
        '-l',
        'inf',
        '-p',
        '-e',
        'robots=off',
        '--warc-file=site',
        '--warc-cdx',
        '--delete-after',
        `http://127.0.0.1:${port}/`,
      ],
      to,
    ),
  'garner, archive and index': (port: number, to: string) => runOurs(port, to, false),
  'garner, searchable too': (port: number, to: string) => runOurs(port, to, true),
} as const;

function runOurs(port: number, to: string, items: boolean): Turn {
  const crawl = { delayMs: 0, perHost: 32, concurrency: 32, robots: 'ignore', depth: 10_000 };
  const job = { folder: to, seeds: [`http://127.0.0.1:${port}/`], crawl, items };
  return timed(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', here('crawl-run.ts'), JSON.stringify(job)],
    to,
  );
}

async function race(latencyMs: number): Promise<void> {
  const site = await startSite(Number(values.pages), latencyMs);
  const turns = new Map<string, (Turn & { urls: Set<string> })[]>();
  try {
    for (let turn = 0; turn < Number(values.turns); turn++)
      for (const [name, run] of Object.entries(CONTENDERS)) {
        const to = mkdtempSync(join(folder, 'turn-'));
        const result = run(site.port, to);
        const urls = await urlsIn(name === 'wget' ? to : join(to, 'archive', 'web'));
        turns.set(name, [...(turns.get(name) ?? []), { ...result, urls }]);
        rmSync(to, { recursive: true, force: true });
      }
  } finally {
    site.child.kill();
  }
  const wget = turns.get('wget') ?? [];
  process.stdout.write(`\n${values.pages} pages with requisites, answered after ${latencyMs} ms\n`);
  for (const [name, own] of turns) {
    const best = own.toSorted((a, b) => a.seconds - b.seconds)[0];
    const wgetBest = Math.min(...wget.map(({ seconds }) => seconds));
    if (!best) continue;
    const { seconds, cpu, urls } = best;
    const same = own.every((turn) =>
      wget.every((other) => other.urls.size === turn.urls.size && other.urls.isSupersetOf(turn.urls)),
    );
    // Turn by turn, since what else the machine does changes from one to the next.
    const ratios = own.map((turn, i) => (wget[i]?.seconds ?? 0) / turn.seconds).sort((a, b) => a - b);
    process.stdout.write(
      `  ${name.padEnd(26)} ${seconds.toFixed(2).padStart(7)} s  ${(urls.size / seconds).toFixed(0).padStart(6)} URLs/s  ` +
        `CPU ${cpu.toFixed(2).padStart(6)} s  ${(wgetBest / seconds).toFixed(2).padStart(6)} x wget ` +
        `(turn by turn ${ratios.map((ratio) => ratio.toFixed(2)).join(' ')})  ${urls.size} URLs${same ? '' : ' (NOT the same)'}\n`,
    );
  }
}

async function bePolite(): Promise<void> {
  const hosts = Number(values.hosts);
  const delayMs = 500;
  const perHost = 8;
  const site = await startSite(perHost, 20, true);
  const to = mkdtempSync(join(folder, 'polite-'));
  const seeds = Array.from({ length: hosts }, (_, i) => `http://host${i}.example:${site.port}/`);
  const crawl = { delayMs, delayFactor: 0, perHost: 1, concurrency: 64, requisites: false };
  const job = { folder: to, seeds, crawl, items: false };
  const result = await runAside(job, to);
  site.child.kill();
  const byHost = Map.groupBy(site.requests, ({ host }) => host);
  const gaps = [...byHost.values()].flatMap((list) =>
    list.slice(1).map(({ at }, i) => at - (list[i]?.at ?? 0)),
  );
  const least = Math.min(...gaps);
  const ideal = ((perHost + 2) * delayMs) / 1000;
  process.stdout.write(
    `\npolite crawl of ${hosts} hosts, ${delayMs} ms between two requests to one\n` +
      `  ${site.requests.length} requests to ${byHost.size} hosts in ${result.seconds.toFixed(1)} s (one host alone would take about ${ideal.toFixed(1)} s, all in turn ${(ideal * hosts).toFixed(0)} s)\n` +
      `  shortest pause at a host: ${least.toFixed(0)} ms; pauses below the delay: ${gaps.filter((gap) => gap < delayMs - 2).length} of ${gaps.length}\n`,
  );
}

/** Without blocking this process, which takes the site's log. */
function runAside(job: object, cwd: string): Promise<{ seconds: number }> {
  const startedAt = performance.now();
  const child = fork(here('crawl-run.ts'), [JSON.stringify(job)], { cwd, silent: true });
  return new Promise((resolve) =>
    child.once('exit', () => resolve({ seconds: (performance.now() - startedAt) / 1000 })),
  );
}

process.stdout.write(
  `${availableParallelism()} cores, load ${loadavg()[0]?.toFixed(1)}, Node ${process.version}\n`,
);
try {
  for (const latency of values.latencies.split(',')) await race(Number(latency));
  if (Number(values.hosts) > 0) await bePolite();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
