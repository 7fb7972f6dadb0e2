import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { GarnerError } from '../core/errors.ts';
import type { RunInfo } from '../store/index.ts';
import { notifyRun } from './notify.ts';

const run: RunInfo = {
  id: 12,
  source: 'pangaea',
  kind: 'harvest',
  status: 'failed',
  startedAt: 1_000,
  endedAt: 2_000,
  counts: { added: 1, updated: 0, unchanged: 0, deleted: 0, invalid: 0 },
  problems: 3,
  message: 'no connection',
  repaired: 0,
  holder: '1@host',
};

async function send(of: RunInfo, fail = false) {
  const sent: { url: string; body: string; headers: Readonly<Record<string, string>> }[] = [];
  const events: string[] = [];
  await notifyRun(of, {
    settings: {
      url: 'https://hook.example/x',
      secret: 'a secret of some length',
      on: ['failed', 'incomplete'],
    },
    baseUrl: 'https://garner.example',
    clock: () => 1_767_225_600_500,
    log: (name) => {
      events.push(name);
    },
    post: async (url, body, headers) => {
      if (fail) throw new GarnerError('http.address', 'private');
      sent.push({ url, body, headers });
    },
  });
  return { sent, events };
}

test('a failed run is told in a message that the receiver can check', async () => {
  const { sent, events } = await send(run);
  const [message] = sent;
  assert.equal(message?.url, 'https://hook.example/x');
  const body = JSON.parse(message?.body ?? '') as {
    event: string;
    url: string;
    run: { id: number; holder?: string };
  };
  assert.equal(body.event, 'run.failed');
  assert.equal(body.url, 'https://garner.example/runs/12');
  assert.equal(body.run.id, 12);
  assert.equal(body.run.holder, undefined);
  const mac = createHmac('sha256', 'a secret of some length')
    .update(`1767225600.${message?.body}`)
    .digest('hex');
  assert.equal(message?.headers['garner-signature'], `t=1767225600,v1=${mac}`);
  assert.deepEqual(events, ['notify.sent']);
});

test('a good end is not told unless that is asked for; a message that cannot be sent is logged', async () => {
  assert.deepEqual((await send({ ...run, status: 'complete' })).sent, []);
  assert.deepEqual((await send(run, true)).events, ['notify.failed']);
});
