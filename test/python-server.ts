/** Servers that others wrote in Python, where they are installed; `GARNER_PYTHON` may name another interpreter than `python3`. */
import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

const PYTHON = process.env.GARNER_PYTHON ?? 'python3';

/** False, or why tests that need the module are skipped. */
export function skipWithout(module: string): string | false {
  const { status } = spawnSync(PYTHON, ['-W', 'ignore', '-c', `import ${module}`]);
  return status === 0 ? false : `${module} is not installed (pip install ${module.split('.')[0]})`;
}

/** A program that ends by itself. */
export async function runPython(program: string, ...args: readonly string[]): Promise<void> {
  await promisify(execFile)(PYTHON, ['-W', 'ignore', '-c', program, ...args]);
}

export interface PythonServer {
  readonly url: string;
  stop(): Promise<void>;
}

/** The program prints its address as its first line when it is ready. */
export async function startPython(program: string, ...args: readonly string[]): Promise<PythonServer> {
  const child = spawn(PYTHON, ['-W', 'ignore', '-c', program, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close');
  let complaints = '';
  child.stderr.on('data', (chunk: Buffer) => {
    complaints = (complaints + chunk.toString()).slice(-4000);
  });
  const lines = createInterface({ input: child.stdout });
  const [url] = (await Promise.race([once(lines, 'line'), ended.then(() => [''])])) as [string];
  if (url === '') throw new Error(`the server did not start: ${complaints}`);
  return {
    url,
    stop: async () => {
      child.kill();
      await ended;
    },
  };
}
