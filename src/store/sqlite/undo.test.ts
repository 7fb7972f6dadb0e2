import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import fc from 'fast-check';
import { PUBLIC, type Viewer } from '../../core/access.ts';
import type { CommitBatch, IncomingRecord } from '../items.ts';
import { openSqliteStore } from './open.ts';

const READER: Viewer = { role: 'reader', groups: [] };
let folder: string;
let store: ReturnType<typeof openSqliteStore>;

const open = () => {
  folder = mkdtempSync(join(tmpdir(), 'garner-undo-'));
  store = openSqliteStore({
    folder,
    fields: [],
    sources: [{ name: 's', access: PUBLIC }],
    views: [],
    repositoryIdentifier: 'undo.example.org',
  });
};
const close = async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
};
beforeEach(open);
afterEach(close);

const record = (identifier: string, text: string, format = 'a'): IncomingRecord => ({
  identifier,
  format,
  raw: Buffer.from(text),
  document: { fields: {}, words: { '': text } },
});

async function run(change: Pick<CommitBatch, 'records' | 'deletions'>): Promise<number> {
  const { id } = await store.runs.startRun('s', 'test');
  await store.items.commit({ source: 's', runId: id, ...change });
  await store.runs.finishRun(id, 'complete');
  return id;
}

async function undo(undone: number) {
  const { id } = await store.runs.startRun('s', 'undo');
  const done = await store.items.undoRun('s', id, undone);
  await store.runs.finishRun(id, 'complete');
  return done;
}

/** What readers see: live records with their bytes, by identifier and format. */
async function state(identifiers: readonly string[]): Promise<Record<string, string>> {
  const seen: Record<string, string> = {};
  for (const identifier of identifiers) {
    const item = await store.items.findItem({ source: 's', identifier }, READER);
    for (const { format, status } of item?.records ?? []) {
      if (status !== 'live') continue;
      const content = await store.items.findContent({ source: 's', identifier }, { format }, READER);
      seen[`${identifier}/${format}`] = Buffer.from(content?.bytes ?? []).toString();
    }
  }
  return seen;
}

test('what a run added, changed and deleted is as before, and history keeps it all', async () => {
  await run({ records: [record('kept', 'k'), record('changed', 'old'), record('gone', 'g')] });
  const bad = await run({
    records: [record('changed', 'new'), record('added', 'x')],
    deletions: [{ identifier: 'gone' }],
  });
  assert.deepEqual(await undo(bad), { restored: 2, deleted: 1, kept: 0 });
  assert.deepEqual(await state(['kept', 'changed', 'gone', 'added']), {
    'kept/a': 'k',
    'changed/a': 'old',
    'gone/a': 'g',
  });
  const history = await store.items.listHistory({ source: 's', identifier: 'changed' }, READER);
  assert.deepEqual(history.map(({ change }) => change).toSorted(), ['added', 'rolled-back', 'updated']);
  assert.deepEqual(await store.admin.verify(), []);
});

test('each format of an item is undone by itself', async () => {
  await run({ records: [record('x', 'a1', 'a')] });
  const second = await run({ records: [record('x', 'b1', 'b')] });
  assert.deepEqual(await undo(second), { restored: 0, deleted: 1, kept: 0 });
  assert.deepEqual(await state(['x']), { 'x/a': 'a1' });
});

test('what changed again since the run stays, and is told', async () => {
  await run({ records: [record('x', '1'), record('y', '1')] });
  const bad = await run({ records: [record('x', '2'), record('y', '2')] });
  await run({ records: [record('y', '3')] });
  assert.deepEqual(await undo(bad), { restored: 1, deleted: 0, kept: 1 });
  assert.deepEqual(await state(['x', 'y']), { 'x/a': '1', 'y/a': '3' });
});

test('an undo can be undone', async () => {
  await run({ records: [record('x', '1')] });
  const second = await run({ records: [record('x', '2'), record('z', 'z')] });
  const { id } = await store.runs.startRun('s', 'undo');
  await store.items.undoRun('s', id, second);
  await store.runs.finishRun(id, 'complete');
  await undo(id);
  assert.deepEqual(await state(['x', 'z']), { 'x/a': '2', 'z/a': 'z' });
});

test('a run of another source, or none, is refused', async () => {
  const { id } = await store.runs.startRun('s', 'undo');
  await assert.rejects(store.items.undoRun('s', id, 999), { code: 'run.unknown' });
});

test('after any history, undoing the last run gives the state before it', async () => {
  const identifiers = ['p', 'q', 'r'];
  const change = fc.record({
    identifier: fc.constantFrom(...identifiers),
    format: fc.constantFrom('a', 'b'),
    text: fc.option(fc.constantFrom('1', '2', '3')),
  });
  const runs = fc.array(fc.array(change, { maxLength: 4 }), { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(runs, async (history) => {
      await close();
      open();
      let before: Record<string, string> = {};
      let last = 0;
      for (const changes of history) {
        before = await state(identifiers);
        const { id } = await store.runs.startRun('s', 'test');
        last = id;
        for (const { identifier, format, text } of changes)
          await store.items.commit({
            source: 's',
            runId: id,
            ...(text === null
              ? { deletions: [{ identifier, format }] }
              : { records: [record(identifier, text, format)] }),
          });
        await store.runs.finishRun(id, 'complete');
      }
      await undo(last);
      assert.deepEqual(await state(identifiers), before);
      assert.deepEqual(await store.admin.verify(), []);
    }),
    { numRuns: 25 },
  );
});
