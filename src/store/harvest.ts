/**
 * Port: lists for harvesters, in the order (datestamp, key) and only of closed seconds. Who left a view, a
 * set or the public, and what was deleted or dropped, stands in them as deleted.
 */
import type { Viewer } from '../core/access.ts';
import type { Instant, ItemRef } from '../core/model.ts';
import type { RecordStatus } from './items.ts';

export interface HarvestScope {
  readonly source?: string;
  readonly view?: string;
  /** A set of items, with all sets below it. */
  readonly set?: string;
}

export interface HarvestRange extends HarvestScope {
  /** A stored format; absent: every item once, as its indexed record shows it. */
  readonly format?: string;
  /** Both inclusive, whole seconds. */
  readonly fromAt?: Instant;
  readonly untilAt?: Instant;
}

export interface HarvestContent {
  /** Absent: headers only. */
  readonly content?: 'raw' | 'transformed' | 'fields';
  /** Lists of items: one that is stored in this format is shown by it, with its transformed bytes. */
  readonly prefer?: string;
  /** Lists of one format: with the `facts` of each live record. */
  readonly facts?: boolean;
}

export interface HarvestPosition {
  readonly datestampAt: Instant;
  readonly key: number;
}

export interface HarvestRequest extends HarvestRange, HarvestContent {
  readonly after?: HarvestPosition;
  readonly limit: number;
  /** The page ends with the record that goes past it. */
  readonly maxBytes?: number;
}

export interface HarvestRecord extends ItemRef, HarvestPosition {
  readonly oaiIdentifier: string;
  readonly status: RecordStatus;
  /** The most specific sets that it is in; of one that left the set that was asked for, that set too. */
  readonly sets: readonly string[];
  /** Of the stored record that shows it; absent when there is none that is live. */
  readonly format?: string;
  /** The origin of that record's version, JSON. Only with content. */
  readonly origin?: string;
  readonly facts?: RecordFacts;
  /** Where its content lies in the page's bytes. */
  readonly start: number;
  readonly size: number;
}

export interface RecordFacts {
  /** sha-256 of the raw bytes, hex. */
  readonly digest: string;
  /** Of the raw bytes. */
  readonly length: number;
  /** Whether it came with its last change: seen for the first time, restored, or moved into the view or set. */
  readonly isNew: boolean;
}

export interface HarvestPage {
  readonly records: readonly HarvestRecord[];
  /** Of all records, joined: one array crosses threads quicker than many. */
  readonly bytes: Uint8Array;
  readonly more: boolean;
  /** Whatever is stamped up to here is in the lists by now. */
  readonly completeUntilAt: Instant;
}

/** A stretch of a list that may hold only so much. */
export interface ExtentRequest extends HarvestScope {
  /** Records of these formats; absent: items. */
  readonly formats?: readonly string[];
  /** Inclusive, whole seconds. */
  readonly fromAt?: Instant;
  readonly after?: HarvestPosition;
  /** The last that may be in it. */
  readonly upTo?: HarvestPosition;
  readonly limit: number;
  /** Raw bytes of live records. */
  readonly maxBytes?: number;
}

/** The records that fit, all of one item or none: of the first item at least. */
export interface HarvestExtent {
  readonly records: number;
  readonly bytes: number;
  readonly first?: HarvestPosition;
  readonly last?: HarvestPosition;
  /** Whether others follow that do not fit. */
  readonly more: boolean;
  readonly completeUntilAt: Instant;
}

export interface HarvestSet {
  readonly spec: string;
  /** Live items of it that the viewer may read, when they were counted. */
  readonly items?: number;
}

export interface HarvestFacts {
  /** No record is stamped earlier. */
  readonly earliestAt: Instant;
  /** Every OAI identifier is `oai:` with our own repository identifier. */
  readonly onlyMinted: boolean;
}

export interface HarvestStore {
  listPage(request: HarvestRequest, viewer: Viewer): Promise<HarvestPage>;
  countRecords(range: HarvestRange, viewer: Viewer): Promise<number>;
  /** How far a list goes that may hold only so much. */
  measure(request: ExtentRequest, viewer: Viewer): Promise<HarvestExtent>;
  /** One item as lists show it: a page of one record, or of none. */
  findPage(
    oaiIdentifier: string,
    request: HarvestContent & Pick<HarvestRange, 'format' | 'source' | 'view'>,
    viewer: Viewer,
  ): Promise<HarvestPage>;
  /** Stored formats that the scope has something in for this viewer; or those of one item. */
  listFormats(scope: HarvestScope, viewer: Viewer, oaiIdentifier?: string): Promise<readonly string[]>;
  /** Sets that have live items, by spec. */
  listSets(
    request: Pick<HarvestScope, 'source' | 'view'> & {
      readonly after?: string;
      readonly limit: number;
      readonly counted?: boolean;
    },
    viewer: Viewer,
  ): Promise<readonly HarvestSet[]>;
  describe(): Promise<HarvestFacts>;
}
