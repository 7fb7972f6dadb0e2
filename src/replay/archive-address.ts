/**
 * Addresses on the archive origin: `/{source}/{url}/{time}/{name}`, each part of them a directory. The URL
 * is packed as base64 behind a readable beginning, since proxies change `//` and `%2F` in a path.
 */
import { captureSpan } from '../archive/items/index.ts';
import { safePart } from '../archive/items/safe-name.ts';
import { NAME_PATTERN } from '../core/identifiers.ts';
import type { Instant } from '../core/model.ts';

export interface ArchiveAddress {
  readonly source: string;
  readonly url?: string;
  /** A whole second. */
  readonly at?: Instant;
  /** Of a file. */
  readonly name?: string;
}

/** The bytes as they are in the archive, without links that lead to neighbours. */
export const ORIGINAL_FILE = 'original';
const READABLE_LENGTH = 60;
const MAX_URL_LENGTH = 8000;

export function writeArchiveAddress({ source, url, at, name }: ArchiveAddress): string {
  const parts = [source];
  if (url !== undefined) parts.push(packUrl(url));
  if (url !== undefined && at !== undefined) parts.push(timestamp(at));
  const directory = `/${parts.join('/')}/`;
  return name === undefined ? directory : directory + encodeURIComponent(name);
}

const timestamp = (at: Instant): string => new Date(at).toISOString().replace(/\D/g, '').slice(0, 14);

function packUrl(url: string): string {
  const readable = safePart(url.replace(/^\w+:\/*/, '')).slice(0, READABLE_LENGTH);
  return `${readable}~${Buffer.from(url).toString('base64url')}`;
}

/** Undefined when nothing can be there. `path` without a query. */
export function parseArchiveAddress(path: string): ArchiveAddress | undefined {
  const parts = path.split('/');
  const [before, source = '', packed = '', time = '', name = '', ...more] = parts;
  if (before !== '' || more.length > 0 || !NAME_PATTERN.test(source)) return undefined;
  if (packed === '') return parts.length <= 3 ? { source } : undefined;
  const url = unpackUrl(packed);
  if (url === undefined) return undefined;
  if (time === '') return parts.length <= 4 ? { source, url } : undefined;
  const at = /^\d{14}$/.test(time) ? captureSpan(time)?.start : undefined;
  if (at === undefined) return undefined;
  return { source, url, at, ...(name !== '' && { name: decodePart(name) }) };
}

function unpackUrl(packed: string): string | undefined {
  const base64 = packed.slice(packed.lastIndexOf('~') + 1);
  if (!/^[\w-]+$/.test(base64) || base64.length > (MAX_URL_LENGTH * 4) / 3) return undefined;
  const bytes = Buffer.from(base64, 'base64url');
  return bytes.toString('base64url') === base64 ? bytes.toString('utf8') : undefined;
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
