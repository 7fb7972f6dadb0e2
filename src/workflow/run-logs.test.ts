import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { silentLog } from '../core/log.ts';
import { createRunLogs, type RunLogs } from './run-logs.ts';

let folder: string;
let logs: RunLogs;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'garner-logs-'));
  logs = createRunLogs(folder, () => 0);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function read(runId: number): Promise<{ event: string; message?: string }[]> {
  let text = '';
  for await (const chunk of logs.open(runId) ?? []) text += Buffer.from(chunk).toString();
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { event: string });
}

test('what is said of a run is kept with it, and passed on', async () => {
  const passed: string[] = [];
  const log = logs.tee((name) => {
    passed.push(name);
  });
  log('run.started', { source: 'a', kind: 'harvest', runId: 7 });
  log('run.started', { source: 'b', kind: 'harvest', runId: 8 });
  log('run.problem', { source: 'a', runId: 7, code: 'xml.malformed', message: 'bad' });
  log('server.listening', { url: 'http://x.example' });
  assert.deepEqual(
    (await read(7)).map(({ event }) => event),
    ['run.started'],
    'problems wait for company',
  );
  log('run.finished', { source: 'a', runId: 7, status: 'complete', durationMs: 1 });
  log('notify.failed', { source: 'a', runId: 7, error: 'x' });
  assert.deepEqual(
    (await read(7)).map(({ event }) => event),
    ['run.started', 'run.problem', 'run.finished', 'notify.failed'],
  );
  assert.equal(passed.length, 6);
  log('run.failed', { source: 'b', runId: 8, error: new Error('Authorization: Bearer abcdef') });
  assert.doesNotMatch(JSON.stringify(await read(8)), /abcdef/, 'secrets are not kept');
});

test('logs of forgotten runs are removed; there is none of a run that was elsewhere', async () => {
  const log = logs.tee(silentLog);
  log('run.finished', { source: 'a', runId: 3, status: 'complete', durationMs: 1 });
  assert.equal((await read(3)).length, 1);
  logs.remove([3, 4]);
  assert.equal(logs.open(3), undefined);
});
