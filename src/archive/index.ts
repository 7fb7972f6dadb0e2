/** The public face of the web archive: reading and writing WARC, ARC, CDX and WACZ. */
export { type ByteSource, bytesInMemory, openFile, partOf } from './bytes/byte-source.ts';
export { keepFilesOpen, type OpenFiles } from './bytes/open-files.ts';
export { captureOf } from './cdx/capture-of.ts';
export { CDX_9, CDX_11, readCdx, writeCdx, writeCdxLine } from './cdx/cdx.ts';
export { readCdxj, writeCdxj, writeCdxjLine } from './cdx/cdxj.ts';
export { type DatDocument, readDat } from './cdx/dat.ts';
export { readLines } from './cdx/lines.ts';
export { type OffsetLine, readNdx } from './cdx/ndx.ts';
export { surtKey } from './cdx/surt.ts';
export { parseZipNumSummary, readZipNum, writeZipNum, type ZipNumIndex } from './cdx/zipnum.ts';
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
export { openWacz, type Wacz, type WaczDescription } from './wacz/read-wacz.ts';
export type { WaczPage } from './wacz/wacz-page.ts';
export { type WaczDraft, writeWacz } from './wacz/write-wacz.ts';
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
export { openWarcThread, startWarcThread, type ThreadDraft, type WarcThread } from './write/warc-thread.ts';
export {
  openWarcWriter,
  type WarcWriter,
  type WarcWriterOptions,
  type WrittenRecord,
} from './write/warc-writer.ts';
