/** Starts `store-child.ts` and reads its lines. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export interface StoreChild {
  readonly process: ChildProcess;
  /** Its output so far, and as it comes. */
  readonly lines: string[];
  /** Resolves when a line starts so, rejects when the process ends before. */
  waitFor(start: string): Promise<string>;
  /** SIGKILL, and the end of the process. */
  kill(): Promise<void>;
  readonly ended: Promise<number | null>;
}

export function startChild(...args: readonly (string | number)[]): StoreChild {
  const script = fileURLToPath(new URL('./store-child.ts', import.meta.url));
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', script, ...args.map(String)],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const lines: string[] = [];
  const reader = createInterface(child.stdout);
  reader.on('line', (line) => lines.push(line));
  const ended = once(child, 'exit').then(([code]: (number | null)[]) => code ?? null);
  return {
    process: child,
    lines,
    ended,
    waitFor: async (start) => {
      for (;;) {
        const found = lines.find((line) => line.startsWith(start));
        if (found !== undefined) return found;
        const next = await Promise.race([once(reader, 'line'), once(reader, 'close').then(() => undefined)]);
        if (!next && !lines.some((line) => line.startsWith(start))) {
          assert.fail(`the process ended without saying ${start}: ${lines.join(' | ')}`);
        }
      }
    },
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
