import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { FIELDS, importRecords, makeRecord } from '../../../test/contract/store-fixture.ts';
import { ANONYMOUS, OPERATOR } from '../../core/access.ts';
import { GarnerError } from '../../core/errors.ts';
import type { StoreSetup } from '../admin.ts';
import { assembleStore, type IndexParts, type OpenOptions, type SqliteStore } from './assemble.ts';
import { restoreBackup } from './backup.ts';
import { databasePath } from './database.ts';
import type { DocChange } from './doc-change.ts';
import { NO_INDEX } from './no-index.fixture.ts';
import { OpenSecond } from './open-second.ts';
import { SCHEMA_VERSION } from './schema.ts';

interface Place {
  readonly folder: string;
  readonly open: (more?: Partial<StoreSetup>, options?: OpenOptions, index?: IndexParts) => SqliteStore;
}

async function inFolder(body: (place: Place) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'garner-sqlite-'));
  const stores: SqliteStore[] = [];
  try {
    await body({
      folder,
      open: (more = {}, options = {}, index = NO_INDEX) => {
        const sources = ['samples', 'others'].map((name) => ({ name, access: { public: true } }));
        const setup = {
          folder,
          fields: FIELDS,
          sources,
          views: [],
          repositoryIdentifier: 'example.org',
          ...more,
        };
        const store = assembleStore(setup, options, index);
        stores.push(store);
        return store;
      },
    });
  } finally {
    for (const store of stores) await store.close();
    await rm(folder, { recursive: true, force: true });
  }
}

const withCode = (code: string) => (error: unknown) => error instanceof GarnerError && error.code === code;
const change = (folder: string, sql: string) => {
  const db = new DatabaseSync(databasePath(folder), { enableForeignKeyConstraints: false });
  db.exec(sql);
  db.close();
};
const at = (identifier: string) => ({ source: 'samples', identifier });

describe('opening', () => {
  test('a store of a newer schema version is refused, for writing and for reading', () =>
    inFolder(async ({ folder, open }) => {
      await open().close();
      change(folder, `UPDATE meta SET value = ${SCHEMA_VERSION + 1} WHERE name = 'schema_version'`);
      assert.throws(() => open(), withCode('store.newer'));
      assert.throws(() => open({}, { readOnly: true }), withCode('store.newer'));
    }));

  test('a database that is not ours, or no database at all, is refused and left as it is', () =>
    inFolder(async ({ folder, open }) => {
      change(folder, 'CREATE TABLE theirs (x)');
      assert.throws(() => open(), withCode('store.corrupt'));
      await rm(databasePath(folder));
      await writeFile(databasePath(folder), 'x'.repeat(20_000));
      assert.throws(() => open(), withCode('store.corrupt'));
    }));

  test('reading only needs a store to be there, sees other writers, and refuses to write', () =>
    inFolder(async ({ open }) => {
      assert.throws(() => open({}, { readOnly: true }), withCode('store.missing'));
      const writer = open();
      const reader = open({}, { readOnly: true });
      await importRecords(writer, 'samples', [makeRecord('a', 'x')]);
      assert.equal((await reader.items.findItem(at('a'), ANONYMOUS))?.title, 'x');
      await assert.rejects(reader.runs.startRun('samples', 'import'), withCode('internal.bug'));
      assert.deepEqual(await reader.admin.verify(), []);
    }));

  test('a view is rebuilt to the end by the next start when one was killed in the middle', () =>
    inFolder(async ({ folder, open }) => {
      const views = [
        { name: 'ice', query: { type: 'term', text: 'ice' } as const, access: { public: true } },
      ];
      const first = open({ views });
      await importRecords(
        first,
        'samples',
        Array.from({ length: 1200 }, (_, i) => makeRecord(`r${i}`, 'ice')),
      );
      await first.close();
      // As a kill after the first of three chunks leaves it.
      change(
        folder,
        `DELETE FROM item_view WHERE item_key > 500; INSERT INTO meta VALUES ('todo:views', 500);`,
      );
      const second = open({ views });
      assert.deepEqual((await second.items.findItem(at('r1199'), ANONYMOUS))?.views, ['ice']);
      await second.close();
      const db = new DatabaseSync(databasePath(folder));
      assert.deepEqual(
        { ...db.prepare('SELECT count(*) AS n FROM item_view WHERE gone IS NULL').get() },
        { n: 1200 },
      );
      assert.deepEqual(db.prepare(`SELECT name FROM meta WHERE name LIKE 'todo%'`).all(), []);
      db.close();
    }));
});

describe('a full disk', () => {
  test('rolls the batch back, says so, tells the index, and the store works on when there is space again', () =>
    inFolder(async ({ folder, open }) => {
      let resets = 0;
      let connection: DatabaseSync | undefined;
      const store = open(
        {},
        {},
        {
          ...NO_INDEX,
          createWriter: (db) => {
            connection = db;
            return { apply() {}, restoreWords() {}, optimise() {}, reset: () => void resets++ };
          },
        },
      );
      const { id } = await store.runs.startRun('samples', 'import');
      await store.items.commit({
        source: 'samples',
        runId: id,
        records: [makeRecord('a', 'x')],
        checkpoint: 'first',
      });
      const pages = Number(connection?.prepare('PRAGMA page_count').get()?.page_count);
      connection?.exec(`PRAGMA max_page_count = ${pages + 2}`);
      const noise = () => Buffer.from(Array.from({ length: 20_000 }, () => Math.floor(Math.random() * 256)));
      const records = Array.from({ length: 20 }, (_, i) =>
        makeRecord(`b${i}`, 'y', { raw: noise(), format: 'big' }),
      );
      const batch = { source: 'samples', runId: id, records, checkpoint: 'second' };
      await assert.rejects(store.items.commit(batch), withCode('store.disk-full'));
      assert.equal(resets, 1);
      assert.equal(await store.items.findItem(at('b0'), ANONYMOUS), undefined);
      assert.deepEqual(await store.admin.verify(), []);

      connection?.exec('PRAGMA max_page_count = 100000');
      assert.equal((await store.items.commit(batch)).added, 20);
      assert.equal((await store.items.findItem(at('b0'), ANONYMOUS))?.schema, 'big');
      assert.deepEqual(await store.admin.verify(), []);
      assert.equal(existsSync(databasePath(folder)), true);
    }));
});

describe('what the index is told', () => {
  test('new words for new documents, none when only the header moved, and which items went', () =>
    inFolder(async ({ open }) => {
      const told: { seq: number; changes: readonly DocChange[]; removed: readonly number[] }[] = [];
      const store = open(
        {},
        {},
        {
          ...NO_INDEX,
          createWriter: () => ({
            apply: (seq, changes, removed) =>
              void told.push({ seq, changes: [...changes], removed: [...removed] }),
            restoreWords() {},
            optimise() {},
            reset() {},
          }),
        },
      );
      const { id: runId } = await store.runs.startRun('samples', 'import');
      const commit = (more: object) => store.items.commit({ source: 'samples', runId, ...more });
      await commit({
        records: [
          makeRecord('a', 'Ice', { abstract: 'hidden' }),
          makeRecord('a', 'two', { format: 'other' }),
        ],
      });
      await commit({ records: [makeRecord('a', 'two b', { format: 'other' })] });
      await commit({ records: [makeRecord('a', 'Ice', { abstract: 'hidden', sets: ['s'] })] });
      await commit({ deletions: [{ identifier: 'a', format: 'plain' }] });
      await commit({ deletions: [{ identifier: 'a' }] });
      const [added, set, switched, removed] = told;
      assert.deepEqual(
        told.map(({ seq }) => seq),
        [1, 3, 4, 5],
        'the second format is not in the index',
      );
      assert.equal(added?.changes[0]?.title, 'Ice');
      assert.deepEqual(added.changes[0].fields, { title: ['Ice'], abstract: ['hidden'] });
      assert.deepEqual(added.changes[0].words, { title: 'ice', abstract: 'hidden', '': '' });
      assert.equal(set?.changes[0]?.setIds.length, 1);
      assert.deepEqual(set.changes[0].fields, { title: ['Ice'], abstract: ['hidden'] });
      assert.equal(set.changes[0].words, undefined);
      assert.equal(switched?.changes[0]?.title, 'two b');
      assert.equal(switched.changes[0].words?.title, 'two b');
      assert.deepEqual([removed?.changes.length, removed?.removed], [0, [added.changes[0].key]]);
    }));
});

describe('the open second', () => {
  test('a list stops before the second that an open transaction stamps, and goes on when it is over', () =>
    inFolder(async ({ folder }) => {
      const writer = new OpenSecond(folder, true);
      const reader = new OpenSecond(folder, false);
      assert.equal(reader.closedBefore(100), 100);
      writer.begin(97);
      assert.equal(reader.closedBefore(100), 97);
      assert.equal(reader.closedBefore(90), 90);
      writer.end();
      assert.equal(reader.closedBefore(100), 100);
      writer.close();
      reader.close();
    }));

  test('a note left by a process that is gone is void', () =>
    inFolder(async ({ folder }) => {
      const note = Buffer.alloc(16);
      note.writeDoubleLE(97, 0);
      note.writeDoubleLE(2 ** 30, 8);
      await writeFile(join(folder, 'garner.writing'), note);
      const reader = new OpenSecond(folder, false);
      assert.equal(reader.closedBefore(100), 100);
      reader.close();
    }));

  test('what a slow commit stamped is not skipped by a list made while it was open', () =>
    inFolder(async ({ open }) => {
      let now = 1_900_000_000_000;
      let during: Promise<readonly unknown[]> | undefined;
      const reader = { store: undefined as SqliteStore | undefined };
      const store = open(
        {},
        { clock: () => now },
        {
          ...NO_INDEX,
          createWriter: () => ({
            // The commit takes three seconds, and meanwhile somebody lists.
            apply: () => {
              now += 3000;
              during = reader.store?.items.listRecords({ limit: 10 }, OPERATOR);
            },
            restoreWords() {},
            optimise() {},
            reset() {},
          }),
        },
      );
      reader.store = store;
      await importRecords(store, 'samples', [makeRecord('a', 'x')]);
      now += 1000;
      await importRecords(store, 'samples', [makeRecord('b', 'x')]);
      assert.deepEqual(
        (await during)?.map((one) => (one as { identifier: string }).identifier),
        ['a'],
        'the second of b is open, though the clock is past it',
      );
      const after = await store.items.listRecords({ limit: 10, fromAt: 1_900_000_001_000 }, OPERATOR);
      assert.deepEqual(
        after.map((one) => one.identifier),
        ['b'],
      );
    }));
});

describe('verify', () => {
  const damages: Record<string, string> = {
    'bytes differ from their digest': `UPDATE record SET digest = zeroblob(32); UPDATE version SET digest = zeroblob(32) WHERE digest IS NOT NULL`,
    'block 1 does not decompress': `UPDATE block SET data = x'00112233' WHERE id = 1`,
    'block 1 is missing': 'DELETE FROM block WHERE id = 1',
    'live_items of the source row differs from its items': 'UPDATE source SET live_items = 7',
    'deleted_items of the source row differs from its items': 'UPDATE source SET deleted_items = 7',
    'item is live or deleted against its records': 'UPDATE item SET live = 0',
    'record differs from its newest version': 'UPDATE record SET version = 9',
    'version without its record': 'DELETE FROM record WHERE key = 1',
    'item without any record': 'DELETE FROM record WHERE key = 1',
    'set membership of nothing': 'INSERT INTO item_set VALUES (99, 1, 0, NULL)',
    'view membership of nothing': 'INSERT INTO item_view VALUES (1, 99, 0, NULL)',
    'datestamp or number of a commit that has not been': 'UPDATE record SET seq = 99',
    'record of an entry that is not there': 'UPDATE record SET entry_id = 99',
    'item that has not the access rule of its source': `INSERT INTO access_rule VALUES (77, '{}'); UPDATE item SET access_id = 77`,
    'item that is open or hidden against its records':
      'UPDATE record SET held = 1; UPDATE version SET held = 1',
    'lease of a run that does not run': `INSERT INTO lease VALUES (1, 99, 1, 'h', 0, 0)`,
  };
  for (const [what, sql] of Object.entries(damages)) {
    test(`finds: ${what}`, () =>
      inFolder(async ({ folder, open }) => {
        const store = open();
        await importRecords(store, 'samples', [makeRecord('a', 'x', { sets: ['s'] }), makeRecord('b', 'x')]);
        assert.deepEqual(await store.admin.verify(), []);
        await store.close();
        change(folder, sql);
        const findings = await open({}, { readOnly: true }).admin.verify();
        assert.ok(
          findings.some((finding) => finding.what === what),
          JSON.stringify(findings),
        );
      }));
  }
});

describe('backup', () => {
  test('a copy made while a run goes on opens as a store of its own, and can be restored', () =>
    inFolder(async ({ folder, open }) => {
      const store = open();
      const { id } = await store.runs.startRun('samples', 'import');
      await store.items.commit({ source: 'samples', runId: id, records: [makeRecord('a', 'saved')] });
      const copy = join(folder, 'copy');
      await store.admin.backup(copy);
      await store.items.commit({ source: 'samples', runId: id, records: [makeRecord('a', 'spoilt')] });
      assert.deepEqual(readdirSync(copy), ['garner.sqlite']);

      await assert.rejects(restoreBackup(copy, folder), withCode('store.busy'));
      await assert.rejects(store.admin.backup(folder), withCode('request.invalid'));
      await store.close();
      // What was gathered from the later store.
      await writeFile(join(folder, 'aggregates.sqlite'), '');
      await restoreBackup(copy, folder);
      assert.ok(!existsSync(join(folder, 'aggregates.sqlite')));
      const restored = open();
      assert.equal((await restored.items.findItem(at('a'), ANONYMOUS))?.title, 'saved');
      assert.deepEqual(await restored.admin.verify(), []);
      assert.ok(existsSync(`${databasePath(folder)}.replaced`));
    }));

  test('a damaged or missing backup is refused, and the store stays', () =>
    inFolder(async ({ folder, open }) => {
      const store = open();
      await importRecords(store, 'samples', [makeRecord('a', 'x')]);
      await store.close();
      await assert.rejects(restoreBackup(join(folder, 'none'), folder), withCode('store.missing'));
      const bad = await mkdtemp(join(folder, 'bad-'));
      await writeFile(databasePath(bad), 'not a database'.repeat(1000));
      await assert.rejects(restoreBackup(bad, folder), withCode('store.corrupt'));
      assert.equal((await open().items.findItem(at('a'), ANONYMOUS))?.title, 'x');
    }));
});
