/**
 * The configuration in the store: sources, views and their access rules. What a change means for the items
 * (other readers, other members) is noted as work to do in the same transaction, and then done in short ones,
 * by whichever process comes first; a killed process leaves the rest to the next.
 */
import { hash } from 'node:crypto';
import type { StoreSetup } from '../admin.ts';
import { canonicalRule } from './access-filter.ts';
import type { ViewDefinition } from './catalogue.ts';
import { ItemChanges } from './item-changes.ts';
import { type ItemState, loadItemsByKey } from './item-state.ts';
import { settleItems } from './settle.ts';
import type { StoreWriter } from './writer.ts';

const CHUNK = 500;
const VIEWS_TODO = 'todo:views';
const ACCESS_TODO = 'todo:access:';

const digestOf = (value: unknown): string => hash('sha256', JSON.stringify(value));

export function extractionDigest(setup: StoreSetup): string {
  return setup.extractionDigest ?? digestOf(setup.fields);
}

function definitionOf({ sources, query }: StoreSetup['views'][number]): string {
  const definition: ViewDefinition = sources ? { sources: [...sources].sort(), query } : { query };
  return JSON.stringify(definition);
}

export function applySetup(writer: StoreWriter, setup: StoreSetup): void {
  const { db, catalogue } = writer;
  const wanted = digestOf([
    setup.sources.map(({ name, access }) => [name, canonicalRule(access)]),
    setup.views.map((view) => [view.name, definitionOf(view), canonicalRule(view.access)]),
  ]);
  const findMeta = db.prepare('SELECT value FROM meta WHERE name = ?');
  // Without this look, every start would wait for the writers of the day.
  if (findMeta.get('setup_digest')?.value !== wanted) {
    writer.transact(({ now }) => {
      const sourcesChanged = applySources();
      const viewsChanged = applyViews(now);
      if (sourcesChanged || viewsChanged)
        writer.setMeta('setup', Number(findMeta.get('setup')?.value ?? 0) + 1);
      writer.setMeta('setup_digest', wanted);
    });
  }
  doLeftWork(writer);

  function applySources(): boolean {
    const find = db.prepare('SELECT id, access_id FROM source WHERE name = ?');
    const insert = db.prepare('INSERT INTO source (name, access_id) VALUES (?, ?)');
    const update = db.prepare('UPDATE source SET access_id = ? WHERE id = ?');
    let changed = false;
    for (const { name, access } of setup.sources) {
      const rule = catalogue.ruleId(access);
      const known = find.get(name);
      if (known?.access_id === rule) continue;
      changed = true;
      if (known) {
        update.run(rule, known.id ?? null);
        writer.setMeta(`${ACCESS_TODO}${String(known.id)}`, 0);
      } else insert.run(name, rule);
    }
    return changed;
  }

  function applyViews(now: number): boolean {
    const list = db.prepare('SELECT * FROM view');
    const insert = db.prepare('INSERT INTO view (name, definition, access_id) VALUES (?, ?, ?)');
    const update = db.prepare(
      'UPDATE view SET definition = ?, access_id = ?, dropped_at = NULL WHERE id = ?',
    );
    const drop = db.prepare('UPDATE view SET dropped_at = ? WHERE id = ?');
    const known = new Map(list.all().map((row) => [String(row.name), row]));
    let changed = false;
    let membersChanged = false;
    for (const view of setup.views) {
      const definition = definitionOf(view);
      const rule = catalogue.ruleId(view.access);
      const row = known.get(view.name);
      known.delete(view.name);
      const sameMembers = row?.definition === definition && row.dropped_at === null;
      if (sameMembers && row.access_id === rule) continue;
      changed = true;
      membersChanged ||= !sameMembers;
      if (row) update.run(definition, rule, row.id ?? null);
      else insert.run(view.name, definition, rule);
    }
    for (const row of known.values()) {
      if (row.dropped_at !== null) continue;
      changed = true;
      drop.run(now, row.id ?? null);
    }
    if (membersChanged) writer.setMeta(VIEWS_TODO, 0);
    return changed;
  }
}

function doLeftWork(writer: StoreWriter): void {
  const { db } = writer;
  const listWork = db.prepare(`SELECT name FROM meta WHERE name GLOB 'todo:*'`);
  const accessOf = db.prepare('SELECT access_id FROM source WHERE id = ?');
  const itemsOfSource = db.prepare(
    `SELECT key FROM item WHERE source_id = ? AND own_access = 0 AND key > ? ORDER BY key LIMIT ${CHUNK}`,
  );
  const liveItems = db.prepare(`SELECT key FROM item WHERE live = 1 AND key > ? ORDER BY key LIMIT ${CHUNK}`);

  for (const { name } of listWork.all()) {
    const work = String(name);
    if (work === VIEWS_TODO) {
      inChunks(
        writer,
        work,
        (after) => liveItems.all(after),
        (changes, item) => changes.reviewViews(item),
      );
      continue;
    }
    const sourceId = Number(work.slice(ACCESS_TODO.length));
    inChunks(
      writer,
      work,
      (after) => itemsOfSource.all(sourceId, after),
      (changes, item) => changes.setAccess(item, Number(accessOf.get(sourceId)?.access_id), false),
    );
  }
}

/** The position is read and moved inside each transaction, so that two processes share the work, not repeat it. */
function inChunks(
  writer: StoreWriter,
  work: string,
  list: (after: number) => Record<string, unknown>[],
  change: (changes: ItemChanges, item: ItemState) => void,
): void {
  const position = writer.db.prepare('SELECT value FROM meta WHERE name = ?');
  const forget = writer.db.prepare('DELETE FROM meta WHERE name = ?');
  for (let done = false; !done; ) {
    writer.transact((transaction) => {
      const row = position.get(work);
      if (!row) {
        done = true;
        return;
      }
      const keys = list(Number(row.value)).map(({ key }) => Number(key));
      const changes = new ItemChanges(writer, transaction, 0);
      for (const item of loadItemsByKey(writer.statements, keys)) change(changes, item);
      settleItems(writer, transaction, changes);
      done = keys.length < CHUNK;
      if (done) forget.run(work);
      else writer.setMeta(work, keys.at(-1) ?? 0);
    });
  }
}
