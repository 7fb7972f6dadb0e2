/** Paging cursors: opaque, URL-safe, and bound to the order they belong to. */
import { GarnerError } from '../../../core/errors.ts';
import type { SortSpec } from '../../search.ts';

/** Goes on strictly after (value, key); `value` null: among the documents without one. */
export interface FieldCursor {
  readonly kind: 'field';
  readonly sort: SortSpec;
  readonly value: string | number | null;
  readonly key: number;
}

/** Goes on at a place of a ranking that is computed again, so it holds for one state of the index only. */
export interface RankCursor {
  readonly kind: 'rank';
  readonly seq: number;
  readonly offset: number;
}

export type Cursor = FieldCursor | RankCursor;

export function writeCursor(cursor: Cursor): string {
  const parts =
    cursor.kind === 'rank'
      ? ['r', cursor.seq, cursor.offset]
      : ['f', cursor.sort.by, cursor.sort.direction, writeValue(cursor.value), cursor.key];
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

export function readCursor(text: string): Cursor {
  const [kind, ...parts] = readParts(text);
  if (kind === 'r') {
    const [seq, offset] = parts;
    if (isCount(seq) && isCount(offset) && parts.length === 2) return { kind: 'rank', seq, offset };
  } else if (kind === 'f') {
    const [by, direction, written, key] = parts;
    const value = readValue(written);
    if (
      typeof by === 'string' &&
      (direction === 'asc' || direction === 'desc') &&
      value !== undefined &&
      isCount(key) &&
      parts.length === 4
    ) {
      return { kind: 'field', sort: { by, direction }, value, key };
    }
  }
  throw invalidCursor();
}

export function invalidCursor(): GarnerError {
  return new GarnerError(
    'cursor.invalid',
    'the cursor does not belong to this list; start from the first page',
  );
}

/** JSON has no infinite numbers, which open intervals begin with. */
function writeValue(value: string | number | null): string | number | null | readonly [string] {
  return typeof value === 'number' && !Number.isFinite(value) ? [String(value)] : value;
}

function readValue(value: unknown): string | number | null | undefined {
  if (Array.isArray(value)) {
    if (value[0] === 'Infinity') return Number.POSITIVE_INFINITY;
    return value[0] === '-Infinity' ? Number.NEGATIVE_INFINITY : undefined;
  }
  return typeof value === 'string' || typeof value === 'number' || value === null ? value : undefined;
}

function readParts(text: string): unknown[] {
  if (!/^[A-Za-z0-9_-]+$/.test(text)) throw invalidCursor();
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    if (Array.isArray(parts)) return parts;
  } catch {
    // Told below, like every other text that is no cursor.
  }
  throw invalidCursor();
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
