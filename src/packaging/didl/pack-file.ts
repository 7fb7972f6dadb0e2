/**
 * Files of directories that are packed, each an entry of a tar file and deflated by itself. Most pages of a site are
 * shown with the same few files: those are read and deflated once, as long as there is room to keep them.
 */
import { createHash, type Hash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { UNPACK_LIMITS } from '../../archive/index.ts';
import { type CaptureAccess, openCapture } from '../../archive/items/index.ts';
import type { Viewer } from '../../core/access.ts';
import type { HttpHeader } from '../../formats/http-header.ts';
import type { StoredCapture } from '../../store/index.ts';
import { collecting } from '../collecting.ts';
import { deflateHeld, deflatePart, type PartCheck } from '../gzip-parts.ts';
import { otherSize, writeTarEntry } from '../tar.ts';
import { createHeldParts } from './held-parts.ts';

export interface FileFacts extends PartCheck {
  /** Of the content, in hex. */
  readonly sha256: string;
  /** Of the answer. */
  readonly headers: readonly HttpHeader[];
}

export interface FileToPack {
  readonly name: string;
  readonly capture: StoredCapture;
  readonly size: number;
  /** May be called again, and gives the same. */
  readonly open: () => AsyncGenerator<Uint8Array, FileFacts>;
}

/** `believes`: in the size that the record of a large file tells; else its content is measured. */
export type FilePacker = (capture: StoredCapture, name: string, believes: boolean) => Promise<FileToPack>;

/** What has more is read and deflated anew whenever it is needed. */
const SMALL_BYTES = 2 ** 20;
/** Of all files that are kept, deflated. */
const HELD_BYTES = 16 * 2 ** 20;
const LIMITS = { ...UNPACK_LIMITS, maxBytes: Number.MAX_SAFE_INTEGER };

interface HeldFile extends FileFacts {
  readonly size: number;
  readonly deflated: Uint8Array;
}

/** `room`: for what is kept, in bytes. */
export function createFilePacker(access: CaptureAccess, viewer: Viewer, room = HELD_BYTES): FilePacker {
  const held = createHeldParts<HeldFile>(room);

  /** Of what is not small only the size. */
  async function hold(capture: StoredCapture, name: string): Promise<HeldFile | number> {
    const key = `${capture.key} ${name}`;
    const known = held.find(key);
    if (known) return known;
    const content = openContent(access, capture, viewer);
    const bytes = await readSmall(content.bytes);
    if (typeof bytes === 'number') return bytes;
    const size = bytes.length;
    const parts = writeTarEntry({ name, size, modifiedAt: capture.at, open: () => once(bytes) });
    const file = {
      ...(await deflateHeld(await buffer(parts))),
      size,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      headers: content.headers(),
    };
    held.keep(key, file);
    return file;
  }

  async function* openHeld(capture: StoredCapture, name: string): AsyncGenerator<Uint8Array, FileFacts> {
    const file = await hold(capture, name);
    if (typeof file === 'number') throw otherSize(name);
    yield file.deflated;
    return file;
  }

  async function* openLarge(
    capture: StoredCapture,
    name: string,
    size: number,
  ): AsyncGenerator<Uint8Array, FileFacts> {
    const { bytes, headers } = openContent(access, capture, viewer);
    const hash = createHash('sha256');
    const open = () => hashing(bytes, hash);
    const check = yield* deflatePart(writeTarEntry({ name, size, modifiedAt: capture.at, open }));
    return { ...check, sha256: hash.digest('hex'), headers: headers() };
  }

  return async (capture, name, believes) => {
    const told = believes ? await findToldSize(access, capture, viewer) : undefined;
    const found = told ?? (await hold(capture, name));
    return typeof found === 'number'
      ? { name, capture, size: found, open: () => openLarge(capture, name, found) }
      : { name, capture, size: found.size, open: () => openHeld(capture, name) };
  };
}

interface Content {
  /** To be read once. */
  readonly bytes: AsyncGenerator<Uint8Array>;
  /** Known when the first bytes were read. */
  readonly headers: () => readonly HttpHeader[];
}

function openContent(access: CaptureAccess, capture: StoredCapture, viewer: Viewer): Content {
  let headers: readonly HttpHeader[] = [];
  async function* read(): AsyncGenerator<Uint8Array> {
    const { record, http } = await openCapture(access, capture, viewer);
    headers = http?.headers ?? [];
    try {
      yield* record.contentStream(LIMITS);
    } finally {
      await record.close();
    }
  }
  return { bytes: read(), headers: () => headers };
}

/** Of what is larger than small the size. */
async function readSmall(bytes: AsyncIterable<Uint8Array>): Promise<Buffer | number> {
  let held: Buffer[] = [];
  let size = 0;
  for await (const chunk of collecting(bytes)) {
    size += chunk.length;
    if (size > SMALL_BYTES) held = [];
    else held.push(Buffer.from(chunk));
  }
  return size > SMALL_BYTES ? size : Buffer.concat(held);
}

/**
 * A tar tells the size before the content. What has no coding is as long as its record says; only large ones are
 * worth asking, since they would be read once more.
 */
async function findToldSize(
  access: CaptureAccess,
  capture: StoredCapture,
  viewer: Viewer,
): Promise<number | undefined> {
  if ((capture.contentLength ?? Number.POSITIVE_INFINITY) <= SMALL_BYTES) return undefined;
  const { record } = await openCapture(access, capture, viewer);
  try {
    const { contentLength, http, truncated } = record;
    const isCoded = http?.headers.some(([name]) => /^(?:content|transfer)-encoding$/i.test(name)) === true;
    if (isCoded || truncated || contentLength === undefined) return undefined;
    const size = contentLength - (http?.bodyOffset ?? 0);
    return size > SMALL_BYTES ? size : undefined;
  } finally {
    await record.close();
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

async function* hashing(bytes: AsyncIterable<Uint8Array>, hash: Hash): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    hash.update(chunk);
    yield chunk;
  }
}
