/** Port: what is kept of which URL, from when, and where its record lies. */
import type { Viewer } from '../core/access.ts';
import type { Instant } from '../core/model.ts';

/** One capture, as an index line has it. */
export interface CaptureEntry {
  /** SURT of the canonical URL, such as `org,example)/a?b=c`: what captures are looked up and sorted by. */
  readonly urlKey: string;
  /** As it was asked for. */
  readonly url: string;
  readonly at: Instant;
  /** `response`, `revisit`, `resource`, `metadata`, `conversion` … */
  readonly type: string;
  readonly status?: number;
  /** Without parameters, in lower case. */
  readonly mediaType?: string;
  /** Of the payload: SHA-1 in base32 without a label, as in CDX files, any other with its label. */
  readonly digest?: string;
  /** Where a redirect leads. */
  readonly redirect?: string;
  /** Of the payload or block, in bytes, if known. */
  readonly contentLength?: number;
  readonly recordId?: string;
  /** Name of the archive file; `offset`, `inner` and `length` say where the record lies in it. */
  readonly file?: string;
  readonly offset?: number;
  readonly inner?: number;
  readonly length?: number;
  /** Of a revisit: the capture that has the payload, as far as it was named. */
  readonly refersTo?: { readonly recordId?: string; readonly url?: string; readonly at?: Instant };
}

export interface StoredCapture extends CaptureEntry {
  readonly key: number;
  readonly source: string;
}

/** `prefix` and `host` know no order of time across URLs; `domain` is the host and all below it. */
export type CaptureMatch = 'exact' | 'prefix' | 'host' | 'domain';

export interface CaptureQuery {
  /** A SURT key; of `host` and `domain` only its host counts. */
  readonly urlKey: string;
  readonly match?: CaptureMatch;
  readonly sources?: readonly string[];
  /** Inclusive. */
  readonly fromAt?: Instant;
  /** Inclusive. */
  readonly untilAt?: Instant;
  readonly types?: readonly string[];
  readonly status?: number;
  readonly mediaType?: string;
  readonly digest?: string;
  /**
   * Of neighbours that are equal in this only the first is given: `digest`, `url`, or so many digits of the
   * time stamp (4 = one per year, 10 = one per hour).
   */
  readonly collapse?: 'digest' | 'url' | number;
  /** Newest first, of each URL. */
  readonly reverse?: boolean;
  /** Go on behind this one. */
  readonly after?: { readonly urlKey: string; readonly at: Instant; readonly key: number };
  readonly limit: number;
}

/** What a revisit leads to. */
export interface ResolvedRevisit {
  readonly capture: StoredCapture;
  /** By which clue, in the order in which they are tried. */
  readonly by: 'record-id' | 'uri-date' | 'url-digest' | 'digest';
}

export interface AddedCaptures {
  readonly added: number;
  /** Known already: same source, file and offset, or same source, URL, time and record. */
  readonly known: number;
}

export interface CaptureTotals {
  readonly captures: number;
  readonly urls: number;
  readonly firstAt?: Instant;
  readonly lastAt?: Instant;
}

/** Every read shows only captures of items that the viewer may see; a capture without an item follows its source. */
export interface CaptureIndex {
  /** All or nothing. The records must be on the disk before. */
  add(source: string, captures: readonly CaptureEntry[]): Promise<AddedCaptures>;
  list(query: CaptureQuery, viewer: Viewer): Promise<readonly StoredCapture[]>;
  /** Nearest in time, of those that the query's filters let through; at equal distance the earlier one. */
  findClosest(
    urlKey: string,
    at: Instant,
    viewer: Viewer,
    filter?: Pick<CaptureQuery, 'sources' | 'types' | 'status'>,
  ): Promise<StoredCapture | undefined>;
  /** The capture that holds a revisit's payload; undefined when it is not here. Never another revisit. */
  resolveRevisit(revisit: StoredCapture, viewer: Viewer): Promise<ResolvedRevisit | undefined>;
  /** Captures whose payload has this digest: whether something new is worth keeping. */
  findByDigest(source: string, digest: string, urlKey?: string): Promise<StoredCapture | undefined>;
  count(query: Pick<CaptureQuery, 'urlKey' | 'match' | 'sources'>, viewer: Viewer): Promise<CaptureTotals>;
  /** Of one archive file, as when it was replaced or removed. */
  removeFile(source: string, file: string): Promise<number>;
  removeSource(source: string): Promise<number>;
}
