/** A record as it is to stand in another archive file: its own header and block; ARC records become WARC. */
import { type ArchiveRecord, newRecordId, type RecordDraft, responseRecord } from '../../archive/index.ts';

/** Written anew. */
const OWN_FIELDS = new Set([
  'warc-type',
  'warc-record-id',
  'warc-date',
  'content-length',
  'content-type',
  'warc-block-digest',
  'warc-warcinfo-id',
  'warc-segment-number',
]);
const TYPES = ['request', 'response', 'metadata', 'resource', 'revisit', 'conversion'] as const;

/** Undefined for records that are no captures. */
export function copyRecord(record: ArchiveRecord): RecordDraft | undefined {
  const { at, targetUri, http } = record;
  if (at === undefined || targetUri === undefined) return undefined;
  if (record.format === 'arc') return fromArc(record, targetUri, at);
  const type = TYPES.find((name) => name === record.type);
  if (!type) return undefined;
  const contentType = record.header('Content-Type');
  // A digest that the record came with says over which bytes it was made; the writer would not know.
  const hasDigest = record.header('WARC-Payload-Digest') !== undefined || type === 'revisit';
  return {
    type,
    recordId: record.recordId ?? newRecordId(),
    at,
    fields: record.headers.filter(([name]) => !OWN_FIELDS.has(name.toLowerCase())),
    ...(contentType !== undefined && { contentType }),
    block: record.whole ?? record.blockStream(),
    ...(!hasDigest && { payloadOffset: http?.bodyOffset ?? 0 }),
  };
}

function fromArc(record: ArchiveRecord, targetUri: string, at: number): RecordDraft {
  const address = record.header('IP-address');
  const context = { targetUri, at, ...(address && address !== '0.0.0.0' && { address }) };
  const block = record.whole ?? record.blockStream();
  const draft = responseRecord(context, { head: Buffer.alloc(0), body: block });
  const payload = { block, payloadOffset: record.http?.bodyOffset ?? 0 };
  if (record.http) return { ...draft, ...payload };
  // DNS answers and the like have a type of their own and no HTTP header.
  return { ...draft, ...payload, contentType: record.header('Content-type') || 'application/octet-stream' };
}
