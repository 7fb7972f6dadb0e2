/** The index's part of a commit: words, titles, doc values, all in the item store's transaction. */
import type { DatabaseSync } from 'node:sqlite';
import type { FieldSpec } from '../../../core/model.ts';
import type { DocChange, IndexWriter, WordChange } from '../doc-change.ts';
import { docWords } from '../words/doc-words.ts';
import { WordWriter } from '../words/word-writer.ts';
import { buildBlock, type ColumnBlock } from './column-block.ts';
import { encodeDelta } from './column-delta.ts';
import {
  ACCESS_COLUMN,
  SCHEMA_COLUMN,
  SET_COLUMN,
  SOURCE_COLUMN,
  UPDATED_COLUMN,
  VIEW_COLUMN,
} from './columns.ts';
import { DictionaryWriter } from './dictionary.ts';
import { valueNumbers } from './doc-values.ts';
import { WrittenFields } from './field-registry.ts';
import { foldDeltas } from './fold-deltas.ts';
import { inTransaction } from './in-transaction.ts';
import { TitleRows } from './title-rows.ts';

/** Bytes of delta log, some 20,000 documents, after which a commit folds it. */
const MAX_DELTA_BYTES = 2 << 20;

export function createIndexWriter(db: DatabaseSync, fields: readonly FieldSpec[]): IndexWriter {
  const indexed = inTransaction(db, () => new WrittenFields(db, fields));
  const dictionary = new DictionaryWriter(db);
  const words = new WordWriter(db);
  const titles = new TitleRows(db);
  const putDelta = db.prepare(
    `INSERT INTO column_delta (seq, data) VALUES (?, ?)
     ON CONFLICT (seq) DO UPDATE SET data = CAST(data || excluded.data AS BLOB)`,
  );
  const deltaBytes = db.prepare('SELECT sum(length(data)) AS bytes FROM column_delta');

  const putWords = (changes: readonly WordChange[], removedKeys: readonly number[]) => {
    const documents = changes
      .filter((change) => change.words)
      .sort((a, b) => a.key - b.key)
      .map((change) => docWords(change.key, change.words ?? {}, indexed.configured));
    if (documents.length > 0 || removedKeys.length > 0) words.put(documents, removedKeys);
  };

  return {
    apply(seq, changes, removedKeys) {
      if (changes.length === 0 && removedKeys.length === 0) return;
      dictionary.begin();
      for (const { key, title } of changes) titles.put(key, title);
      for (const key of removedKeys) titles.remove(key);
      titles.settle();
      putWords(changes, removedKeys);
      const columns = buildColumns(changes, removedKeys.length, indexed, dictionary);
      const keys = Uint32Array.from([...removedKeys, ...changes.map(({ key }) => key)]);
      putDelta.run(seq, encodeDelta({ keys, columns }, seq));
      if (Number(deltaBytes.get()?.bytes ?? 0) > MAX_DELTA_BYTES) foldDeltas(db);
    },
    restoreWords: (documents) => putWords(documents, []),
    reset() {
      indexed.reset();
      dictionary.reset();
      words.reset();
    },
    optimise() {
      inTransaction(db, () => {
        foldDeltas(db);
        titles.settle(0);
      });
      words.optimise();
    },
  };
}

/** Removed documents take the first places, without any value. */
function buildColumns(
  changes: readonly DocChange[],
  removed: number,
  fields: WrittenFields,
  dictionary: DictionaryWriter,
): Map<number, ColumnBlock> {
  const lists = new Map<number, (readonly number[] | undefined)[]>();
  const put = (id: number, row: number, numbers: readonly number[]) => {
    if (numbers.length === 0) return;
    let list = lists.get(id);
    if (!list) {
      list = new Array<readonly number[] | undefined>(removed + changes.length).fill(undefined);
      lists.set(id, list);
    }
    list[removed + row] = numbers;
  };
  const kinds = new Map<number, ColumnBlock['kind']>([[UPDATED_COLUMN, 'number']]);

  for (const [row, change] of changes.entries()) {
    put(SOURCE_COLUMN, row, [change.sourceId]);
    put(SCHEMA_COLUMN, row, [change.formatId]);
    put(ACCESS_COLUMN, row, [change.accessId]);
    put(SET_COLUMN, row, change.setIds);
    put(VIEW_COLUMN, row, change.viewIds);
    put(UPDATED_COLUMN, row, [change.updatedAt]);
    for (const name of Object.keys(change.fields)) {
      const field = fields.find(name);
      if (!field?.use) continue;
      const { id, use } = field;
      kinds.set(id, use === 'presence' ? 'ordinal' : use);
      put(
        id,
        row,
        valueNumbers(use, change.fields[name] ?? [], (text) => dictionary.ordinalOf(id, text)),
      );
    }
  }
  return new Map([...lists].map(([id, list]) => [id, buildBlock(kinds.get(id) ?? 'ordinal', list)]));
}
