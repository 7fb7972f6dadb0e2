/** Captures as rows, and back. */
import type { SQLOutputValue } from 'node:sqlite';
import type { CaptureEntry, StoredCapture } from '../../captures.ts';

export const CAPTURE_COLUMNS = `c.key, source.name AS source, c.url_key, c.url, c.item, c.at, c.type, c.status, c.media_type,
  c.digest, c.redirect, c.content_length, c.record_id, capture_file.name AS file, c.offset, c.inner, c.length,
  c.refers_id, c.refers_url, c.refers_key, c.refers_at`;

/** `CROSS`: captures are found by key or digest, never by way of their source. */
export const CAPTURE_TABLES = `capture AS c CROSS JOIN source ON source.id = c.source_id
  LEFT JOIN capture_file ON capture_file.id = c.file_id
  LEFT JOIN item ON item.source_id = c.source_id AND item.identifier = coalesce(c.item, c.url)`;

/** Of the item, if there is one, else of the source; the parameter is null for those who read everything. */
export const READABLE = `(:allowed IS NULL OR
  coalesce(item.access_id, source.access_id) IN (SELECT value FROM json_each(:allowed)))`;

export type CaptureRow = Record<string, SQLOutputValue>;

export function readCapture(row: CaptureRow): StoredCapture {
  const refersTo = {
    ...optional('recordId', textOf(row.refers_id)),
    ...optional('url', textOf(row.refers_url)),
    ...optional('urlKey', textOf(row.refers_key)),
    ...optional('at', numberOf(row.refers_at)),
  };
  const inner = numberOf(row.inner);
  return {
    key: Number(row.key),
    source: String(row.source),
    urlKey: String(row.url_key),
    url: String(row.url),
    ...optional('item', textOf(row.item)),
    at: Number(row.at),
    type: String(row.type),
    ...optional('status', numberOf(row.status)),
    ...optional('mediaType', textOf(row.media_type)),
    ...optional('digest', textOf(row.digest)),
    ...optional('redirect', textOf(row.redirect)),
    ...optional('contentLength', numberOf(row.content_length)),
    ...optional('recordId', textOf(row.record_id)),
    ...optional('file', textOf(row.file)),
    ...optional('offset', numberOf(row.offset)),
    ...(inner !== undefined && inner > 0 && { inner }),
    ...optional('length', numberOf(row.length)),
    ...(Object.keys(refersTo).length > 0 && { refersTo }),
  };
}

const textOf = (value: SQLOutputValue | undefined): string | undefined =>
  value === null || value === undefined ? undefined : String(value);
const numberOf = (value: SQLOutputValue | undefined): number | undefined =>
  value === null || value === undefined ? undefined : Number(value);

function optional<Name extends string, Value>(name: Name, value: Value | undefined): { [K in Name]?: Value } {
  const part: { [K in Name]?: Value } = {};
  if (value !== undefined) part[name] = value;
  return part;
}

/** For the insert; in the order of its columns behind source and file. */
export function captureValues(capture: CaptureEntry): (string | number | null)[] {
  return [
    capture.urlKey,
    capture.at,
    capture.url,
    capture.item ?? null,
    capture.type,
    capture.status ?? null,
    capture.mediaType ?? null,
    capture.digest ?? null,
    capture.redirect ?? null,
    capture.contentLength ?? null,
    capture.recordId ?? null,
    capture.offset ?? null,
    capture.inner ?? 0,
    capture.length ?? null,
    capture.refersTo?.recordId ?? null,
    capture.refersTo?.url ?? null,
    capture.refersTo?.urlKey ?? null,
    capture.refersTo?.at ?? null,
  ];
}

export const VALUE_COLUMNS = `url_key, at, url, item, type, status, media_type, digest, redirect, content_length,
  record_id, offset, inner, length, refers_id, refers_url, refers_key, refers_at`;
