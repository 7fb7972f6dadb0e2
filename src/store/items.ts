/** Port: items, their metadata records, versions, and the one way in — `commit`. */
import type { AccessRule, Viewer } from '../core/access.ts';
import type { Fields, IndexDocument, Instant, ItemRef, RecordProblem } from '../core/model.ts';
import type { VersionEvent } from '../core/version-event.ts';
import type { LossNotes } from './losses.ts';
import type { PackedDocument } from './packed-document.ts';

/** One metadata record as a source delivers it. */
export interface IncomingRecord {
  readonly identifier: string;
  /** Name of the metadata format, e.g. `iso19139`. */
  readonly format: string;
  /** Byte-exact, as it came. */
  readonly raw: Uint8Array;
  /** After the source's stylesheet, when it has one. */
  readonly transformed?: Uint8Array;
  readonly document: IndexDocument | PackedDocument;
  /** OAI set specs. */
  readonly sets?: readonly string[];
  /** The origin's own globally unique identifier, if it has one (OAI). */
  readonly oaiIdentifier?: string;
  /**
   * Who may read the item: a rule of its own, or that of its source. Absent: as before, and of a new item the
   * source's. Only those who know the rule each time (a web server's, of valid records) say it each time.
   */
  readonly access?: AccessRule | 'source';
  /**
   * Kept, but in its format and in what is made of it for those only who read everything (its schema refuses it).
   * The item is as open as its rule says while another of its live records is not held back.
   */
  readonly held?: boolean;
  /** The origin's entry (file path) that held the record; ties it to `EntryState`. */
  readonly entry?: string;
  /** First sight only: a datestamp in the past (a folder's mtime). Future times are clamped. */
  readonly modifiedAt?: Instant;
  /** Facts of where it came from, kept with the version (OAI provenance, file name, line). JSON. */
  readonly origin?: Readonly<Record<string, unknown>>;
}

/** `format` absent: the item in all its formats. */
export interface IncomingDeletion {
  readonly identifier: string;
  readonly format?: string;
}

/** What a source remembers of one file or page, so that the next run reads only what changed. */
export interface EntryState {
  readonly entry: string;
  readonly digest: string;
  readonly size: number;
  readonly modifiedAt: Instant;
}

export interface CommitBatch {
  readonly source: string;
  /** The run must hold the source's lease; checked inside the transaction. */
  readonly runId: number;
  readonly records?: readonly IncomingRecord[];
  readonly deletions?: readonly IncomingDeletion[];
  /** Entries whose records are complete with this batch. */
  readonly readEntries?: readonly EntryState[];
  /** Entries that the run saw unchanged, or could not read in full (by name): their stored records stay. */
  readonly seenEntries?: readonly string[];
  /** Entries to forget (by name); their records are deleted by `deletions`, if at all. */
  readonly goneEntries?: readonly string[];
  /**
   * All entries of the batch in the order in which the run met them. Of two entries that hold the same
   * record (identifier and format) the first in the run keeps it; the other gives a duplicate.
   */
  readonly order?: readonly string[];
  readonly problems?: readonly RecordProblem[];
  /** What the origin has and the batch lacks, remembered until it comes. */
  readonly losses?: LossNotes;
  /**
   * Replaces the run's checkpoint, in the same transaction. JSON; a number `total` in it is shown as
   * `RunInfo.expected` while the run goes on.
   */
  readonly checkpoint?: unknown;
  /** Asks for `CommitResult.outcomes`. */
  readonly tellOutcomes?: boolean;
}

export interface ChangeCounts {
  added: number;
  updated: number;
  unchanged: number;
  deleted: number;
  invalid: number;
}

/** A record that was left out, since another entry of the same run gave it before. */
export interface DuplicateRecord extends RecordProblem {
  /** Where it was found; that entry is read again by the next run. */
  readonly entry: string;
}

export type RecordOutcome = 'added' | 'updated' | 'unchanged' | 'duplicate';

export interface CommitResult extends ChangeCounts {
  /** What became of each record of the batch, in order. */
  readonly outcomes?: readonly RecordOutcome[];
  /** Recorded among the run's problems, too. */
  readonly duplicates?: readonly DuplicateRecord[];
  /** Commit sequence number; unchanged when the batch changed nothing. */
  readonly seq: number;
}

export type RecordStatus = 'live' | 'deleted';

export interface RecordState {
  readonly format: string;
  readonly status: RecordStatus;
  /** Whole seconds, monotonic over the store. */
  readonly datestampAt: Instant;
  readonly version: number;
  readonly size: number;
  /** sha-256 of the raw bytes, hex. */
  readonly digest: string;
}

export interface StoredItem extends ItemRef {
  readonly oaiIdentifier: string;
  readonly status: RecordStatus;
  readonly title?: string;
  readonly firstSeenAt: Instant;
  /** The format whose fields are indexed; the first live one that is not held back. */
  readonly schema?: string;
  readonly fields: Fields;
  readonly records: readonly RecordState[];
  readonly sets: readonly string[];
  readonly views: readonly string[];
  readonly access: AccessRule;
}

export interface RecordContent extends ItemRef {
  readonly format: string;
  readonly version: number;
  readonly bytes: Uint8Array;
}

export interface RecordChoice {
  /** Default: the item's indexed format. */
  readonly format?: string;
  /** Default: the newest. */
  readonly version?: number;
  /** The version that was current at this instant. */
  readonly at?: Instant;
  /** `raw` (default) as it came, `transformed` falls back to raw when there is no stylesheet. */
  readonly rendering?: 'raw' | 'transformed';
}

export type VersionChange = 'added' | 'updated' | 'deleted' | 'restored' | 'rolled-back';

export interface VersionInfo {
  readonly format: string;
  readonly version: number;
  readonly at: Instant;
  readonly change: VersionChange;
  readonly runId: number;
  readonly digest?: string;
  readonly size: number;
  readonly note?: string;
  /** Why it came to be, where whoever made it said so. */
  readonly event?: VersionEvent;
  /** Never thinned out. */
  readonly pinned?: boolean;
  /** Its content is no longer kept. */
  readonly thinned?: boolean;
  /** Since when; absent where that was not noted. */
  readonly thinnedAt?: Instant;
}

/** Harvest order: (datestamp, key). */
export interface RecordPageRequest {
  readonly format?: string;
  readonly source?: string;
  readonly view?: string;
  readonly set?: string;
  /** Inclusive, whole seconds. */
  readonly fromAt?: Instant;
  readonly untilAt?: Instant;
  readonly after?: { readonly datestampAt: Instant; readonly key: number };
  readonly limit: number;
  /** Those of a second that may still get more, too: for those who want what is there now, not what was missed. */
  readonly open?: boolean;
}

export interface ListedRecord extends ItemRef {
  readonly key: number;
  readonly oaiIdentifier: string;
  readonly format: string;
  readonly status: RecordStatus;
  readonly datestampAt: Instant;
  readonly sets: readonly string[];
}

export interface SourceState {
  readonly name: string;
  readonly liveItems: number;
  readonly deletedItems: number;
  readonly droppedAt?: Instant;
  readonly lastRunId?: number;
  readonly lastChangeAt?: Instant;
}

/** One live item with the fields that are kept for display, for those who look at everything. */
export interface LiveItem extends ItemRef {
  readonly key: number;
  readonly fields: Fields;
}

/** One stored record with its raw bytes, for re-extraction. */
export interface RawRecord extends ItemRef {
  readonly recordKey: number;
  readonly format: string;
  readonly bytes: Uint8Array;
}

export interface ReextractedRecord {
  readonly recordKey: number;
  readonly document: IndexDocument | PackedDocument;
  readonly transformed?: Uint8Array;
  /** See `IncomingRecord`. */
  readonly held?: boolean;
  /** Absent: as before. */
  readonly sets?: readonly string[];
}

/** Records, not items: an item may have several, and each is undone by itself. */
export interface UndoResult {
  /** Equal again to what they were before the run. */
  readonly restored: number;
  /** Came with the run, and are deleted now. */
  readonly deleted: number;
  /** Changed again since the run, and left as they are. */
  readonly kept: number;
}

export interface ItemStore {
  commit(batch: CommitBatch): Promise<CommitResult>;
  /**
   * How many live records of the source this run did not see (see EntryState). `partial`: of those, only
   * the ones whose entry it did read, for origins that tell of changes only.
   */
  countVanished(
    source: string,
    runId: number,
    options?: { partial?: boolean },
  ): Promise<{ vanished: number; live: number }>;
  /** Tombstones for them, in short transactions. */
  deleteVanished(source: string, runId: number, options?: { partial?: boolean }): Promise<CommitResult>;
  listEntries(source: string, after: string | undefined, limit: number): Promise<readonly EntryState[]>;

  findItem(ref: ItemRef, viewer: Viewer): Promise<StoredItem | undefined>;
  findItemByOaiIdentifier(oaiIdentifier: string, viewer: Viewer): Promise<StoredItem | undefined>;
  /** Every item of that identifier, in any source, live or deleted. */
  findItemsByIdentifier(identifier: string, viewer: Viewer): Promise<readonly StoredItem[]>;
  findContent(ref: ItemRef, choice: RecordChoice, viewer: Viewer): Promise<RecordContent | undefined>;
  listHistory(ref: ItemRef, viewer: Viewer): Promise<readonly VersionInfo[]>;
  listRecords(request: RecordPageRequest, viewer: Viewer): Promise<readonly ListedRecord[]>;

  /** A new version equal to an old one. */
  rollback(
    ref: ItemRef,
    choice: { format?: string; version: number },
    runId: number,
    note?: string,
  ): Promise<VersionInfo>;
  /** Keeps a version for ever, or no longer. */
  pinVersion(
    ref: ItemRef,
    choice: { format?: string; version: number },
    pinned: boolean,
    runId: number,
  ): Promise<void>;
  /** Forgets the content of old versions; never of the first, the newest or a pinned one. Gives those forgotten. */
  thinVersions(
    ref: ItemRef,
    choice: { format?: string; versions: readonly number[] },
    runId: number,
  ): Promise<readonly number[]>;
  /** New versions for everything that the run `undone` changed and nobody has changed since. */
  undoRun(source: string, runId: number, undone: number, note?: string): Promise<UndoResult>;
  /** Tombstones for all; the name stays known. */
  dropSource(source: string, runId: number): Promise<CommitResult>;

  listSources(): Promise<readonly SourceState[]>;
  /** All live items, whoever may read them, in the order of their keys. */
  listLive(afterKey: number, limit: number): Promise<readonly LiveItem[]>;
  listRaw(source: string, afterRecordKey: number, limit: number): Promise<readonly RawRecord[]>;
  /** New fields, words and transformed bytes for stored records; no new version. */
  reindexRecords(source: string, runId: number, records: readonly ReextractedRecord[]): Promise<void>;
}
