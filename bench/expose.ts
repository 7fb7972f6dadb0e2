/**
 * How soon a folder can be harvested. `npm run bench:expose [-- --files 1000000]`
 * Cold: nothing is known of the folder. Warm: the same again with what the first run remembers. Both count from
 * the start of the process to the first page of ListIdentifiers with something on it.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readOptions } from './options.ts';

const values = readOptions(
  'bench:expose: how soon a folder can be harvested, cold and warm, and in how much memory.',
  {
    files: { value: 'N', default: '100000', help: 'how many are made' },
    folder: { value: 'FOLDER', help: 'one that is there already' },
  },
);
const count = Number(values.files);
const LAUNCHER = fileURLToPath(new URL('../bin/garner.mjs', import.meta.url));
const PER_FOLDER = 1000;

const top = mkdtempSync(join(tmpdir(), 'garner-bench-expose-'));
const site = values.folder ?? join(top, 'site');

interface Measured {
  readonly firstPageMs: number;
  readonly scanMs: number;
  readonly mostMegabytes: number;
  readonly listed: number;
}

function writeSite(): void {
  for (let i = 0; i < count; i++) {
    const folder = join(site, `d${Math.floor(i / PER_FOLDER)}`);
    if (i % PER_FOLDER === 0) mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, `page-${i}.html`),
      `<!DOCTYPE html><title>Page ${i}</title><p>Small page number ${i}.\n`,
    );
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
}

/** Linux tells the most that a process ever had. */
function mostMegabytes(child: ChildProcess): number {
  try {
    const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
    return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024);
  } catch {
    return Number.NaN;
  }
}

async function firstPage(url: string): Promise<boolean> {
  try {
    const text = await (await fetch(`${url}/oai?verb=ListIdentifiers&metadataPrefix=oai_dc`)).text();
    return text.includes('<header>');
  } catch {
    return false;
  }
}

async function listAll(url: string): Promise<number> {
  let listed = 0;
  for (let token: string | undefined = ''; token !== undefined; ) {
    const query: string = token === '' ? 'metadataPrefix=oai_dc' : `resumptionToken=${token}`;
    const text = await (await fetch(`${url}/oai?verb=ListIdentifiers&${query}`)).text();
    listed += text.split('<header').length - 1;
    token = /<resumptionToken[^>]*>([^<]+)</.exec(text)?.[1];
  }
  return listed;
}

async function measure(): Promise<Measured> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const startedAt = performance.now();
  const args = [
    'expose',
    site,
    '--url',
    'https://www.foo.edu/',
    '--data',
    join(top, 'data'),
    '--port',
    String(port),
    '--json',
  ];
  const child = spawn(process.execPath, [LAUNCHER, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const scanned = new Promise<number>((resolve) => {
    let text = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      text = (text + chunk.toString()).slice(-10_000);
      if (text.includes('"scan.finished"')) resolve(performance.now() - startedAt);
    });
  });
  while (!(await firstPage(url))) await new Promise((resolve) => setTimeout(resolve, 20));
  const firstPageMs = performance.now() - startedAt;
  const scanMs = await scanned;
  // Lists show only seconds that are over.
  await new Promise((resolve) => setTimeout(resolve, 2000));
  const listed = await listAll(url);
  const most = mostMegabytes(child);
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
  return { firstPageMs, scanMs, mostMegabytes: most, listed };
}

try {
  if (values.folder === undefined) writeSite();
  const rows: [string, Measured][] = [];
  for (const name of ['cold', 'warm']) rows.push([name, await measure()]);
  process.stdout.write(`${count} files\n      first page   whole scan   most memory   listed\n`);
  for (const [name, { firstPageMs, scanMs, mostMegabytes: most, listed }] of rows)
    process.stdout.write(
      `${name}  ${(firstPageMs / 1000).toFixed(2).padStart(8)} s  ${(scanMs / 1000).toFixed(1).padStart(9)} s  ${String(most).padStart(8)} MB  ${String(listed).padStart(8)}\n`,
    );
} finally {
  rmSync(top, { recursive: true, force: true });
}
