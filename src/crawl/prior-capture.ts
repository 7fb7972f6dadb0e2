/** What a source already holds of a URL: for conditional requests, and so that nothing is kept twice. */
import { CONTENT_LIMITS } from '../archive/content/index.ts';
import { type ArchiveRecord, type HeaderList, headerValue, readRecordAt, surtKey } from '../archive/index.ts';
import { archivePath } from '../archive/items/index.ts';
import { OPERATOR } from '../core/access.ts';
import { asGarnerError } from '../core/errors.ts';
import type { Instant } from '../core/model.ts';
import type { CaptureIndex, StoredCapture } from '../store/captures.ts';

/** The capture whose payload would be repeated. */
export interface Original {
  readonly recordId?: string;
  readonly url: string;
  readonly at: Instant;
  readonly digest?: string;
  readonly size?: number;
}

export interface PriorCapture {
  readonly original: Original;
  /** The record that has the payload: what has not changed still leads where it led. */
  readonly stored: StoredCapture;
  readonly etag?: string;
  readonly lastModified?: string;
}

/** The newest whole capture of exactly this URL, with what its server said for the next visit. */
export async function findPrior(
  captures: CaptureIndex,
  source: string,
  folder: string,
  url: string,
): Promise<PriorCapture | undefined> {
  const listed = await captures.list(
    { urlKey: surtKey(url), sources: [source], types: ['response', 'revisit'], reverse: true, limit: 20 },
    OPERATOR,
  );
  const last = listed.find(
    (capture) => capture.url === url && (capture.status === 200 || capture.status === 304),
  );
  if (!last) return undefined;
  const original = last.type === 'revisit' ? (await captures.resolveRevisit(last, OPERATOR))?.capture : last;
  if (!original || original.url !== url) return undefined;
  const headers = await readHeaders(folder, last);
  return {
    original: originalOf(original),
    stored: original,
    ...(headers?.etag !== undefined && { etag: headers.etag }),
    ...(headers?.lastModified !== undefined && { lastModified: headers.lastModified }),
  };
}

export const originalOf = ({ recordId, url, at, digest, contentLength }: StoredCapture): Original => ({
  url,
  at,
  ...(recordId !== undefined && { recordId }),
  ...(digest !== undefined && { digest }),
  ...(contentLength !== undefined && { size: contentLength }),
});

/** Without its record, a capture is as good as none for a conditional request. */
async function readHeaders(
  folder: string,
  capture: StoredCapture,
): Promise<{ etag: string | undefined; lastModified: string | undefined } | undefined> {
  const record = await findRecord(folder, capture);
  const headers = record?.http?.headers ?? [];
  await record?.close();
  return (
    record && { etag: headerValue(headers, 'ETag'), lastModified: headerValue(headers, 'Last-Modified') }
  );
}

export interface StoredContent {
  readonly headers: HeaderList;
  readonly bytes: Buffer;
}

/** The content of a capture, without codings; undefined when it is not here or too large to be read. */
export async function findContent(
  folder: string,
  capture: StoredCapture,
): Promise<StoredContent | undefined> {
  if ((capture.contentLength ?? 0) > CONTENT_LIMITS.bytes) return undefined;
  const record = await findRecord(folder, capture);
  if (!record) return undefined;
  const headers = record.http?.headers ?? [];
  return { headers, bytes: (await record.content()).bytes };
}

/** Undefined when the file, or the record in it, is gone. */
async function findRecord(
  folder: string,
  { file, offset }: StoredCapture,
): Promise<ArchiveRecord | undefined> {
  if (file === undefined || offset === undefined) return undefined;
  try {
    return await readRecordAt(archivePath(folder, file), offset);
  } catch (error) {
    const isGone = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (isGone || asGarnerError(error).code.startsWith('archive.')) return undefined;
    throw error;
  }
}
