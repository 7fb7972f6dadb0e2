import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { OPERATOR, PUBLIC } from '../../core/access.ts';
import { openSqliteStore } from './open.ts';

const REF = { source: 's', identifier: 'a' };
let folder: string;
let store: ReturnType<typeof openSqliteStore>;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'garner-thin-'));
  store = openSqliteStore({
    folder,
    fields: [],
    sources: [{ name: 's', access: PUBLIC }],
    views: [],
    repositoryIdentifier: 'thin.example.org',
  });
  for (let version = 1; version <= 5; version++) {
    const event = { type: 'fix', driver: 'repository', agent: 'Ada', reason: `state ${version}` };
    await inRun((runId) =>
      store.items.commit({
        source: 's',
        runId,
        records: [
          {
            identifier: 'a',
            format: 'f',
            raw: Buffer.from(`state ${version}`),
            document: { fields: {}, words: {} },
            origin: { event },
          },
        ],
      }),
    );
  }
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

async function inRun<T>(work: (runId: number) => Promise<T>): Promise<T> {
  const { id } = await store.runs.startRun('s', 'test');
  const result = await work(id);
  await store.runs.finishRun(id, 'complete');
  return result;
}

const textOf = async (version: number): Promise<string | undefined> => {
  const content = await store.items.findContent(REF, { version }, OPERATOR);
  return content && Buffer.from(content.bytes).toString();
};

test('thinning takes the content of old versions, never of the first, the newest or a pinned one', async () => {
  await inRun((runId) => store.items.pinVersion(REF, { version: 3 }, true, runId));
  const thinned = await inRun((runId) =>
    store.items.thinVersions(REF, { versions: [1, 2, 3, 4, 5, 6] }, runId),
  );
  assert.deepEqual(thinned, [2, 4]);
  assert.deepEqual(await Promise.all([1, 2, 3, 4, 5].map(textOf)), [
    'state 1',
    undefined,
    'state 3',
    undefined,
    'state 5',
  ]);
  const history = await store.items.listHistory(REF, OPERATOR);
  assert.deepEqual(
    history.map(({ version, pinned, thinned: gone, event }) => [version, pinned, gone, event?.reason]),
    [
      [1, undefined, undefined, 'state 1'],
      [2, undefined, true, 'state 2'],
      [3, true, undefined, 'state 3'],
      [4, undefined, true, 'state 4'],
      [5, undefined, undefined, 'state 5'],
    ],
  );
  await store.admin.optimise();
  assert.deepEqual(await store.admin.verify(), []);
});

test('a version whose content is gone cannot be brought back, and nothing is deleted in the attempt', async () => {
  await inRun((runId) => store.items.thinVersions(REF, { versions: [2] }, runId));
  const { id } = await store.runs.startRun('s', 'rollback');
  await assert.rejects(store.items.rollback(REF, { version: 2 }, id), { code: 'version.thinned' });
  assert.equal((await store.items.findItem(REF, OPERATOR))?.status, 'live');
});

test('a pin can be taken away, and does not go over to a version that is made equal to it', async () => {
  await inRun((runId) => store.items.pinVersion(REF, { version: 2 }, true, runId));
  await inRun((runId) => store.items.rollback(REF, { version: 2 }, runId));
  const pins = async () =>
    (await store.items.listHistory(REF, OPERATOR)).flatMap(({ version, pinned }) =>
      pinned ? [version] : [],
    );
  assert.deepEqual(await pins(), [2]);
  await inRun((runId) => store.items.pinVersion(REF, { version: 2 }, false, runId));
  assert.deepEqual(await pins(), []);
  await assert.rejects(
    inRun((runId) => store.items.pinVersion(REF, { version: 9 }, true, runId)),
    { code: 'version.unknown' },
  );
});
