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
  /** Where its content lies in the page's bytes. */
  readonly start: number;
  readonly size: number;
}

export interface HarvestPage {
  readonly records: readonly HarvestRecord[];
  /** Of all records, joined: one array crosses threads quicker than many. */
  readonly bytes: Uint8Array;
  readonly more: boolean;
  /** Whatever is stamped up to here is in the lists by now. */
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
