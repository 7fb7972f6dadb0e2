// Finds a Node that runs Garner (24 or newer): the system's own, or the one that the npm package `node`
// installed beside us. Plain JavaScript that any Node >= 20 reads.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const NEEDED_MAJOR = 24;

export const isNewEnough = Number(process.versions.node.split('.')[0]) >= NEEDED_MAJOR;

function findNode() {
  if (isNewEnough) return process.execPath;
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

// A Ctrl-C reaches every process at the terminal; forwarded as well, the child would count it twice.
function forwardedSignals() {
  const atTerminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY;
  return { SIGINT: !atTerminal, SIGTERM: true, SIGHUP: true };
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
  for (const [signal, forward] of Object.entries(forwardedSignals()))
    process.on(signal, () => forward && child.kill(signal));
  child.on('error', (error) => {
    console.error(`Garner could not start ${node}: ${error.message}`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => {
    if (!signal) process.exit(code ?? 1);
    // Our own handler would catch it; whoever waits for us shall see how the child ended.
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}
