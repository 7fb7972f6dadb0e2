/** The public face of the web archive: reading and writing WARC, ARC, CDX and WACZ. */
export { type ByteSource, bytesInMemory, openFile, partOf } from './bytes/byte-source.ts';
export { UNPACK_LIMITS, type UnpackLimits } from './http/content-coding.ts';
export type { BodyProblem, BodyReport } from './http/decode-body.ts';
export type { HttpMessage } from './http/http-message.ts';
export { ArchiveRecord, type Decoded } from './read/archive-record.ts';
export type { DigestVerdict } from './read/digest-check.ts';
export type { ArchiveEvent, Damage, DamageReason, StoredAt } from './read/events.ts';
export { type HeaderList, headerValue, headerValues } from './read/header-list.ts';
export { readArchive } from './read/read-archive.ts';
export { readRecordAt } from './read/read-record-at.ts';
export type { ReadOptions } from './read/record-reader.ts';
export {
  metadataRecord,
  newRecordId,
  REVISIT_PROFILES,
  type RecordContext,
  type RecordDraft,
  type RevisitOf,
  requestRecord,
  resourceRecord,
  responseRecord,
  revisitRecord,
  writeHttpHead,
} from './write/record-draft.ts';
export { type Recovery, recoverWarc } from './write/recover.ts';
export {
  openWarcWriter,
  type WarcWriter,
  type WarcWriterOptions,
  type WrittenRecord,
} from './write/warc-writer.ts';
