import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { FIELDS, makeRecord } from '../../../test/contract/store-fixture.ts';
import { startChild } from '../../../test/processes/start-store-child.ts';
import { ANONYMOUS } from '../../core/access.ts';
import { GarnerError } from '../../core/errors.ts';
import type { SqliteStore } from './assemble.ts';
import { databasePath } from './database.ts';
import { openSqliteStore } from './open.ts';

const SOURCES = ['samples', 'others'].map((name) => ({ name, access: { public: true } }));

async function inFolder(body: (folder: string, open: () => SqliteStore) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'garner-processes-'));
  const stores: SqliteStore[] = [];
  const open = () => {
    const setup = {
      folder,
      fields: FIELDS,
      sources: SOURCES,
      views: [],
      repositoryIdentifier: 'example.org',
    };
    const store = openSqliteStore(setup);
    stores.push(store);
    return store;
  };
  try {
    await body(folder, open);
  } finally {
    for (const store of stores) await store.close();
    await rm(folder, { recursive: true, force: true });
  }
}

describe('several processes on one store', () => {
  test('a lease is held against another process until its holder is killed', () =>
    inFolder(async (folder, open) => {
      const store = open();
      const child = startChild('hold', folder, 'samples');
      const held = Number((await child.waitFor('run')).split(' ')[1]);
      await assert.rejects(store.runs.startRun('samples', 'import'), (error) => {
        assert.ok(error instanceof GarnerError);
        assert.equal(error.code, 'store.leased');
        assert.match(error.message, new RegExp(`run ${held} of process ${child.process.pid}@`));
        return true;
      });
      assert.equal((await store.runs.findRun(held))?.status, 'running');
      await child.kill();
      assert.equal((await store.runs.findRun(held))?.status, 'interrupted');
      const { id } = await store.runs.startRun('samples', 'import');
      assert.ok(id > held);
      assert.match((await store.runs.findRun(held))?.message ?? '', /ended or fell silent/);
      assert.deepEqual(await store.admin.verify(), []);
    }));

  test('three processes that make the store at the same time make one store', () =>
    inFolder(async (folder, open) => {
      const children = [1, 2, 3].map(() => startChild('open', folder));
      assert.deepEqual(await Promise.all(children.map((child) => child.ended)), [0, 0, 0]);
      assert.deepEqual(
        (await open().items.listSources()).map((source) => source.name),
        ['others', 'samples'],
      );
    }));

  test('two processes commit to two sources at once, and a third sees all of it', () =>
    inFolder(async (folder, open) => {
      const store = open();
      const children = ['samples', 'others'].map((source) => startChild('commit', folder, source, 12, 50));
      assert.deepEqual(await Promise.all(children.map((child) => child.ended)), [0, 0]);
      assert.deepEqual(
        (await store.items.listSources()).map((source) => [source.name, source.liveItems]),
        [
          ['others', 600],
          ['samples', 600],
        ],
      );
      assert.equal((await store.admin.statistics()).seq, 24, 'every commit has its own number');
      assert.deepEqual(await store.admin.verify(), []);
    }));

  test('a reader is not blocked by an open write transaction, and sees nothing of it', () =>
    inFolder(async (folder, open) => {
      const store = open();
      const { id } = await store.runs.startRun('samples', 'import');
      await store.items.commit({ source: 'samples', runId: id, records: [makeRecord('a', 'before')] });
      const writer = new DatabaseSync(databasePath(folder));
      try {
        writer.exec(`BEGIN IMMEDIATE; UPDATE item SET title = 'half done'`);
        const item = await store.items.findItem({ source: 'samples', identifier: 'a' }, ANONYMOUS);
        assert.equal(item?.title, 'before');
        assert.deepEqual(await store.admin.verify(), []);
        writer.exec('ROLLBACK');
      } finally {
        writer.close();
      }
    }));

  test('killed ten times at any moment, an import ends with exactly its input and a sound store', () =>
    inFolder(async (folder, open) => {
      const [batches, size] = [30, 40];
      for (let kills = 0; kills < 10; kills++) {
        const child = startChild('commit', folder, 'samples', batches, size);
        await Promise.race([child.waitFor('run'), child.ended]);
        await pause(Math.random() * 60);
        await child.kill();
        const store = open();
        assert.deepEqual(await store.admin.verify(), [], `after kill ${kills}`);
        // What was said to be committed is there.
        const told = child.lines.filter((line) => line.startsWith('committed')).at(-1);
        if (told) {
          const last = { source: 'samples', identifier: `r${told.split(' ')[1]}-${size - 1}` };
          assert.ok(await store.items.findItem(last, ANONYMOUS), told);
        }
        await store.close();
      }
      assert.equal(await startChild('commit', folder, 'samples', batches, size).ended, 0);
      const store = open();
      const statistics = await store.admin.statistics();
      assert.equal(statistics.liveItems, batches * size);
      assert.equal(statistics.versions, batches * size, 'nothing twice');
      for (let batch = 0; batch < batches; batch++) {
        const i = size - 1;
        const id = `r${batch}-${i}`;
        const content = await store.items.findContent({ source: 'samples', identifier: id }, {}, ANONYMOUS);
        assert.equal(Buffer.from(content?.bytes ?? []).toString(), `<r>${id} ${'text '.repeat(i)}</r>`);
      }
      assert.equal((await store.items.listEntries('samples', undefined, 1000)).length, batches);
      assert.deepEqual(await store.admin.verify(), []);
    }));
});
