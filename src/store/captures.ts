/** Port: what is kept of which URL, from when, and where its record lies. */
import type { Viewer } from '../core/access.ts';
import type { Instant } from '../core/model.ts';

/** One capture, as an index line has it. */
export interface CaptureEntry {
  /** SURT of the canonical URL, such as `org,example)/a?b=c`: what captures are looked up and sorted by. */
  readonly urlKey: string;
  /** As it was asked for. */
  readonly url: string;
  /** Identifier of the item in the source that this is a visit of, when it is not the URL. */
  readonly item?: string;
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
  readonly refersTo?: {
    readonly recordId?: string;
    readonly url?: string;
    /** SURT of that URL. */
    readonly urlKey?: string;
    readonly at?: Instant;
  };
}

export interface StoredCapture extends CaptureEntry {
  readonly key: number;
  readonly source: string;
}

/** `prefix`: keys that begin so; `host`: all of one host; `domain`: of the host and of those below it. */
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
  /** Without those whose item has an access rule of its own. */
  readonly asOpenAsSource?: boolean;
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
  /** Known already: same place in the same file, or, where there is no place, same URL, time and digest. */
  readonly known: number;
}

export interface CaptureTotals {
  readonly captures: number;
  readonly urls: number;
  readonly firstAt?: Instant;
  readonly lastAt?: Instant;
}

/** How far an archive file is indexed. */
export interface IndexedFile {
  readonly file: string;
  readonly captures: number;
  /** Behind the last indexed record whose length is known: from there on a crash may have left more. */
  readonly end: number;
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
  /** The newest capture with this payload that is no revisit: whether something new is worth keeping. */
  findByDigest(source: string, digest: string, urlKey?: string): Promise<StoredCapture | undefined>;
  count(query: Pick<CaptureQuery, 'urlKey' | 'match' | 'sources'>, viewer: Viewer): Promise<CaptureTotals>;
  listFiles(source: string): Promise<readonly IndexedFile[]>;
  /** Of one archive file, as when it was replaced or removed. */
  removeFile(source: string, file: string): Promise<number>;
  removeSource(source: string): Promise<number>;
}
