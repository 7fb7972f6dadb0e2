/** The index entry of a record. */
import type { CaptureEntry } from '../../store/captures.ts';
import { parseDigest, sha1Base32, writeBase32 } from '../digest.ts';
import type { ArchiveRecord } from '../read/archive-record.ts';
import { headerValue } from '../read/header-list.ts';
import { parseArchiveDate } from '../read/record-head.ts';
import { surtKey } from './surt.ts';

/** Records that hold something a reader may want to see again. */
const INDEXED_TYPES = new Set(['response', 'revisit', 'resource', 'conversion']);

/**
 * Undefined for records that are no captures (requests, warcinfo …), have no URL or no date. Without a
 * digest in the header, that of a block in memory is computed.
 */
export function captureOf(
  record: ArchiveRecord,
  file: string,
  types: ReadonlySet<string> = INDEXED_TYPES,
): CaptureEntry | undefined {
  const { targetUri: url, at, type, stored, http, recordId } = record;
  if (!types.has(type) || url === undefined || at === undefined) return undefined;
  const digest = payloadDigest(record);
  const status = http?.status;
  const redirect =
    status !== undefined && status >= 300 && status < 400 ? redirectOf(record, url) : undefined;
  const mediaType = mediaTypeOf(record);
  const refersTo = type === 'revisit' ? refersToOf(record) : undefined;
  const size = record.whole?.length ?? record.contentLength;
  return {
    urlKey: surtKey(url),
    url,
    at,
    type,
    ...(status !== undefined && { status }),
    ...(mediaType !== undefined && { mediaType }),
    ...(digest !== undefined && { digest }),
    ...(redirect !== undefined && { redirect }),
    ...(size !== undefined && { contentLength: size - (http?.bodyOffset ?? 0) }),
    ...(recordId !== undefined && { recordId }),
    file,
    ...stored,
    ...(refersTo && { refersTo }),
  };
}

/** As nearly all are written; nothing to convert. */
const USUAL_DIGEST = /^sha1:[A-Z2-7]{32}$/;

function payloadDigest(record: ArchiveRecord): string | undefined {
  const declared = record.header('WARC-Payload-Digest');
  if (declared !== undefined && USUAL_DIGEST.test(declared)) return declared.slice(5);
  const digest = declared === undefined ? undefined : parseDigest(declared);
  if (digest) {
    const { algorithm, hex } = digest;
    return algorithm === 'sha1' ? writeBase32(Buffer.from(hex, 'hex')) : `${algorithm}:${hex}`;
  }
  if (declared !== undefined) return declared.replace(/^sha1:/i, '');
  const body = record.type === 'revisit' ? undefined : record.whole?.subarray(record.http?.bodyOffset ?? 0);
  return body && sha1Base32(body);
}

function mediaTypeOf(record: ArchiveRecord): string | undefined {
  const own = record.format === 'arc' ? 'Content-type' : 'Content-Type';
  const value = record.http ? headerValue(record.http.headers, 'Content-Type') : record.header(own);
  const type = value?.split(';')[0]?.trim().toLowerCase();
  return type === undefined || !/^[\w.+*-]+\/[\w.+*-]+$/.test(type) ? undefined : type;
}

function redirectOf(record: ArchiveRecord, url: string): string | undefined {
  const location = headerValue(record.http?.headers ?? [], 'Location');
  if (location === undefined) return undefined;
  return URL.canParse(location, url) ? new URL(location, url).href : location;
}

function refersToOf(record: ArchiveRecord): CaptureEntry['refersTo'] {
  const recordId = record.header('WARC-Refers-To');
  const url = record.header('WARC-Refers-To-Target-URI')?.replace(/^<(.*)>$/, '$1');
  const at = parseArchiveDate(record.header('WARC-Refers-To-Date'));
  if (recordId === undefined && url === undefined) return undefined;
  return {
    ...(recordId !== undefined && { recordId }),
    ...(url !== undefined && { url, urlKey: surtKey(url) }),
    ...(at !== undefined && { at }),
  };
}
