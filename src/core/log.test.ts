import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { GarnerError } from './errors.ts';
import { createLog, type LogOptions, redact } from './log.ts';

function collect(options: Partial<LogOptions>) {
  const lines: string[] = [];
  const log = createLog({
    write: (line) => lines.push(line),
    pretty: false,
    clock: () => Date.parse('2004-05-06T12:34:56.789Z'),
    ...options,
  });
  return { lines, log };
}

test('an event is one JSON line with time, level, name and fields', () => {
  const { lines, log } = collect({});
  log('run.started', { source: 'samples', kind: 'import', runId: 7 });
  assert.equal(lines.length, 1);
  assert.ok(lines[0]?.endsWith('}\n'));
  assert.deepEqual(JSON.parse(lines[0] ?? ''), {
    at: '2004-05-06T12:34:56.789Z',
    level: 'info',
    event: 'run.started',
    source: 'samples',
    kind: 'import',
    runId: 7,
  });
});

test('events below the chosen level are left out', () => {
  const { lines, log } = collect({ level: 'warn' });
  log('run.started', { source: 'samples', kind: 'import', runId: 7 });
  log('worker.replaced', { worker: 'xml', error: 'gone' });
  assert.equal(lines.length, 1);
});

test('a person sees one short line, without control characters of others', () => {
  const { lines, log } = collect({ pretty: true });
  const error = new GarnerError('source.unreadable', 'no such file: a\u001b[2Jb\u009bc');
  log('run.failed', { source: 'samples', error });
  const [line = ''] = lines;
  assert.equal(
    stripVTControlCharacters(line),
    '12:34:56 run.failed source=samples error="source.unreadable: no such file: a\\u001b[2Jb\ufffdc"\n',
  );
});

test('secrets are redacted by key at any depth, and inside texts', () => {
  const secret = 's3cr3t-value-0001';
  const error = new GarnerError(
    'access.denied',
    `fetching https://bob:${secret}@example.org/?api_key=${secret}&q=1`,
    {
      details: { headers: { Authorization: `Bearer ${secret}` } },
      cause: new TypeError(`sent Authorization: Bearer ${secret}`),
    },
  );
  const { lines, log } = collect({});
  log('run.failed', { source: 'samples', error });
  log('http.failed', {
    method: 'GET',
    path: `/x?token=${secret}`,
    error: [{ token: secret, apiKey: secret, API_KEY: secret, password: secret, cookies: [secret] }],
  });
  assert.equal(lines.length, 2);
  for (const line of lines) assert.ok(!line.includes(secret), line);
  assert.ok(lines[0]?.includes('example.org'), 'the rest of the address stays');
  assert.ok(lines[0]?.includes('&q=1'));
});

test('ordinary keys that only look like secrets stay', () => {
  const fields = { monkey: 'x', keyboard: 'y', tokenised: true, author: 'z', keys: 3 };
  assert.deepEqual(redact(fields), fields);
});

test('values that JSON cannot hold are logged all the same', () => {
  const circular: Record<string, unknown> = { size: 5n, bytes: new Uint8Array(3), when: new Date(0) };
  circular.self = circular;
  assert.deepEqual(redact(circular), {
    size: '5',
    bytes: '[3 bytes]',
    when: '1970-01-01T00:00:00.000Z',
    self: '[circular]',
  });
});

test('only unexpected errors bring their stack', () => {
  const expected = redact(new GarnerError('store.busy', 'waited'));
  const bug = redact(new TypeError('oops'));
  assert.ok(!Object.hasOwn(expected as object, 'stack'));
  assert.ok(Object.hasOwn(bug as object, 'stack'));
});
