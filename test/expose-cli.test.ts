/** The one-command form, as a process of its own. */
import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { outcomeOf, runGarner, startGarner, temporaryFolder } from './garner-process.ts';

function makeSite(top: string): string {
  const folder = join(top, 'public');
  mkdirSync(join(folder, 'private'), { recursive: true });
  writeFileSync(join(folder, 'index.html'), '<!DOCTYPE html><title>Start</title>');
  writeFileSync(join(folder, 'a.txt'), 'a');
  writeFileSync(join(folder, 'private/p.txt'), 'p');
  writeFileSync(join(folder, 'private/.htaccess'), 'Require all denied');
  return folder;
}

const lines = (text: string): Record<string, unknown>[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);

test('garner expose serves a folder until it is told to stop', async (t) => {
  const top = temporaryFolder(t);
  makeSite(top);
  const child = startGarner(top, [
    'expose',
    './public',
    '--url',
    'https://www.foo.edu/',
    '--port',
    '0',
    '--json',
  ]);
  const ended = outcomeOf(child);
  const scanned = new Promise<string>((resolve) => {
    let text = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const events = lines(text.slice(0, text.lastIndexOf('\n') + 1));
      const listening = events.find(({ event }) => event === 'serve.listening');
      if (listening && events.some(({ event }) => event === 'scan.finished')) resolve(String(listening.url));
    });
  });
  const url = await Promise.race([
    scanned,
    ended.then(({ stderr }) => assert.fail(`ended early: ${stderr}`)),
  ]);
  const list = async () => (await fetch(`${url}/oai?verb=ListIdentifiers&metadataPrefix=oai_didl`)).text();
  for (let text = await list(), tries = 0; !text.includes('a.txt'); text = await list()) {
    assert.ok(tries++ < 100, text);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  assert.doesNotMatch(await list(), /private/);
  child.kill('SIGTERM');
  assert.equal((await ended).code, 0);
});

test('garner expose --once remembers in its data folder what is gone', async (t) => {
  const top = temporaryFolder(t);
  const folder = makeSite(top);
  const scan = async (...more: string[]) => {
    const args = [
      'expose',
      './public',
      '--url',
      'https://www.foo.edu/',
      '--data',
      './store',
      '--once',
      '--json',
      ...more,
    ];
    const { code, stdout, stderr } = await runGarner(top, ...args);
    const report = lines(stdout).find(({ event }) => event === 'scan.finished');
    assert.ok(report, stdout + stderr);
    return { code, counts: report.counts as Record<string, number>, denied: report.denied };
  };
  const first = await scan();
  assert.deepEqual([first.code, first.counts.added, first.denied], [0, 2, 1]);
  rmSync(join(folder, 'a.txt'));
  const second = await scan();
  assert.deepEqual([second.code, second.counts.added, second.counts.deleted], [0, 0, 1]);
  rmSync(folder, { recursive: true });
  mkdirSync(folder);
  assert.equal((await scan()).code, 3, 'an empty folder is doubted');
  assert.equal((await scan('--force')).code, 0);
});

test('wrong usage is told before anything is made', async (t) => {
  const top = temporaryFolder(t);
  for (const args of [
    ['expose'],
    ['expose', './missing', '--url', 'https://x.org/'],
    ['expose', '.', '--url', 'nonsense'],
  ])
    assert.equal((await runGarner(top, ...args)).code, 2, args.join(' '));
});
