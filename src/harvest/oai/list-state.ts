/** How far the harvest of one list has come: plain data, kept in the run's checkpoint with every page. */
import type { Instant } from '../../core/model.ts';
import type { DateWindow } from './request.ts';

/** One list that a source harvests: a metadata prefix, in one set or in all. */
export interface ListSpec {
  readonly prefix: string;
  readonly set?: string;
  /** Our format, when it is known beforehand. */
  readonly format?: string;
  /** Records are files in DIDL, which become captures. */
  readonly captures?: true;
}

export const listName = ({ prefix, set }: ListSpec): string =>
  set === undefined ? prefix : `${prefix} of set ${set}`;

/** A part of a list that could not be got. */
export interface ListGap extends DateWindow {
  readonly code: string;
  readonly message: string;
}

/** What is known of the pages of the current window. */
export interface WindowProgress {
  page: number;
  /** Records on its pages; a page that came twice counts once. */
  count: number;
  /** completeListSize, as last announced. */
  size?: number;
  /** Whether datestamps never went back so far, and the newest of them, cut to the granularity. */
  ordered: boolean;
  lastAt?: Instant;
  /** Records on the last page; the size that all pages before it shared, 0 when they differ. */
  lastPage: number;
  fullPage: number;
  emptyPages: number;
  /** Brent's tortoise: the fingerprint of the page at the last power of two. */
  milestone?: { readonly page: number; readonly fingerprint: string };
}

export interface ListWindow extends DateWindow {
  /** Asked for again from the last datestamp of a list that broke off: nothing new is expected there. */
  readonly tail?: boolean;
  /**
   * What lies before a tail, asked for again as well, since nobody knows whether the list really was in order; not when
   * all of `size` came without it.
   */
  readonly proof?: { readonly have: number; readonly size?: number };
}

export interface ListState {
  /** Still to do; the first is being done. */
  windows: ListWindow[];
  token?: string;
  /** The provider does not undo the escaping of tokens. */
  rawToken?: boolean;
  /** The provider wants the prefix with every token. */
  prefixedToken?: boolean;
  /** Datestamps are days, whatever the provider says that it counts in. */
  dayStamps?: boolean;
  /** A window that was halved: how many records its parts must have, and have so far. */
  split?: {
    readonly window: DateWindow;
    readonly size: number;
    /** Windows behind its parts, and gaps before them. */
    readonly after: number;
    readonly gaps: number;
    count: number;
  };
  /** From and until are refused or of no use. */
  noDates?: boolean;
  /** The server's clock at the first page: the next harvest begins there. */
  firstResponseAt?: Instant;
  /** Records of the whole list so far. */
  received: number;
  window: WindowProgress;
  restarts: number;
  splits: number;
  gaps: ListGap[];
}

export const newProgress = (): WindowProgress => ({
  page: 0,
  count: 0,
  ordered: true,
  lastPage: 0,
  fullPage: -1,
  emptyPages: 0,
});

export const newListState = (windows: readonly DateWindow[]): ListState => ({
  windows: [...windows],
  received: 0,
  window: newProgress(),
  restarts: 0,
  splits: 0,
  gaps: [],
});
