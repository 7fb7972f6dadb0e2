/** What a walk over an origin meets: files that may hold records, files that do not, and trouble. */
import type { Instant, RecordProblem } from '../../core/model.ts';
import type { EntryState } from '../../store/index.ts';

/** One file, wherever it lies: in a folder or inside an archive. */
export interface FileEntry {
  /** Stable, `/`-separated, starts with the origin's name; `archive.zip!inner/path.xml` inside archives. */
  readonly name: string;
  /** The same place as a person would type it; for reports. */
  readonly where: string;
  readonly syntax: 'xml' | 'json';
  /** CSV: each row is made a record of that syntax. */
  readonly isTable?: true;
  /** Known already; else the source's, else detected. */
  readonly format?: string;
  /** What its origin calls a record; default: what the record calls itself. */
  readonly identify?: (bytes: Uint8Array) => string | undefined;
  /** Bytes; undefined inside a gzip, which does not tell. */
  readonly size: number | undefined;
  readonly modifiedAt: Instant;
  /** False inside a tar, which is read once from front to back. */
  readonly reopenable: boolean;
  /** Only valid until the walk goes on. */
  open(): AsyncIterable<Uint8Array>;
}

/**
 * What trouble costs: something `refused` on principle, of which nothing is stored; one `entry`, whose name is
 * known, could not be read; `rest`: an unknown number of entries was not even listed.
 */
export type Loss = 'refused' | 'entry' | 'rest';

export type Finding =
  | { readonly kind: 'entry'; readonly entry: FileEntry }
  | { readonly kind: 'skipped'; readonly name: string; readonly reason: string }
  /** Neither XML nor JSON: no trouble, unless it was before or is called so. */
  | { readonly kind: 'foreign'; readonly name: string; readonly where: string; readonly content: string }
  | {
      readonly kind: 'problem';
      readonly name: string;
      readonly loss: Loss;
      readonly problem: RecordProblem;
    };

/** What origins tell that know more of their files than the files themselves. */
export type OriginFinding =
  | Finding
  /** The origin says that it is as it was; nobody looked. */
  | { readonly kind: 'unchanged'; readonly name: string }
  /** An entry without records: withdrawn by its origin, or a list that is remembered. */
  | { readonly kind: 'noted'; readonly state: EntryState }
  /** Where the next run may begin, if this one loses nothing. */
  | { readonly kind: 'reached'; readonly state: EntryState }
  /** The origin tells of changes only: what it does not mention stays. */
  | { readonly kind: 'partial' };

/** A file before anyone looked into it. */
export interface UnreadEntry {
  readonly name: string;
  readonly where: string;
  readonly size: number | undefined;
  readonly modifiedAt: Instant;
  readonly reopenable: boolean;
  open(): AsyncIterable<Uint8Array>;
}
