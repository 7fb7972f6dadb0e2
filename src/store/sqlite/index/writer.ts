/** The index's part of a commit: words, term counts, titles, doc values, all in the item store's transaction. */
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { FieldSpec } from '../../../core/model.ts';
import { WORD_GAP } from '../../../query/words.ts';
import type { DocChange, IndexWriter } from '../doc-change.ts';
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
import { type IndexedField, WrittenFields } from './field-registry.ts';
import { foldDeltas } from './fold-deltas.ts';
import { inTransaction } from './in-transaction.ts';
import { mergeWords } from './merge-words.ts';
import { refreshTermCounts } from './refresh-terms.ts';
import { TermCounts } from './term-counts.ts';
import { titleKey } from './title-key.ts';

/** Bytes of delta log, some 20,000 documents, after which a commit folds it. */
const MAX_DELTA_BYTES = 2 << 20;

export function createIndexWriter(db: DatabaseSync, fields: readonly FieldSpec[]): IndexWriter {
  const indexed = inTransaction(db, () => {
    configureWords(db);
    return new WrittenFields(db, fields);
  });
  const dictionary = new DictionaryWriter(db);
  const terms = new TermCounts(db);
  const words = new WordRows(db, indexed.configured);
  const deleteTitle = db.prepare('DELETE FROM title WHERE item_key = ?');
  const putTitle = db.prepare(
    `INSERT INTO title (item_key, folded) VALUES (?, ?)
     ON CONFLICT (item_key) DO UPDATE SET folded = excluded.folded WHERE folded <> excluded.folded`,
  );
  const putDelta = db.prepare(
    `INSERT INTO column_delta (seq, data) VALUES (?, ?)
     ON CONFLICT (seq) DO UPDATE SET data = CAST(data || excluded.data AS BLOB)`,
  );
  const deltaBytes = db.prepare('SELECT sum(length(data)) AS bytes FROM column_delta');

  return {
    apply(seq, changes, removedKeys) {
      if (changes.length === 0 && removedKeys.length === 0) return;
      dictionary.begin();
      words.remove([...removedKeys, ...changes.filter((change) => change.words).map(({ key }) => key)]);
      // FTS5 writes a new segment whenever a row's key is lower than the one before.
      for (const change of changes.toSorted((a, b) => a.key - b.key)) {
        if (change.words) {
          words.add(change.key, change.words);
          for (const line of Object.values(change.words)) terms.countWords(change.key, line);
        }
        const title = change.title === undefined ? '' : titleKey(change.title);
        if (title) putTitle.run(change.key, title);
        else deleteTitle.run(change.key);
      }
      for (const key of removedKeys) deleteTitle.run(key);
      terms.flush();
      const columns = buildColumns(changes, removedKeys.length, indexed, dictionary);
      const keys = Uint32Array.from([...removedKeys, ...changes.map(({ key }) => key)]);
      putDelta.run(seq, encodeDelta({ keys, columns }, seq));
      if (Number(deltaBytes.get()?.bytes ?? 0) > MAX_DELTA_BYTES) foldDeltas(db);
    },
    reset() {
      indexed.reset();
      dictionary.reset();
      terms.reset();
    },
    optimise() {
      inTransaction(db, () => foldDeltas(db));
      mergeWords(db);
      refreshTermCounts(db);
      terms.reset();
    },
  };
}

/**
 * One segment per commit of some thousand records instead of one per megabyte, merged eight at a time;
 * leaves of nearly a database page. One run each over 80,000 records gave 7,750 a second against 7,290 with
 * the default merging and leaves: hardly more than noise, but fewer merges when documents are replaced.
 */
function configureWords(db: DatabaseSync): void {
  // Bound numbers would arrive as floats, which FTS5 refuses here.
  db.exec(
    `INSERT INTO words(words, rank) VALUES ('hashsize', ${32 << 20}), ('automerge', 8), ('pgsz', 8000)`,
  );
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

/** Rows of the table of words; a row names only the columns it fills. */
class WordRows {
  readonly #db: DatabaseSync;
  readonly #fields: ReadonlyMap<string, IndexedField>;
  readonly #statements = new Map<string, StatementSync>();
  readonly #delete: StatementSync;
  readonly #last: StatementSync;

  constructor(db: DatabaseSync, fields: ReadonlyMap<string, IndexedField>) {
    this.#db = db;
    this.#fields = fields;
    this.#delete = db.prepare('DELETE FROM words WHERE rowid = ?');
    this.#last = db.prepare('SELECT max(id) AS last FROM words_docsize');
  }

  add(key: number, lines: Readonly<Record<string, string>>): void {
    const columns = ['rowid'];
    const values: SQLInputValue[] = [key];
    const rest: string[] = [];
    for (const name of Object.keys(lines)) {
      const line = lines[name];
      if (!line) continue;
      const column = this.#fields.get(name)?.wordColumn;
      if (column === undefined) rest.push(line);
      else {
        columns.push(`c${column}`);
        values.push(line);
      }
    }
    // A row without words is kept too, so that the index holds every live item.
    columns.push('rest');
    values.push(rest.join(` ${WORD_GAP} `));
    this.#statement(columns).run(...values);
  }

  /** Those that are there. */
  remove(keys: readonly number[]): void {
    const last = Number(this.#last.get()?.last ?? 0);
    for (const key of keys.filter((key) => key <= last).sort((a, b) => a - b)) this.#delete.run(key);
  }

  #statement(columns: readonly string[]): StatementSync {
    const names = columns.join(', ');
    let statement = this.#statements.get(names);
    if (!statement) {
      const marks = columns.map(() => '?').join(', ');
      statement = this.#db.prepare(`INSERT INTO words (${names}) VALUES (${marks})`);
      this.#statements.set(names, statement);
    }
    return statement;
  }
}
