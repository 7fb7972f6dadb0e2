/** The index against itself and against the items it should hold. */
import type { DatabaseSync } from 'node:sqlite';
import { asGarnerError } from '../../../core/errors.ts';
import type { FieldSpec } from '../../../core/model.ts';
import type { StoreFinding } from '../../admin.ts';
import { verifyWords } from '../words/verify-words.ts';
import { eachValue, firstNumber, selectDocs } from './column-scan.ts';
import { ACCESS_COLUMN, Columns, SOURCE_COLUMN } from './columns.ts';
import { readArray } from './term-table.ts';

/** Findings of one kind that are listed one by one. */
const MAX_LISTED = 20;

/** Documents of sources that were extracted with these fields (`fieldsDigest`) are compared word by word. */
export function verifyIndex(
  db: DatabaseSync,
  fields: readonly FieldSpec[],
  fieldsDigest: string | null,
): StoreFinding[] {
  const { findings: damage, keys: inWords } = verifyWords(db, fields, fieldsDigest);
  const findings: StoreFinding[] = damage.slice(0, MAX_LISTED);
  const columns = new Columns(db);
  try {
    columns.refresh();
  } catch (error) {
    return [...findings, { what: asGarnerError(error).message, where: 'doc-value columns' }];
  }
  const live = selectDocs(columns.get(SOURCE_COLUMN), columns.size, () => true);
  const inColumns = new Set(live.keys());
  const inStore = keySet(db, 'SELECT json_group_array(key) AS keys FROM item WHERE live = 1');
  const inTitles = keySet(db, 'SELECT json_group_array(item_key) AS keys FROM title');
  findings.push(
    ...missing(inStore, inColumns, 'a live item has no doc values'),
    ...missing(inColumns, inStore, 'doc values of an item that is not live'),
    ...missing(inStore, inWords, 'a live item has no words in the index'),
    ...missing(inWords, inStore, 'words of an item that is not live'),
    ...missing(inTitles, inStore, 'a title of an item that is not live'),
    ...checkOwnColumns(db, columns),
    ...checkDictionary(db, columns),
  );
  return findings;
}

function keySet(db: DatabaseSync, sql: string): Set<number> {
  return new Set(readArray<number>(db.prepare(sql).get()?.keys));
}

function missing(expected: ReadonlySet<number>, found: ReadonlySet<number>, what: string): StoreFinding[] {
  return listed([...expected.difference(found)], what, (key) => `item key ${key}`);
}

function listed(keys: readonly number[], what: string, where: (key: number) => string): StoreFinding[] {
  const findings = keys.slice(0, MAX_LISTED).map((key) => ({ what, where: where(key) }));
  if (keys.length > MAX_LISTED) findings.push({ what, where: `and ${keys.length - MAX_LISTED} more` });
  return findings;
}

/** Source and access rule decide what a viewer sees, so they must be those of the item. */
function checkOwnColumns(db: DatabaseSync, columns: Columns): StoreFinding[] {
  const wrong: number[] = [];
  for (const row of db.prepare('SELECT key, source_id, access_id FROM item WHERE live = 1').iterate()) {
    const key = Number(row.key);
    if (
      firstNumber(columns.get(SOURCE_COLUMN), key) !== Number(row.source_id) ||
      firstNumber(columns.get(ACCESS_COLUMN), key) !== Number(row.access_id)
    ) {
      wrong.push(key);
    }
  }
  return listed(
    wrong,
    'the index has another source or access rule than the item',
    (key) => `item key ${key}`,
  );
}

function checkDictionary(db: DatabaseSync, columns: Columns): StoreFinding[] {
  const findings: StoreFinding[] = [];
  const all = selectDocs(columns.get(SOURCE_COLUMN), columns.size, () => true).keys();
  const last = db.prepare('SELECT max(ordinal) AS last FROM value WHERE field_id = ?');
  for (const row of db.prepare('SELECT id, name FROM field').all()) {
    const id = Number(row.id);
    const column = columns.get(id);
    if (column?.kind !== 'ordinal') continue;
    const lastOrdinal = Number(last.get(id)?.last ?? 0);
    // A column that only says whether there is text holds nothing but ones.
    const wrong: number[] = [];
    eachValue(column, all, (key, numbers, at) => {
      if (numbers[at]! > Math.max(1, lastOrdinal)) wrong.push(key);
    });
    findings.push(
      ...listed(
        wrong,
        `a value of "${String(row.name)}" is not in the dictionary`,
        (key) => `item key ${key}`,
      ),
    );
  }
  return findings;
}
