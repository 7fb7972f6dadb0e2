import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const folder = mkdtempSync(join(tmpdir(), 'garner-launcher-'));
after(() => rmSync(folder, { recursive: true }));

/** The launcher with a script of ours; its first line on standard output says that it runs. */
function launch(script: string, ...args: string[]): ChildProcess {
  const file = join(folder, `script-${Math.random().toString(36).slice(2)}.mts`);
  writeFileSync(file, script);
  const launcher = fileURLToPath(new URL('../bin/with-node.mjs', import.meta.url));
  return spawn(process.execPath, [launcher, file, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
}

async function output(child: ChildProcess): Promise<string> {
  let text = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  await once(child, 'close');
  return text;
}

test('the launcher hands on arguments and exit code', async () => {
  const child = launch(
    'const code: number = 7; console.log(process.argv.slice(2).join()); process.exit(code);',
    'a',
    '--b',
  );
  assert.equal(await output(child), 'a,--b\n');
  assert.equal(child.exitCode, 7);
});

test('a signal to the launcher lets the program end in its own way', {
  skip: process.platform === 'win32',
}, async () => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    const child = launch(`
      process.on('${signal}', () => process.exit(5));
      setInterval(() => {}, 1000);
      console.log('ready');`);
    assert.ok(child.stdout);
    await once(child.stdout, 'data');
    child.kill(signal);
    await once(child, 'exit');
    assert.equal(child.exitCode, 5);
  }
});

test('a program that dies by a signal makes the launcher die by it', {
  skip: process.platform === 'win32',
}, async () => {
  const child = launch(`process.kill(process.pid, 'SIGTERM'); setInterval(() => {}, 1000);`);
  await once(child, 'exit');
  assert.equal(child.signalCode, 'SIGTERM');
});
