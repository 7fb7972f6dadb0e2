/**
 * The downloaded directory of one URL as tar.gz: its file, and when it is a page the files that it is shown with,
 * each without codings and unchanged, at the path that its URL gives it. The same captures give the same bytes, by
 * value and by reference.
 */
import { createHash, type Hash } from 'node:crypto';
import { UNPACK_LIMITS } from '../../archive/index.ts';
import { type CaptureAccess, openCapture } from '../../archive/items/index.ts';
import type { Viewer } from '../../core/access.ts';
import { asGarnerError } from '../../core/errors.ts';
import type { HttpHeader } from '../../formats/http-header.ts';
import type { StoredCapture } from '../../store/index.ts';
import { collecting } from '../collecting.ts';
import { writeTarGz } from '../tar.ts';
import { createFileNames } from './file-names.ts';

export interface PackedFile {
  readonly name: string;
  readonly capture: StoredCapture;
  readonly size: number;
  /** Hex. */
  readonly sha256: string;
}

export interface PackedDirectory {
  /** Of the tar.gz. */
  readonly size: number;
  /** Hex. */
  readonly sha256: string;
  /** The file of the URL first. */
  readonly files: readonly PackedFile[];
  /** Of the answer for the URL. */
  readonly headers: readonly HttpHeader[];
  /** May be called again. */
  open(): AsyncIterable<Uint8Array>;
}

export const PACKED_TYPE = 'application/gzip';

/** What is smaller is held, larger ones are read and packed anew each time. */
const HELD_BYTES = 1024 * 1024;
const LIMITS = { ...UNPACK_LIMITS, maxBytes: Number.MAX_SAFE_INTEGER };

type Bytes = AsyncIterable<Uint8Array>;

interface Member {
  readonly name: string;
  readonly capture: StoredCapture;
  readonly size: number;
  readonly open: () => Bytes;
}

/** Fails when the file of the URL, the first one, cannot be read; of the others those are left out. */
export async function packDirectory(
  access: CaptureAccess,
  captures: readonly [StoredCapture, ...StoredCapture[]],
  viewer: Viewer,
): Promise<PackedDirectory> {
  try {
    return await pack(access, captures, viewer, true);
  } catch (thrown) {
    // A record that was cut off has less than it says; then all contents are measured.
    if (asGarnerError(thrown).code !== 'archive.record') throw thrown;
    return pack(access, captures, viewer, false);
  }
}

async function pack(
  access: CaptureAccess,
  captures: readonly [StoredCapture, ...StoredCapture[]],
  viewer: Viewer,
  believes: boolean,
): Promise<PackedDirectory> {
  const nameOf = createFileNames();
  const [own] = captures;
  const members: Member[] = [];
  let headers: readonly HttpHeader[] = [];
  let room = HELD_BYTES;
  for (const capture of captures) {
    const content = contentOf(access, capture, viewer, (found) => {
      if (capture === own) headers = found;
    });
    try {
      const told = believes ? await findToldSize(access, capture, viewer) : undefined;
      const measured = told === undefined ? await measure(content(), room) : { size: told };
      if ('again' in measured) room -= measured.size;
      const open = 'again' in measured ? measured.again : content;
      members.push({ name: nameOf(capture), capture, size: measured.size, open });
    } catch (thrown) {
      if (capture === own || !/^(?:archive|source)\./.test(asGarnerError(thrown).code)) throw thrown;
    }
  }
  const hashes = new Map(members.map(({ name }) => [name, createHash('sha256')]));
  const made = await measure(tarOf(members, hashes), HELD_BYTES);
  return {
    size: made.size,
    sha256: made.sha256,
    files: members.map(({ name, capture, size }) => ({
      name,
      capture,
      size,
      sha256: hashes.get(name)?.digest('hex') ?? '',
    })),
    headers,
    open: made.again ?? (() => tarOf(members)),
  };
}

const tarOf = (members: readonly Member[], hashes?: ReadonlyMap<string, Hash>): Bytes =>
  writeTarGz(
    members.map(({ name, capture, size, open }) => {
      const hash = hashes?.get(name);
      return { name, size, modifiedAt: capture.at, open: hash ? () => hashing(open(), hash) : open };
    }),
  );

function contentOf(
  access: CaptureAccess,
  capture: StoredCapture,
  viewer: Viewer,
  onHeaders: (headers: readonly HttpHeader[]) => void,
): () => AsyncGenerator<Uint8Array> {
  return async function* () {
    const { record, http } = await openCapture(access, capture, viewer);
    onHeaders(http?.headers ?? []);
    try {
      yield* record.contentStream(LIMITS);
    } finally {
      await record.close();
    }
  };
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
  if ((capture.contentLength ?? Number.POSITIVE_INFINITY) <= HELD_BYTES) return undefined;
  const { record } = await openCapture(access, capture, viewer);
  try {
    const { contentLength, http, truncated } = record;
    const isCoded = http?.headers.some(([name]) => /^(?:content|transfer)-encoding$/i.test(name)) === true;
    if (isCoded || truncated || contentLength === undefined) return undefined;
    const size = contentLength - (http?.bodyOffset ?? 0);
    return size > HELD_BYTES ? size : undefined;
  } finally {
    await record.close();
  }
}

async function* hashing(bytes: Bytes, hash: Hash): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    hash.update(chunk);
    yield chunk;
  }
}

interface Measured {
  readonly size: number;
  readonly sha256: string;
  /** Of what is held. */
  readonly again?: () => Bytes;
}

/** `room`: what has more bytes is not held. */
async function measure(bytes: Bytes, room: number): Promise<Measured> {
  const hash = createHash('sha256');
  let held: Buffer[] | undefined = [];
  let size = 0;
  for await (const chunk of collecting(bytes)) {
    hash.update(chunk);
    size += chunk.length;
    if (size > room) held = undefined;
    held?.push(Buffer.from(chunk));
  }
  const kept = held;
  return {
    size,
    sha256: hash.digest('hex'),
    ...(kept && {
      again: async function* () {
        yield* kept;
      },
    }),
  };
}
