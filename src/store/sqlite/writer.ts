/** The one way to change the store: a short transaction that stamps, numbers and indexes what it changes. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { FieldSpec, IndexDocument, Instant } from '../../core/model.ts';
import type { QueryNode } from '../../query/ast.ts';
import type { MatchDocument } from '../../query/matcher.ts';
import { BlockReader, BlockWriter } from './blocks.ts';
import { Catalogue, type KnownView } from './catalogue.ts';
import type { DocChange, IndexWriter } from './doc-change.ts';
import { type ItemStatements, prepareItemStatements } from './item-statements.ts';
import type { OpenSecond } from './open-second.ts';
import { translateSqliteError } from './sqlite-error.ts';
import { documentWriter, type WrittenDocument } from './stored-document.ts';

export type Matches = (query: QueryNode, document: MatchDocument) => boolean;

export interface WriterSetup {
  readonly fields: readonly FieldSpec[];
  /** Of everything that extraction depends on. */
  readonly fieldsDigest: string;
  readonly repositoryIdentifier: string;
}

/** One open transaction. */
export interface WriteTransaction {
  readonly now: Instant;
  /** Seconds; for every record that this transaction changes. */
  readonly datestamp: number;
  /** Of this commit, if it changes anything. */
  readonly seq: number;
  readonly views: readonly KnownView[];
  /** For the index. */
  readonly changes: DocChange[];
  readonly removedKeys: number[];
  /** Whether items changed, so that the commit is numbered. */
  changed: boolean;
}

interface Meta {
  seq: number;
  datestamp: number;
  block: number;
  setup: number;
}

export class StoreWriter {
  readonly db: DatabaseSync;
  readonly setup: WriterSetup;
  readonly catalogue: Catalogue;
  readonly statements: ItemStatements;
  readonly rawBlocks: BlockWriter;
  readonly docBlocks: BlockWriter;
  readonly blocks: BlockReader;
  readonly matches: Matches;
  readonly writeDocument: (document: IndexDocument) => WrittenDocument;
  readonly clock: () => Instant;
  readonly index: IndexWriter;
  readonly #openSecond: OpenSecond;
  readonly #readMeta: StatementSync;
  readonly #writeMeta: StatementSync;
  #lastBlock = 0;

  constructor(
    db: DatabaseSync,
    setup: WriterSetup,
    parts: { index: IndexWriter; matches: Matches; openSecond: OpenSecond; clock: () => Instant },
  ) {
    this.db = db;
    this.setup = setup;
    this.index = parts.index;
    this.matches = parts.matches;
    this.clock = parts.clock;
    this.#openSecond = parts.openSecond;
    this.catalogue = new Catalogue(db);
    this.statements = prepareItemStatements(db);
    const nextBlock = () => ++this.#lastBlock;
    this.rawBlocks = new BlockWriter(db, nextBlock);
    this.docBlocks = new BlockWriter(db, nextBlock);
    this.blocks = new BlockReader(db);
    this.writeDocument = documentWriter(setup.fields);
    this.#readMeta = db.prepare(
      `SELECT name, value FROM meta WHERE name IN ('seq', 'datestamp', 'block', 'setup')`,
    );
    this.#writeMeta = db.prepare(
      'INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
    );
  }

  /** All of `work` or nothing. */
  transact<T>(work: (transaction: WriteTransaction) => T): T {
    try {
      this.db.exec('BEGIN IMMEDIATE');
    } catch (error) {
      throw translateSqliteError(error);
    }
    try {
      const meta = this.#getMeta();
      this.#lastBlock = meta.block;
      const now = this.clock();
      const transaction: WriteTransaction = {
        now,
        datestamp: Math.max(Math.floor(now / 1000), meta.datestamp),
        seq: meta.seq + 1,
        views: this.catalogue.views(meta.setup),
        changes: [],
        removedKeys: [],
        changed: false,
      };
      this.#openSecond.begin(transaction.datestamp);
      const result = work(transaction);
      this.#finish(transaction, meta);
      this.db.exec('COMMIT');
      return result;
    } catch (error) {
      this.#undo();
      throw translateSqliteError(error);
    } finally {
      this.#openSecond.end();
    }
  }

  setMeta(name: string, value: string | number): void {
    this.#writeMeta.run(name, value);
  }

  #getMeta(): Meta {
    const meta: Meta = { seq: 0, datestamp: 0, block: 0, setup: 0 };
    for (const { name, value } of this.#readMeta.all()) meta[name as keyof Meta] = Number(value);
    return meta;
  }

  #finish(transaction: WriteTransaction, meta: Meta): void {
    this.rawBlocks.flush();
    this.docBlocks.flush();
    if (this.#lastBlock !== meta.block) this.setMeta('block', this.#lastBlock);
    if (!transaction.changed) return;
    if (transaction.changes.length > 0 || transaction.removedKeys.length > 0) {
      this.index.apply(transaction.seq, transaction.changes, transaction.removedKeys);
    }
    this.setMeta('seq', transaction.seq);
    this.setMeta('datestamp', transaction.datestamp);
  }

  #undo(): void {
    // SQLite itself has already rolled back after some errors (a full disk).
    if (this.db.isTransaction) this.db.exec('ROLLBACK');
    this.rawBlocks.reset();
    this.docBlocks.reset();
    this.blocks.reset();
    this.catalogue.clear();
    this.index.reset();
  }
}
