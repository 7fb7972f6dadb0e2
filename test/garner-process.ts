/** Runs the real command line in a folder of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const LAUNCHER = fileURLToPath(new URL('../bin/garner.mjs', import.meta.url));

export interface Outcome {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export function startGarner(folder: string, args: readonly string[]): ChildProcess {
  return spawn(process.execPath, [LAUNCHER, ...args], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
}

export function outcomeOf(child: ChildProcess): Promise<Outcome> {
  const texts = { stdout: '', stderr: '' };
  child.stdout?.on('data', (chunk: Buffer) => {
    texts.stdout += chunk.toString();
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    texts.stderr += chunk.toString();
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, ...texts }));
  });
}

export function runGarner(folder: string, ...args: readonly string[]): Promise<Outcome> {
  return outcomeOf(startGarner(folder, args));
}

/** A temporary folder that goes away with the test. */
export function temporaryFolder(context: { after(work: () => void): void }): string {
  const folder = mkdtempSync(join(tmpdir(), 'garner-test-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
