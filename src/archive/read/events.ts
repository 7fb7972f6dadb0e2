/** What reading an archive gives, in the order of the file: records, and the places that were not readable. */
import type { ArchiveRecord } from './archive-record.ts';

/**
 * `truncated`: the file or the compressed member ends inside a record; `length`: a Content-Length that is
 * missing or wrong, the block was found by the start of the next record; `compression`: compressed bytes
 * that do not decode; `checksum`: they decode, but to something else than was written; `junk`: bytes that
 * belong to no record; `header`: a record's header that cannot be understood; `packing`: records and
 * compressed members do not go together, so that the records were read but cannot be reached quickly.
 */
export type DamageReason =
  | 'truncated'
  | 'length'
  | 'compression'
  | 'checksum'
  | 'junk'
  | 'header'
  | 'packing';

export interface Damage {
  readonly kind: 'damage';
  readonly reason: DamageReason;
  /** In the file. */
  readonly offset: number;
  /** Inside the decompressed member, when the member holds more than this place. */
  readonly inner?: number;
  /** How many bytes of the file were passed over; absent when the record was saved or it is not known. */
  readonly skipped?: number;
  readonly message: string;
}

export type ArchiveEvent = ArchiveRecord | Damage;

/** Where a record lies. */
export interface StoredAt {
  /** Of its first byte, or of the compressed member that has it. */
  readonly offset: number;
  /** Where it begins in the decompressed member; absent when that is the beginning, or nothing is compressed. */
  readonly inner?: number;
  /**
   * Bytes in the file, its trailing newlines included. Absent until the block has been read, and where
   * several records share one member.
   */
  length?: number;
}
