/** The frames of a zstd WARC (the IIPC draft): one per record, perhaps with a dictionary before the first. */
import { zstdDecompressSync } from 'node:zlib';
import { type ByteSource, readFully } from '../bytes/byte-source.ts';
import type { Damage } from './events.ts';
import { type InflateOutcome, inflateStream } from './inflate-stream.ts';
import type { Member, PieceEvent } from './pieces.ts';
import {
  BLOCK_HEADER_BYTES,
  CHECKSUM_BYTES,
  FRAME_HEAD_BYTES,
  frameHeaderLength,
  frameKind,
  hasChecksum,
  readBlockHeader,
  SKIPPABLE_HEADER_BYTES,
  skippableLength,
} from './zstd-frame.ts';

const WINDOW_BYTES = 1 << 20;
const WHOLE_BYTES = 4 << 20;
const DICTIONARY_LIMIT = 64 << 20;

export async function* zstdPieces(source: ByteSource, start: number): AsyncGenerator<PieceEvent> {
  const dictionary = await findDictionary(source);
  const input = windowOver(source);
  for (let offset = start; offset < source.size; ) {
    const head = await input(offset, FRAME_HEAD_BYTES);
    const kind = frameKind(head);
    if (kind === 'skippable' || kind === 'dictionary') {
      if (head.length < SKIPPABLE_HEADER_BYTES) break;
      offset += skippableLength(head);
      continue;
    }
    const length = kind === 'frame' ? await frameLength(input, offset) : undefined;
    const member: Member = { offset, compressed: true, ...(length !== undefined && { length }) };
    const whole = length !== undefined && length <= WINDOW_BYTES ? await input(offset, length) : undefined;
    const bytes = whole && decompress(whole, dictionary);
    if (bytes && length !== undefined) {
      if (bytes.length > 0) yield { kind: 'piece', bytes, member, first: true };
      offset += length;
      continue;
    }
    let saved = 0;
    let outcome: InflateOutcome = { failure: 'compression' };
    if (kind === 'frame') {
      const end = length === undefined ? source.size : offset + length;
      const stream = inflateStream(source, offset, {
        coding: 'zstd',
        end,
        saving: length === undefined,
        ...(dictionary && { dictionary }),
      });
      while (true) {
        const { done, value } = await stream.next();
        if (done) {
          outcome = value;
          break;
        }
        yield { kind: 'piece', bytes: value, member, first: saved === 0 };
        saved += value.length;
      }
    }
    if (outcome.failure === undefined && length !== undefined) {
      offset += length;
      continue;
    }
    // A frame whose blocks can be followed is passed over whole; else the next magic number decides.
    const next = length === undefined ? await findFrame(input, source.size, offset + 1) : offset + length;
    yield damaged(
      kind === 'frame' ? 'compression' : 'junk',
      offset,
      (next ?? source.size) - offset,
      saved,
      next === undefined,
    );
    if (next === undefined) return;
    offset = next;
  }
}

type Input = (position: number, length: number) => Promise<Buffer>;

/** Small reads are served from one larger one. */
function windowOver(source: ByteSource): Input {
  let window: Buffer = Buffer.alloc(0);
  let base = 0;
  return async (position, length) => {
    const missing = position < base || position + length > base + window.length;
    if (
      missing &&
      (position < base || base + window.length < source.size || position > base + window.length)
    ) {
      window = await readFully(source, position, Math.max(length, 2 * WINDOW_BYTES));
      base = position;
    }
    return window.subarray(position - base, position - base + length);
  };
}

/** By following the headers of its blocks; undefined when the frame is cut off or no frame at all. */
async function frameLength(input: Input, offset: number): Promise<number | undefined> {
  const head = await input(offset, FRAME_HEAD_BYTES);
  const headerLength = frameHeaderLength(head);
  if (headerLength === undefined) return undefined;
  const checksum = hasChecksum(head) ? CHECKSUM_BYTES : 0;
  for (let at = offset + headerLength; ; ) {
    const header = await input(at, BLOCK_HEADER_BYTES);
    const block = header.length < BLOCK_HEADER_BYTES ? undefined : readBlockHeader(header, 0);
    if (!block) return undefined;
    at += BLOCK_HEADER_BYTES + block.length;
    if (!block.last) continue;
    const end = at + checksum;
    return (await input(end - 1, 1)).length === 1 ? end - offset : undefined;
  }
}

function decompress(frame: Buffer, dictionary: Buffer | undefined): Buffer | undefined {
  try {
    return zstdDecompressSync(frame, { maxOutputLength: WHOLE_BYTES, ...(dictionary && { dictionary }) });
  } catch {
    // Too large or damaged: the stream finds out which.
    return undefined;
  }
}

/** The dictionary may itself be a zstd frame. */
async function findDictionary(source: ByteSource): Promise<Buffer | undefined> {
  const head = await readFully(source, 0, SKIPPABLE_HEADER_BYTES);
  if (frameKind(head) !== 'dictionary' || head.length < SKIPPABLE_HEADER_BYTES) return undefined;
  const length = Math.min(skippableLength(head) - SKIPPABLE_HEADER_BYTES, DICTIONARY_LIMIT);
  const bytes = await readFully(source, SKIPPABLE_HEADER_BYTES, length);
  if (frameKind(bytes) !== 'frame') return bytes;
  try {
    return zstdDecompressSync(bytes, { maxOutputLength: DICTIONARY_LIMIT });
  } catch {
    // Without it the frames do not decompress, and each of them is reported.
    return undefined;
  }
}

async function findFrame(input: Input, size: number, from: number): Promise<number | undefined> {
  for (let position = from; position < size; ) {
    const bytes = await input(position, WINDOW_BYTES);
    for (let at = bytes.indexOf(0x28); at >= 0; at = bytes.indexOf(0x28, at + 1)) {
      if (frameKind(bytes, at) !== 'frame') continue;
      if ((await frameLength(input, position + at)) !== undefined) return position + at;
    }
    if (bytes.length <= 3) return undefined;
    position += bytes.length - 3;
  }
  return undefined;
}

function damaged(
  reason: 'compression' | 'junk',
  offset: number,
  skipped: number,
  saved: number,
  atEnd: boolean,
): Damage {
  if (reason === 'compression' && atEnd) {
    return {
      kind: 'damage',
      reason: 'truncated',
      offset,
      skipped,
      message: `the file ends inside a zstd frame; ${saved} bytes of it were saved`,
    };
  }
  const what =
    reason === 'junk'
      ? 'no zstd frame here'
      : `a zstd frame does not decompress; ${saved} bytes of it were saved`;
  return { kind: 'damage', reason, offset, skipped, message: what };
}
