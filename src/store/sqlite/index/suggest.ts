/** Completions while somebody types: values of facet fields and titles, counted among what the viewer sees. */
import type { DatabaseSync } from 'node:sqlite';
import type { FieldSpec } from '../../../core/model.ts';
import { foldValue, splitWords } from '../../../query/words.ts';
import type { Suggestion } from '../../search.ts';
import type { Columns } from './columns.ts';
import type { DocSet } from './doc-set.ts';
import { countOrdinals } from './facets.ts';
import type { IndexedField } from './field-registry.ts';
import { readArray } from './term-table.ts';
import { titleKey } from './title-key.ts';
import { titlesWhere } from './title-rows.ts';
import type { ValueLookup } from './value-lookup.ts';
import type { WordIndex, WordQuery } from './word-index.ts';

export interface SuggestReader {
  readonly db: DatabaseSync;
  readonly columns: Columns;
  readonly values: ValueLookup;
  readonly index: WordIndex;
  readonly specs: ReadonlyMap<string, FieldSpec>;
  readonly fields: ReadonlyMap<string, IndexedField>;
}

/** Titles looked at, in the order of the alphabet or of age. */
const MAX_TITLES = 2000;
/** Dictionaries up to this size are searched for values with a later word that begins so. */
const MAX_SCANNED_VALUES = 200_000;
/** Milliseconds that a search for titles by their inner words may take. */
const MAX_TITLE_SEARCH_MS = 60;

export function suggest(
  reader: SuggestReader,
  prefix: string,
  options: { field?: string; limit: number },
  visible: DocSet,
): Suggestion[] {
  const wanted = foldValue(prefix);
  if (!wanted) return [];
  const found: Suggestion[] = [];
  for (const spec of reader.specs.values()) {
    if (options.field === undefined ? !spec.facet : options.field !== spec.name) continue;
    const field = reader.fields.get(spec.name);
    if (field?.use === 'ordinal') found.push(...suggestValues(reader, field, wanted, options.limit, visible));
  }
  if (options.field === undefined || options.field === 'title') {
    found.push(...suggestTitles(reader, prefix, options.limit, visible));
  }
  return found.sort((a, b) => b.count - a.count || (a.text < b.text ? -1 : 1)).slice(0, options.limit);
}

function suggestValues(
  { columns, values }: SuggestReader,
  { id, spec }: IndexedField,
  wanted: string,
  limit: number,
  visible: DocSet,
): Suggestion[] {
  const last = values.lastOrdinal(id);
  const ordinals =
    last <= MAX_SCANNED_VALUES
      ? values.listMatching(id, '', (folded) => hasWordStart(folded, wanted))
      : values.listMatching(id, wanted, () => true);
  if (ordinals.length === 0) return [];
  const counts = countOrdinals(columns.get(id), visible.keys(), last);
  const chosen = ordinals
    .filter((ordinal) => counts[ordinal]! > 0)
    .sort((a, b) => counts[b]! - counts[a]!)
    .slice(0, limit);
  const texts = values.texts(id, chosen);
  return chosen.map((ordinal) => ({
    text: texts.get(ordinal)?.text ?? '',
    field: spec.name,
    count: counts[ordinal]!,
  }));
}

/** At the beginning, or after something that is no part of a word. */
function hasWordStart(folded: string, wanted: string): boolean {
  for (let at = folded.indexOf(wanted); at >= 0; at = folded.indexOf(wanted, at + 1)) {
    if (at === 0 || !/[\p{L}\p{N}\p{M}]/u.test(folded[at - 1]!)) return true;
  }
  return false;
}

function suggestTitles(reader: SuggestReader, prefix: string, limit: number, visible: DocSet): Suggestion[] {
  const { db } = reader;
  const wanted = titleKey(prefix);
  if (!wanted) return [];
  const keys = new Set(
    readArray<number>(
      db
        .prepare(
          `SELECT json_group_array(item_key) AS keys FROM (
             ${titlesWhere('folded >= ?1 AND folded < ?2')} ORDER BY folded LIMIT ${MAX_TITLES})`,
        )
        .get(wanted, `${wanted}\u{10FFFF}`)?.keys,
    ).filter((key) => visible.has(key)),
  );
  if (keys.size < limit) for (const key of listByInnerWord(reader, prefix, visible)) keys.add(key);
  const counted = new Map<string, Suggestion>();
  const rows = db
    .prepare('SELECT title FROM item WHERE key IN (SELECT value FROM json_each(?))')
    .all(JSON.stringify([...keys].slice(0, MAX_TITLES)));
  for (const row of rows) {
    const text = String(row.title ?? '');
    const known = counted.get(titleKey(text));
    counted.set(titleKey(text), {
      text: known?.text ?? text,
      field: 'title',
      count: (known?.count ?? 0) + 1,
    });
  }
  return [...counted.values()];
}

function listByInnerWord({ fields, index }: SuggestReader, prefix: string, visible: DocSet): number[] {
  const column = fields.get('title')?.wordColumn;
  const words = splitWords(prefix);
  const last = words.pop();
  if (column === undefined || last === undefined) return [];
  const queries: readonly WordQuery[] = [
    { type: 'prefix', column, prefix: last },
    ...words.map((word) => ({ type: 'any' as const, column, words: [word] })),
  ];
  if (queries.reduce((ms, query) => ms + index.estimateMs(query, false), 0) > MAX_TITLE_SEARCH_MS) return [];
  const found = queries.reduce((docs, query) => docs.and(index.docs(query)), visible);
  return [...found.keys().subarray(0, MAX_TITLES)];
}
