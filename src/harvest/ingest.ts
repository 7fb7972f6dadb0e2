/** Port between sources and the store: bytes of single records in, extracted records out. */
import type { RecordProblem } from '../core/model.ts';
import type { IncomingRecord } from '../store/index.ts';

/** The bytes of exactly one record, cut out of whatever carried it. */
export interface RecordPiece {
  readonly bytes: Uint8Array;
  readonly syntax: 'xml' | 'json';
  /** For reports: file path, URL, or path!entry. */
  readonly where: string;
  /** Line in that file where the record starts, from 1. */
  readonly line: number;
  /** Goes into IncomingRecord.entry; the caller knows its piece again by it. */
  readonly entry?: string;
  /** Known already (a stored record that is extracted again); else the source's, else detected. */
  readonly format?: string;
  /** Used when the record itself has none (a file name). */
  readonly fallbackIdentifier: string;
  /** Whatever the record says of itself, this is what its origin calls it (an OAI header). */
  readonly identifier?: string;
  /** Slightly broken XML is mended, and what was done is listed among the problems. */
  readonly repair?: boolean;
}

export interface Extraction {
  readonly records: readonly IncomingRecord[];
  /** One bad record gives problems and no record; a doubtful value gives both. */
  readonly problems: readonly RecordProblem[];
  /** Records that the source's filters leave out. */
  readonly filtered?: readonly { readonly identifier: string; readonly entry?: string }[];
}

export interface Ingest {
  /** Parses, transforms, validates and extracts in worker threads; order is kept. */
  extract(pieces: readonly RecordPiece[]): Promise<Extraction>;
  close(): Promise<void>;
}
