/** Sorting by title: the titles of few documents are fetched, among many the index of titles is walked. */
import type { DatabaseSync } from 'node:sqlite';
import type { SortSpec } from '../../search.ts';
import { type FieldCursor, invalidCursor } from './cursor.ts';
import { type SortedPage, sortByString } from './sort-by.ts';
import { readArray } from './term-table.ts';
import { titlesWhere } from './title-rows.ts';

/** Up to here fetching is cheaper than walking past the titles of others. */
const FEW = 20_000;

export function sortByTitle(
  db: DatabaseSync,
  sort: SortSpec,
  keys: Uint32Array,
  count: number,
  after: FieldCursor | undefined,
): SortedPage {
  if (typeof after?.value === 'number') throw invalidCursor();
  if (keys.length <= FEW) {
    const row = db
      .prepare(
        `SELECT json_group_array(item_key) AS keys, json_group_array(folded) AS titles FROM title
         WHERE item_key IN (SELECT value FROM json_each(?))`,
      )
      .get(JSON.stringify([...keys]));
    const found = readArray<number>(row?.keys);
    const titles = readArray<string>(row?.titles);
    const byKey = new Map(found.map((key, i) => [key, titles[i]!]));
    return sortByString((key) => byKey.get(key), sort, keys, count, after);
  }
  return walkTitles(db, sort, keys, count, after);
}

function walkTitles(
  db: DatabaseSync,
  { direction }: SortSpec,
  keys: Uint32Array,
  count: number,
  after: FieldCursor | undefined,
): SortedPage {
  const wanted = new Set(keys);
  const titles = new Map<number, string>();
  const page: number[] = [];
  if (after === undefined || typeof after.value === 'string') {
    let group: number[] = [];
    let groupTitle: string | undefined;
    const closeGroup = () => {
      // The index walked downwards gives keys downwards too.
      page.push(...group.sort((a, b) => a - b));
      group = [];
    };
    for (const row of listTitles(db, direction, after)) {
      const title = String(row.folded);
      const key = Number(row.item_key);
      if (title !== groupTitle) {
        closeGroup();
        if (page.length >= count) break;
        groupTitle = title;
      }
      if (!wanted.has(key) || (after && title === after.value && key <= after.key)) continue;
      group.push(key);
      titles.set(key, title);
    }
    closeGroup();
  }
  if (page.length < count) page.push(...withoutTitle(db, keys, after, count - page.length));
  return { keys: page.slice(0, count), sortValue: (key) => titles.get(key) ?? null };
}

function listTitles(db: DatabaseSync, direction: SortSpec['direction'], after: FieldCursor | undefined) {
  const order = direction === 'asc' ? 'ASC' : 'DESC';
  const rows = titlesWhere(after ? `folded ${direction === 'asc' ? '>=' : '<='} ?1` : 'true');
  return db
    .prepare(`${rows} ORDER BY folded ${order}, item_key ${order}`)
    .iterate(...(after ? [after.value] : []));
}

function withoutTitle(
  db: DatabaseSync,
  keys: Uint32Array,
  after: FieldCursor | undefined,
  count: number,
): Uint32Array {
  const titled = new Set(
    readArray<number>(db.prepare('SELECT json_group_array(item_key) AS keys FROM title').get()?.keys),
  );
  const beyond = after?.value === null ? after.key : -1;
  return keys.filter((key) => key > beyond && !titled.has(key)).slice(0, count);
}
