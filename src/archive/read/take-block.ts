/** Finds where a record's block ends: by its length when that is true, else by the start of the next record. */
import type { Cursor, Stop } from './cursor.ts';
import type { DamageReason } from './events.ts';
import { findStart, formAt, newlinesBefore, type RecordForm, START_BYTES } from './record-start.ts';

export interface TakenBlock {
  readonly bytes: Buffer;
  readonly truncated: boolean;
  readonly problem?: { readonly reason: DamageReason; readonly message: string };
}

/** The first look for the next record goes so far; each further one twice as far. */
const SEARCH_BYTES = 64 * 1024;

/** The cursor stands at the block's beginning, and afterwards at its end. `limit` bounds the search. */
export async function takeBlock(
  cursor: Cursor,
  form: RecordForm,
  length: number | undefined,
  limit: number,
): Promise<TakenBlock> {
  let stop: Stop | undefined;
  if (length !== undefined) {
    stop = await cursor.fill(length);
    const end = stop ? 'elsewhere' : await endsAt(cursor, form, length);
    if (end !== 'elsewhere') {
      const bytes = take(cursor, length);
      return end === 'here' ? { bytes, truncated: false } : { bytes, truncated: false, problem: NO_NEWLINE };
    }
  }
  return searchEnd(cursor, form, length, Math.max(limit, (length ?? 0) + SEARCH_BYTES), stop);
}

function take(cursor: Cursor, length: number): Buffer {
  const bytes = cursor.bytes.subarray(cursor.at, cursor.at + length);
  cursor.advance(length);
  return bytes;
}

const isNewline = (byte: number | undefined): boolean => byte === 0x0a || byte === 0x0d;

const NO_NEWLINE = {
  reason: 'length',
  message: 'no newlines part the block from the next record; its length may count them',
} as const;

/**
 * What follows after so many bytes: what follows a record (`here`: newlines, then a record or nothing), a
 * record without the newlines before it (`tight`), or something else.
 */
export async function endsAt(
  cursor: Cursor,
  form: RecordForm,
  length: number,
): Promise<'here' | 'tight' | 'elsewhere'> {
  await cursor.fill(length + (form === 'arc' ? START_BYTES : 16));
  const { bytes } = cursor;
  const end = cursor.at + length;
  let at = end;
  while (isNewline(bytes[at])) at++;
  if (at >= bytes.length) return 'here';
  const parted = at > end;
  if (formAt(bytes, at) === form) return parted ? 'here' : 'tight';
  // A WARC record ends with two newlines: behind them is junk, and the length was true.
  const twice = at - end >= 2 && newlinesBefore(bytes.subarray(end, at), at - end, 2) === 0;
  return form === 'warc' && twice ? 'here' : 'elsewhere';
}

async function searchEnd(
  cursor: Cursor,
  form: RecordForm,
  length: number | undefined,
  limit: number,
  stopped: Stop | undefined,
): Promise<TakenBlock> {
  let stop = stopped;
  let scanned = 0;
  for (let want = Math.max(cursor.unread, SEARCH_BYTES); ; want = Math.min(limit, want * 2)) {
    stop ??= await cursor.fill(want);
    // A start, or the line before it, may have been cut off by the end of what was there.
    const found = findStart(cursor.bytes.subarray(cursor.at), Math.max(0, scanned - START_BYTES), form);
    if (found) return wrongLength(take(cursor, found.blockEnd), length);
    scanned = cursor.unread;
    if (stop || want >= limit) break;
  }
  const all = cursor.unread;
  if (!stop) {
    // No record in sight: the length is all there is to go by.
    return wrongLength(take(cursor, Math.min(length ?? all, all)), length);
  }
  const isShort = length !== undefined && all < length;
  if (stop === 'broken') return { bytes: take(cursor, all), truncated: true };
  if (isShort && stop === 'end' && !cursor.place().member.compressed) {
    const message = `the file ends after ${all} of ${length} bytes of a block`;
    return { bytes: take(cursor, all), truncated: true, problem: { reason: 'truncated', message } };
  }
  const end = newlinesBefore(cursor.bytes.subarray(cursor.at), all, form === 'warc' ? 2 : 1);
  return { ...wrongLength(take(cursor, end), length), truncated: isShort };
}

function wrongLength(bytes: Buffer, length: number | undefined): TakenBlock {
  const message =
    length === undefined
      ? `a block without a length was found to have ${bytes.length} bytes`
      : `a block said to have ${length} bytes was found to have ${bytes.length}`;
  return { bytes, truncated: false, problem: { reason: 'length', message } };
}
