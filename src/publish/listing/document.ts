/** A document that is written while it is sent. */
import { createHash } from 'node:crypto';
import type { Instant } from '../../core/model.ts';
import type { MeasuredWindow } from './cut-windows.ts';
import { writeWindow } from './window.ts';

export interface ListDocument {
  readonly mediaType: string;
  /** Weak: two documents of one tag list the same, but may tell different moments of writing. */
  readonly etag: string;
  readonly lastModifiedAt?: Instant;
  /** Under which a browser saves it. */
  readonly fileName?: string;
  /** Started when it is asked for the first piece, and only then. */
  pieces(): AsyncGenerator<Uint8Array<ArrayBuffer>>;
}

export const XML_TYPE = 'application/xml; charset=utf-8';

/** What stands in a list follows from where it begins and ends, how much it holds, and who reads it. */
export function tagOf(windows: readonly MeasuredWindow[], ...more: readonly string[]): string {
  const hash = createHash('sha256').update(JSON.stringify(more));
  for (const { window, extent } of windows)
    hash.update(
      JSON.stringify([writeWindow(window), extent.records, extent.bytes, extent.first, extent.last]),
    );
  return `W/"${hash.digest('base64url').slice(0, 32)}"`;
}

/** The newest of all entries. */
export function newestOf(windows: readonly MeasuredWindow[]): Instant | undefined {
  const stamps = windows.flatMap(({ extent }) => extent.last?.datestampAt ?? []);
  return stamps.length === 0 ? undefined : Math.max(...stamps);
}

const CHUNK_CHARACTERS = 32 * 1024;

/** Many small texts as few pieces of moderate size. */
export async function* encodeTexts(
  texts: AsyncIterable<string> | Iterable<string>,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let waiting = '';
  for await (const text of texts) {
    waiting += text;
    if (waiting.length < CHUNK_CHARACTERS) continue;
    yield Buffer.from(waiting);
    waiting = '';
  }
  if (waiting !== '') yield Buffer.from(waiting);
}

const CHUNK_BYTES = 64 * 1024;

/** The same for bytes. */
export async function* gatherPieces(
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let waiting: Uint8Array[] = [];
  let size = 0;
  for await (const piece of pieces) {
    waiting.push(piece);
    size += piece.length;
    if (size < CHUNK_BYTES) continue;
    yield Buffer.concat(waiting, size);
    waiting = [];
    size = 0;
  }
  if (size > 0) yield Buffer.concat(waiting, size);
}
