/** `garner harvest` and `garner import`: exit codes tell complete, incomplete and failed apart. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runGarner, temporaryFolder } from './garner-process.ts';
import { dublinCore, makeRecords, provider, serveProviders } from './oai-provider.ts';

test('one source that fails does not keep the others from coming, and every outcome has its exit code', async (t) => {
  const lossy = makeRecords(3, (i) => (i === 1 ? { metadata: dublinCore('Open <b>') } : {}));
  const origin = await serveProviders(
    new Map([
      ['/good', provider(makeRecords(3))],
      ['/lossy', provider(lossy)],
      ['/login', () => ({ body: '<html><title>Log in</title></html>' })],
    ]),
  );
  t.after(() => origin.close());
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, 'broken'));
  mkdirSync(join(folder, 'whole'));
  writeFileSync(join(folder, 'whole', 'a.xml'), dublinCore('Whole'));
  writeFileSync(join(folder, 'broken', 'a.xml'), '<open>');
  const remote = (kind: string, path: string) =>
    `{ kind: ${kind}, url: "${origin.url}${path}", allowPrivate: true, attempts: 1 }`;
  writeFileSync(
    join(folder, 'garner.yaml'),
    [
      'sources:',
      `  away: ${remote('csw', '/login')}`,
      `  gone: ${remote('oai', '/nowhere')}`,
      `  lossy: ${remote('oai', '/lossy')}`,
      `  good: ${remote('oai', '/good')}`,
      '  broken: { kind: files, path: broken }',
      '  missing: { kind: files, path: nowhere }',
      '  whole: { kind: files, path: whole }',
    ].join('\n'),
  );
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await runGarner(folder, ...args);
    return { code, text: stdout + stderr };
  };

  const all = await run('harvest');
  assert.equal(all.code, 1, all.text);
  assert.match(all.text, /away: no answer of a catalogue .*\n.* \[source\.answer\]/);
  assert.match(all.text, /gone: .*\(failed\)/);
  assert.match(all.text, /lossy: 2 new, .* 1 unusable \(incomplete\)/);
  assert.match(all.text, /good: 3 new, .* \(complete\)/);
  assert.equal((await run('harvest', 'away')).code, 1);
  assert.equal((await run('harvest', 'gone', 'good')).code, 1);
  assert.equal((await run('harvest', 'lossy', '--full')).code, 3);
  assert.equal((await run('harvest', 'lossy')).code, 3, 'what is missing stays missing');
  assert.match((await run('missing')).text, /^lossy +1 missing/m);
  assert.match(
    (await run('missing', 'lossy')).text,
    /oai:t\.example:2 as oai_dc: .*\[xml\.malformed\], run \d+ to \d+/,
  );
  assert.equal((await run('missing', 'good')).text, 'good: nothing is known to be missing\n');
  assert.equal((await run('missing', '--accept-all')).code, 2);
  assert.equal((await run('missing', 'lossy', '--accept', 'oai:t.example:1')).code, 3);
  assert.equal((await run('missing', 'lossy', '--accept', 'oai:t.example:2')).code, 0);
  assert.equal((await run('harvest', 'lossy')).code, 0);
  assert.match((await run('missing', 'lossy')).text, /0 missing, 1 accepted\n.* \(accepted\): /);
  assert.equal((await run('harvest', 'good')).code, 0);

  const files = await run('import');
  assert.equal(files.code, 3, files.text);
  assert.match(files.text, /broken: 0 new, .* \(incomplete\)/);
  assert.match(
    (await run('missing', 'broken')).text,
    /1 missing\n.*\/broken\/a\.xml:1: .*\[xml\.malformed\]/,
  );
  assert.match(files.text, /missing: 0 new, .* \(incomplete\)/);
  assert.match(files.text, /whole: 1 new, .* \(complete\)/);
  assert.equal((await run('import', 'whole')).code, 0);

  const { stdout } = await runGarner(folder, 'runs', '--json');
  const { runs } = JSON.parse(stdout) as { runs: { source: string; status: string }[] };
  const last = (source: string) => runs.find((run) => run.source === source)?.status;
  assert.deepEqual(['away', 'gone', 'lossy', 'good', 'broken', 'whole'].map(last), [
    'failed',
    'failed',
    'complete',
    'complete',
    'incomplete',
    'complete',
  ]);
});
