/**
 * The members of a gzip file. Most are a single small record: those are inflated in one synchronous call
 * each, which is several times quicker than a stream per member (docs/decisions/0012). Large ones stream.
 */
import { crc32, inflateRawSync } from 'node:zlib';
import { type ByteSource, readFully } from '../bytes/byte-source.ts';
import type { Damage } from './events.ts';
import { GZIP_TRAILER_BYTES, gzipHeaderLength, isGzipMagic } from './gzip-header.ts';
import { type Inflated, inflateCounting } from './inflate-member.ts';
import { type InflateOutcome, inflateStream, isEndOfInput } from './inflate-stream.ts';
import type { Member, PieceEvent } from './pieces.ts';
import { formAt, START_BYTES } from './record-start.ts';

const WINDOW_BYTES = 2 << 20;
/** Below so many unread bytes the window is filled first: cheaper than an inflate that runs out of input. */
const LOW_BYTES = 128 * 1024;
/** A member that inflates to more streams, so that no call blocks the thread for long. */
const WHOLE_BYTES = 4 << 20;

type Attempt = Inflated | 'too-large' | 'more-input' | 'damaged';

export async function* gzipPieces(source: ByteSource, start: number): AsyncGenerator<PieceEvent> {
  const input = readingAhead(source);
  let window: Buffer = Buffer.alloc(0);
  let at = 0;
  /** In the file, of `window[0]`. */
  let base = start;
  const refill = async (bytes: number): Promise<void> => {
    const kept = window.subarray(at);
    base += at;
    at = 0;
    const more = await input(base + kept.length, bytes);
    window = kept.length === 0 ? more : Buffer.concat([kept, more], kept.length + more.length);
  };
  const atEnd = (): boolean => base + window.length >= source.size;
  const jump = (position: number): void => {
    if (position >= base && position <= base + window.length) {
      at = position - base;
      return;
    }
    window = Buffer.alloc(0);
    base = position;
    at = 0;
  };

  while (true) {
    if (window.length - at < LOW_BYTES && !atEnd()) await refill(WINDOW_BYTES);
    const offset = base + at;
    if (at >= window.length) return;
    const headerLength = gzipHeaderLength(window, at);
    if (headerLength === undefined) {
      const next = await findMember(source, offset);
      yield passedOver(
        offset,
        next,
        isGzipMagic(window, at) ? 'the file ends in a gzip header' : 'no gzip member here',
      );
      if (next === undefined) return;
      jump(next);
      continue;
    }
    let attempt = inflateAt(window, at + headerLength);
    if (attempt === 'more-input' && !atEnd() && window.length - at < WINDOW_BYTES) {
      await refill(WINDOW_BYTES);
      attempt = inflateAt(window, at + headerLength);
    }
    const member: Member = { offset, compressed: true };
    let consumed: number;
    let checksum: number;
    let size: number;
    if (typeof attempt === 'object') {
      ({ consumed } = attempt);
      size = attempt.bytes.length;
      checksum = crc32(attempt.bytes);
      member.length = headerLength + consumed + GZIP_TRAILER_BYTES;
      if (size > 0) yield { kind: 'piece', bytes: attempt.bytes, member, first: true };
    } else {
      const saving = attempt === 'damaged' || (attempt === 'more-input' && atEnd());
      const stream = inflateStream(source, offset + headerLength, { coding: 'deflate', saving });
      checksum = 0;
      size = 0;
      let outcome: InflateOutcome;
      while (true) {
        const { done, value } = await stream.next();
        if (done) {
          outcome = value;
          break;
        }
        checksum = crc32(value, checksum);
        yield { kind: 'piece', bytes: value, member, first: size === 0 };
        size += value.length;
      }
      if (outcome.consumed === undefined) {
        const next = await findMember(source, offset + 1);
        const length = (next ?? source.size) - offset;
        yield broken(outcome.failure ?? 'compression', offset, length, size);
        if (next === undefined) return;
        jump(next);
        continue;
      }
      ({ consumed } = outcome);
      member.length = headerLength + consumed + GZIP_TRAILER_BYTES;
    }
    const trailerAt = offset + headerLength + consumed;
    jump(trailerAt);
    if (window.length - at < GZIP_TRAILER_BYTES && !atEnd()) await refill(WINDOW_BYTES);
    if (window.length - at < GZIP_TRAILER_BYTES) {
      member.length = source.size - offset;
      yield {
        kind: 'damage',
        reason: 'truncated',
        offset,
        message: 'the file ends in the checksum of a gzip member',
      };
      return;
    }
    // The size is counted modulo 2³².
    if (window.readUInt32LE(at) !== checksum || window.readUInt32LE(at + 4) !== size % 2 ** 32) {
      yield {
        kind: 'damage',
        reason: 'checksum',
        offset,
        message: 'the gzip member has another checksum than its bytes',
      };
    }
    at += GZIP_TRAILER_BYTES;
  }
}

/** Reads the bytes after those just asked for while the caller works on them. */
function readingAhead(source: ByteSource): (position: number, length: number) => Promise<Buffer> {
  let ahead:
    | { readonly position: number; readonly length: number; readonly bytes: Promise<Buffer> }
    | undefined;
  return async (position, length) => {
    const fits = ahead?.position === position && ahead.length === length;
    const bytes = await (ahead && fits ? ahead.bytes : readFully(source, position, length));
    const next = position + bytes.length;
    ahead =
      next < source.size ? { position: next, length, bytes: readFully(source, next, length) } : undefined;
    // A failure is met when the bytes are asked for.
    ahead?.bytes.catch(() => undefined);
    return bytes;
  };
}

function inflateAt(window: Buffer, at: number): Attempt {
  try {
    return inflateCounting(window.subarray(at), WHOLE_BYTES);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE')
      return 'too-large';
    return isEndOfInput(error) ? 'more-input' : 'damaged';
  }
}

/** The next gzip member that has a record at its start. */
async function findMember(source: ByteSource, from: number): Promise<number | undefined> {
  for (let position = from; position < source.size; ) {
    const bytes = await readFully(source, position, WINDOW_BYTES);
    for (let at = bytes.indexOf(0x1f); at >= 0; at = bytes.indexOf(0x1f, at + 1)) {
      if (!isGzipMagic(bytes, at)) continue;
      const head = await readFully(source, position + at, LOW_BYTES);
      if (startsWithRecord(head)) return position + at;
    }
    // A magic number may lie across two windows.
    const step = bytes.length - 3;
    if (step <= 0 || position + bytes.length >= source.size) return undefined;
    position += step;
  }
  return undefined;
}

function startsWithRecord(head: Buffer): boolean {
  const start = gzipHeaderLength(head, 0);
  if (start === undefined) return false;
  const attempt = inflateStart(head.subarray(start));
  return attempt !== undefined && formAt(attempt) !== undefined;
}

/** The first decompressed bytes, of a member that may be cut off. */
function inflateStart(deflated: Buffer): Buffer | undefined {
  // A record's first line is in the first few hundred compressed bytes, unless its URL is endless.
  for (const length of [512, START_BYTES, LOW_BYTES]) {
    try {
      const bytes = inflateRawSync(deflated.subarray(0, length), {
        finishFlush: 2,
        maxOutputLength: 1 << 24,
      });
      if (bytes.includes(0x0a) || length >= deflated.length) return bytes;
    } catch {
      return undefined;
    }
  }
  return undefined;
}

function passedOver(offset: number, next: number | undefined, what: string): Damage {
  return {
    kind: 'damage',
    reason: 'junk',
    offset,
    ...(next !== undefined && { skipped: next - offset }),
    message: next === undefined ? `${what}, nor anywhere after` : `${what}; the next is at ${next}`,
  };
}

function broken(reason: 'truncated' | 'compression', offset: number, length: number, saved: number): Damage {
  const what =
    reason === 'truncated' ? 'the file ends inside a gzip member' : 'a gzip member does not decompress';
  return {
    kind: 'damage',
    reason,
    offset,
    skipped: length,
    message: `${what}; ${saved} bytes of it were saved`,
  };
}
