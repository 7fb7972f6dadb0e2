// Finds a Node that runs Garner (24 or newer) and re-executes under it.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const NEEDED_MAJOR = 24;

function findNode() {
  if (Number(process.versions.node.split('.')[0]) >= NEEDED_MAJOR) return process.execPath;
  try {
    const folder = dirname(createRequire(import.meta.url).resolve('node/package.json'));
    const name = process.platform === 'win32' ? 'node.exe' : 'node';
    const candidate = join(folder, 'bin', name);
    if (existsSync(candidate)) return candidate;
  } catch {
    // The package is optional: where its install was refused, the message below says what to do.
  }
  return undefined;
}

export function runUnderNode(args) {
  const node = findNode();
  if (!node) {
    console.error(
      `Garner needs Node ${NEEDED_MAJOR} or newer; this is ${process.version}, and the npm package "node" that would bring it is not installed.\n` +
        'Install a newer Node, or run `npm install` again with install scripts allowed.',
    );
    process.exit(2);
  }
  const child = spawn(node, ['--disable-warning=ExperimentalWarning', ...args], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => {
    if (signal) process.kill(process.pid, signal);
    else process.exit(code ?? 1);
  });
}
