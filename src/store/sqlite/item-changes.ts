/** What happens to items and records inside one transaction, version by version. */
import { GarnerError } from '../../core/errors.ts';
import type { IndexDocument, Instant } from '../../core/model.ts';
import type { VersionChange } from '../items.ts';
import type { SourceRow } from './catalogue.ts';
import type { ItemState } from './item-state.ts';
import type { RecordRow } from './item-statements.ts';
import { proposeOaiIdentifiers } from './oai-identifier.ts';
import type { StoreWriter, WriteTransaction } from './writer.ts';

/** The bytes and facts of one new version. */
export interface NewContent {
  readonly formatId: number;
  readonly raw: Uint8Array;
  readonly digest: Uint8Array;
  readonly made: Uint8Array | undefined;
  readonly document: IndexDocument;
  /** For those only who read everything. */
  readonly held: boolean;
  readonly origin: string | null;
  readonly entryId: number | null;
}

export class ItemChanges {
  readonly touched = new Set<ItemState>();
  readonly #writer: StoreWriter;
  readonly #transaction: WriteTransaction;
  readonly #runId: number;

  constructor(writer: StoreWriter, transaction: WriteTransaction, runId: number) {
    this.#writer = writer;
    this.#transaction = transaction;
    this.#runId = runId;
  }

  addItem(
    source: SourceRow,
    identifier: string,
    given: {
      oaiIdentifier: string | undefined;
      accessId: number | undefined;
      title: string | undefined;
      /** See `addRecord`. */
      firstAt: Instant | undefined;
    },
  ): ItemState {
    const { statements, setup } = this.#writer;
    const accessId = given.accessId ?? source.access_id;
    const title = given.title ?? null;
    const ref = { source: source.name, identifier };
    for (const oaiIdentifier of proposeOaiIdentifiers(ref, given.oaiIdentifier, setup.repositoryIdentifier)) {
      const inserted = statements.insertItem.run(
        source.id,
        identifier,
        oaiIdentifier,
        accessId,
        given.accessId === undefined ? 0 : 1,
        this.#transaction.now,
        title,
        // That of the record to come, whose trigger then need not write the row again.
        this.#datestampAt(given.firstAt),
      );
      if (inserted.changes === 0) continue;
      const item: ItemState = {
        key: Number(inserted.lastInsertRowid),
        sourceId: source.id,
        identifier,
        oaiIdentifier,
        isNew: true,
        records: [],
        indexedRecordKey: undefined,
        ruleId: accessId,
        accessId,
        held: false,
        ownAccess: given.accessId !== undefined,
        leftPublic: false,
        heldBefore: new Map(),
        title,
        savedLive: true,
        documents: new Map(),
        wantedSets: undefined,
        viewsStale: false,
        headerChanged: false,
      };
      this.#touch(item);
      return item;
    }
    throw new GarnerError('internal.bug', 'the candidates for an OAI identifier ended');
  }

  /** `firstAt`: when the record came to be, if that was before now. */
  addRecord(item: ItemState, content: NewContent, firstAt: Instant | undefined): void {
    const { now, seq } = this.#transaction;
    const at = firstAt === undefined ? now : Math.min(firstAt, now);
    const record: RecordRow = {
      key: 0,
      item_key: item.key,
      source_id: item.sourceId,
      format_id: content.formatId,
      live: 1,
      datestamp: this.#datestampAt(firstAt),
      seq,
      version: 1,
      digest: content.digest,
      size: content.raw.length,
      ...this.#storeRaw(content.raw),
      ...this.#storeMade(content.made),
      ...this.#storeDocument(content.document),
      entry_id: content.entryId,
      seen_run: this.#runId,
      held: content.held ? 1 : 0,
      left_public: 0,
    };
    const inserted = this.#writer.statements.insertRecord.run(
      record.item_key,
      record.source_id,
      record.format_id,
      record.datestamp,
      seq,
      record.digest,
      record.size,
      record.raw_block,
      record.raw_start,
      record.made_block,
      record.made_start,
      record.made_size,
      record.doc_block,
      record.doc_start,
      record.doc_size,
      record.rest_size,
      record.entry_id,
      record.seen_run,
      record.held,
    );
    record.key = Number(inserted.lastInsertRowid);
    item.records.push(record);
    item.documents.set(record.key, content.document);
    this.#insertVersion(record, 'added', at, content.origin, null);
    this.#touch(item);
  }

  /** New content for a record that is there, live or deleted. */
  updateRecord(item: ItemState, record: RecordRow, content: NewContent): void {
    const deleted = record.live === 0;
    const restored = deleted || (record.held === 1 && !content.held);
    const sameBytes =
      deleted && record.raw_block !== null && Buffer.compare(record.digest, content.digest) === 0;
    Object.assign(record, {
      live: 1,
      version: record.version + 1,
      digest: content.digest,
      size: content.raw.length,
      // What was deleted and comes back unchanged need not be stored twice.
      ...(sameBytes ? {} : this.#storeRaw(content.raw)),
      ...this.#storeMade(content.made),
      ...this.#storeDocument(content.document),
      entry_id: content.entryId,
      seen_run: this.#runId,
      held: content.held ? 1 : 0,
    });
    this.#stampRecord(record);
    item.documents.set(record.key, content.document);
    this.#insertVersion(
      record,
      restored ? 'restored' : 'updated',
      this.#transaction.now,
      content.origin,
      null,
    );
    this.#touch(item);
  }

  deleteRecord(item: ItemState, record: RecordRow): void {
    this.#bury(item, record, 'deleted', null);
  }

  /** A new version equal to an old one, which may have been a deletion. */
  rollBack(
    item: ItemState,
    record: RecordRow,
    old: VersionRow,
    document: IndexDocument,
    note: string | null,
  ): void {
    if (old.raw_block === null && old.digest !== null)
      throw new GarnerError(
        'version.thinned',
        `of that version of ${item.identifier} the content is no longer kept`,
      );
    if (old.raw_block === null || old.digest === null) {
      this.#bury(item, record, 'rolled-back', note);
      return;
    }
    Object.assign(record, {
      live: 1,
      version: record.version + 1,
      digest: old.digest,
      size: old.size,
      raw_block: old.raw_block,
      raw_start: old.raw_start,
      made_block: old.made_block,
      made_start: old.made_start,
      made_size: old.made_size,
      doc_block: old.doc_block,
      doc_start: old.doc_start,
      doc_size: old.doc_size,
      rest_size: old.rest_size,
      held: old.held,
    });
    this.#stampRecord(record);
    item.documents.set(record.key, document);
    this.#insertVersion(record, 'rolled-back', this.#transaction.now, withoutPin(old.origin), note);
    this.#touch(item);
  }

  /**
   * New fields and transformed bytes of the same version. The record's datestamp moves when its bytes did; the
   * item's always, since what is made of the fields may have changed.
   */
  replaceDocument(
    item: ItemState,
    record: RecordRow,
    document: IndexDocument,
    made: Uint8Array | undefined,
    madeChanged: boolean,
  ): void {
    Object.assign(record, this.#storeDocument(document));
    if (madeChanged) Object.assign(record, this.#storeMade(made));
    if (madeChanged) this.#stampRecord(record);
    else this.#saveRecord(record);
    this.#writer.statements.moveItemDatestamp.run(this.#transaction.datestamp, item.key);
    this.#writer.statements.replaceVersionDocument.run(
      record.made_block,
      record.made_start,
      record.made_size,
      record.doc_block,
      record.doc_start,
      record.doc_size,
      record.rest_size,
      record.key,
      record.version,
    );
    item.documents.set(record.key, document);
    this.#touch(item);
  }

  /** Who can read it then is decided when the transaction settles. */
  setAccess(item: ItemState, ruleId: number, own: boolean): void {
    if (item.ruleId === ruleId && item.ownAccess === own) return;
    item.ruleId = ruleId;
    item.ownAccess = own;
    item.headerChanged = true;
    this.#touch(item);
  }

  /** The same content, but judged anew. */
  setHeld(item: ItemState, record: RecordRow, held: boolean): void {
    if (record.held === (held ? 1 : 0)) return;
    record.held = held ? 1 : 0;
    this.#writer.statements.holdVersion.run(record.held, record.key, record.version);
    this.#stampRecord(record);
    item.headerChanged = true;
    this.#touch(item);
  }

  /** Compared with what it is in when the transaction settles. */
  setSets(item: ItemState, specs: readonly string[]): void {
    const { sets } = this.#writer.catalogue;
    item.wantedSets = [...new Set(specs.flatMap(withSetsAbove))].map((spec) => sets.id(spec));
    this.touched.add(item);
  }

  reviewViews(item: ItemState): void {
    item.viewsStale = true;
    this.touched.add(item);
  }

  markSeen(record: RecordRow, entryId: number | null): void {
    if (record.seen_run === this.#runId && record.entry_id === entryId) return;
    record.seen_run = this.#runId;
    record.entry_id = entryId;
    this.#writer.statements.markSeen.run(this.#runId, entryId, record.key);
  }

  #datestampAt(firstAt: Instant | undefined): number {
    const { datestamp } = this.#transaction;
    // Of files from before 1970, too: what is stamped 0 has no record yet.
    return firstAt === undefined ? datestamp : Math.max(1, Math.min(Math.floor(firstAt / 1000), datestamp));
  }

  #touch(item: ItemState): void {
    this.touched.add(item);
    this.#transaction.changed = true;
  }

  #bury(item: ItemState, record: RecordRow, change: VersionChange, note: string | null): void {
    record.live = 0;
    record.version++;
    record.entry_id = null;
    this.#stampRecord(record);
    item.documents.delete(record.key);
    this.#writer.statements.insertVersion.run(
      record.key,
      record.version,
      this.#transaction.now,
      this.#transaction.seq,
      this.#runId,
      change,
      null,
      0,
      null,
      null,
      null,
      null,
      null,
      null,
      null,
      null,
      null,
      null,
      note,
      record.held,
    );
    this.#touch(item);
  }

  #storeRaw(raw: Uint8Array) {
    const { block, start } = this.#writer.rawBlocks.append(raw);
    return { raw_block: block, raw_start: start };
  }

  #storeMade(made: Uint8Array | undefined) {
    if (!made) return { made_block: null, made_start: null, made_size: null };
    const { block, start } = this.#writer.rawBlocks.append(made);
    return { made_block: block, made_start: start, made_size: made.length };
  }

  #storeDocument(document: IndexDocument) {
    const { bytes, docSize, restSize } = this.#writer.writeDocument(document);
    const { block, start } = this.#writer.docBlocks.append(bytes);
    return { doc_block: block, doc_start: start, doc_size: docSize, rest_size: restSize };
  }

  #stampRecord(record: RecordRow): void {
    record.datestamp = this.#transaction.datestamp;
    record.seq = this.#transaction.seq;
    this.#saveRecord(record);
  }

  #saveRecord(record: RecordRow): void {
    this.#writer.statements.updateRecord.run(
      record.live,
      record.datestamp,
      record.seq,
      record.version,
      record.digest,
      record.size,
      record.raw_block,
      record.raw_start,
      record.made_block,
      record.made_start,
      record.made_size,
      record.doc_block,
      record.doc_start,
      record.doc_size,
      record.rest_size,
      record.entry_id,
      record.seen_run,
      record.held,
      record.key,
    );
  }

  #insertVersion(
    record: RecordRow,
    change: VersionChange,
    at: Instant,
    origin: string | null,
    note: string | null,
  ): void {
    this.#writer.statements.insertVersion.run(
      record.key,
      record.version,
      at,
      this.#transaction.seq,
      this.#runId,
      change,
      record.digest,
      record.size,
      record.raw_block,
      record.raw_start,
      record.made_block,
      record.made_start,
      record.made_size,
      record.doc_block,
      record.doc_start,
      record.doc_size,
      record.rest_size,
      origin,
      note,
      record.held,
    );
  }
}

/** Who is in `a:b` is in `a`, too: lists of `a` then need not know what is below it. */
const withSetsAbove = (spec: string): string[] =>
  spec.split(':').map((_, last, parts) => parts.slice(0, last + 1).join(':'));

/** A pin holds one version, not those that are made equal to it. */
function withoutPin(origin: string | null): string | null {
  if (!origin?.includes('"pinned"')) return origin;
  const { pinned: _, ...facts }: Record<string, unknown> = JSON.parse(origin);
  return JSON.stringify(facts);
}

/** A `version` row, as far as a rollback needs it. */
export interface VersionRow {
  readonly digest: Uint8Array | null;
  readonly size: number;
  readonly raw_block: number | null;
  readonly raw_start: number | null;
  readonly made_block: number | null;
  readonly made_start: number | null;
  readonly made_size: number | null;
  readonly doc_block: number | null;
  readonly doc_start: number | null;
  readonly doc_size: number | null;
  readonly rest_size: number | null;
  readonly origin: string | null;
  readonly held: number;
}
