import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { FIELDS, makeRecord } from '../../../test/contract/store-fixture.ts';
import { ANONYMOUS } from '../../core/access.ts';
import type { StoreUpdate } from '../admin.ts';
import { databasePath } from './database.ts';
import { openSqliteStore, updateSqliteStore } from './open.ts';
import { SCHEMA_VERSION } from './schema.ts';

const setupOf = (folder: string) => ({
  folder,
  fields: FIELDS,
  sources: [{ name: 'samples', access: { public: true } }],
  views: [],
  repositoryIdentifier: 'example.org',
});
const open = (folder: string, readOnly = false) => openSqliteStore(setupOf(folder), { readOnly });

/** Takes from today's tables what came with schema 6 and later. */
const TO_SCHEMA_5 = `
  DROP TABLE loss;
  DROP TRIGGER record_added; DROP TRIGGER record_stamped; DROP INDEX record_harvest; DROP INDEX record_source_harvest;
  ALTER TABLE item DROP COLUMN held_access; ALTER TABLE version DROP COLUMN held;
  ALTER TABLE record DROP COLUMN held; ALTER TABLE record DROP COLUMN left_public;
  CREATE INDEX record_harvest ON record(format_id, datestamp, item_key);
  CREATE INDEX record_source_harvest ON record(source_id, format_id, datestamp, item_key);
  CREATE TRIGGER record_added AFTER INSERT ON record BEGIN SELECT 1; END;
  CREATE TRIGGER record_stamped AFTER UPDATE OF datestamp ON record BEGIN SELECT 1; END;`;

/** A store of 2,500 records with the words in a table of FTS5, as schema 3 had it. */
async function makeVersion3(folder: string): Promise<void> {
  const store = open(folder);
  const { id: runId } = await store.runs.startRun('samples', 'import');
  const records = Array.from({ length: 2500 }, (_, i) =>
    makeRecord(`r${i}`, `Record ${i}`, { keyword: [`unique${i}`], abstract: i % 2 ? 'odd' : 'even' }),
  );
  await store.items.commit({ source: 'samples', runId, records });
  await store.items.commit({ source: 'samples', runId, records: [], deletions: [{ identifier: 'r7' }] });
  await store.runs.finishRun(runId, 'complete');
  await store.close();
  const db = new DatabaseSync(databasePath(folder));
  const columns = Array.from({ length: 32 }, (_, i) => `c${i}`).join(', ');
  db.exec(`DROP TABLE word_segment; DROP TABLE word_chunk; DROP TABLE word_garbage;
    CREATE VIRTUAL TABLE words USING fts5(${columns}, rest, content='', contentless_delete=1, tokenize='ascii');
    DROP INDEX title_folded; DROP INDEX title_fresh; ALTER TABLE title DROP COLUMN fresh;
    CREATE INDEX title_folded ON title(folded, item_key);
    UPDATE term SET df = 77;
    ${TO_SCHEMA_5}
    UPDATE meta SET value = 3 WHERE name = 'schema_version'`);
  db.close();
}

async function withVersion3(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'garner-words-'));
  try {
    await makeVersion3(folder);
    await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function total(folder: string, text: string, readOnly = false): Promise<number> {
  const store = open(folder, readOnly);
  const answer = await store.search.search({ query: { type: 'term', text }, limit: 1 }, ANONYMOUS);
  await store.close();
  return answer.total;
}

for (const readOnly of [false, true]) {
  test(`a migrated store has its words again, opened ${readOnly ? 'only to read' : 'to write'}`, () =>
    withVersion3(async (folder) => {
      assert.equal(await total(folder, 'record', readOnly), 2499);
      assert.equal(await total(folder, 'odd', readOnly), 1249);
      assert.equal(await total(folder, 'unique2499', readOnly), 1);
      assert.equal(await total(folder, 'unique7', readOnly), 0);
      const store = open(folder);
      assert.deepEqual(await store.admin.verify(), []);
      await store.close();
      const db = new DatabaseSync(databasePath(folder));
      assert.equal(db.prepare("SELECT df FROM term WHERE word = 'unique3'").get()?.df, 1);
      db.close();
    }));
}

test('words of schema 4 are made again, as its values were kept apart by another sign', () =>
  withVersion3(async (folder) => {
    assert.equal(await total(folder, 'record'), 2499);
    const db = new DatabaseSync(databasePath(folder));
    db.exec(`${TO_SCHEMA_5} UPDATE meta SET value = 4 WHERE name = 'schema_version';
      UPDATE term SET df = 77; DELETE FROM word_segment WHERE id = (SELECT max(id) FROM word_segment)`);
    db.close();
    assert.equal(await total(folder, 'record'), 2499);
    const store = open(folder);
    assert.deepEqual(await store.admin.verify(), []);
    await store.close();
  }));

test('what a killed process left of that work is done by the next', () =>
  withVersion3(async (folder) => {
    assert.equal(await total(folder, 'record'), 2499);
    const db = new DatabaseSync(databasePath(folder));
    // As after its second chunk: the words of the later items are not there yet.
    db.exec(`DELETE FROM word_segment WHERE id = (SELECT max(id) FROM word_segment);
      INSERT INTO meta (name, value) VALUES ('words_todo', 2000)`);
    db.close();
    assert.equal(await total(folder, 'record', true), 2499);
    assert.equal(await total(folder, 'unique2100', true), 1);
  }));

test('an update tells how far it is, and a store that needs none nothing', () =>
  withVersion3(async (folder) => {
    const updates: StoreUpdate[] = [];
    const update = () => updateSqliteStore(setupOf(folder), (step) => updates.push(step));
    await update();
    assert.deepEqual(updates.splice(0), [
      { step: 'tables', from: 3, to: SCHEMA_VERSION },
      { step: 'words', done: 1000, total: 2499 },
      { step: 'words', done: 2000, total: 2499 },
      { step: 'words', done: 2499, total: 2499 },
      { step: 'done' },
    ]);
    await update();
    assert.equal(updates.length, 0);
    assert.equal(await total(folder, 'record'), 2499);
    await updateSqliteStore(setupOf(join(folder, 'nowhere')), (step) => updates.push(step));
    assert.equal(updates.length, 0);
  }));
