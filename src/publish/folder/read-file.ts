/** The bytes of a published file: digest, type and title in one pass; later once more for whoever asks. */
import { createHash, hash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open, realpath } from 'node:fs/promises';
import { type SniffedType, sniffType } from './sniff-type.ts';

/** Read whole; larger files go through in pieces. */
const SMALL_BYTES = 256 * 1024;
const PIECE_BYTES = 1024 * 1024;
/** Titles further down than that are not found. */
const TITLE_BYTES = 64 * 1024;

/** O_NOFOLLOW: whoever puts a link in the place of a file between two looks gains nothing. */
const READ_SAFELY = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

export interface ReadFile extends SniffedType {
  readonly sha256: string;
  readonly size: number;
  readonly mtimeMs: number;
  readonly ino: number;
  readonly title?: string;
  readonly language?: string;
}

export async function openFile(path: string | Buffer, isLink: boolean): Promise<FileHandle> {
  return open(isLink ? await realpath(path) : path, READ_SAFELY);
}

/** Undefined when the file changes while it is read: the next scan sees what became of it. */
export async function readFileFacts(
  path: string | Buffer,
  name: string,
  isLink: boolean,
): Promise<ReadFile | undefined> {
  await using handle = await openFile(path, isLink);
  const before = await handle.stat();
  if (!before.isFile()) return undefined;
  const read = before.size <= SMALL_BYTES ? await readWhole(handle, before.size) : await readPieces(handle);
  if (read.size !== before.size) return undefined;
  if (before.size > SMALL_BYTES) {
    const after = await handle.stat();
    if (after.size !== before.size || after.mtimeMs !== before.mtimeMs) return undefined;
  }
  const type = sniffType(read.head, name);
  return {
    ...type,
    ...describePage(type, read.head),
    sha256: read.sha256,
    size: read.size,
    mtimeMs: before.mtimeMs,
    ino: before.ino,
  };
}

interface Digested {
  readonly head: Uint8Array;
  readonly sha256: string;
  readonly size: number;
}

async function readWhole(handle: FileHandle, size: number): Promise<Digested> {
  // One byte more than there should be tells whether it grew.
  const buffer = Buffer.allocUnsafe(size + 1);
  let length = 0;
  for (;;) {
    const { bytesRead } = await handle.read(buffer, length, buffer.length - length, length);
    length += bytesRead;
    if (bytesRead === 0 || length === buffer.length) break;
  }
  const bytes = buffer.subarray(0, length);
  return { head: bytes.subarray(0, TITLE_BYTES), sha256: hash('sha256', bytes, 'hex'), size: length };
}

async function readPieces(handle: FileHandle): Promise<Digested> {
  const digest = createHash('sha256');
  let head: Uint8Array | undefined;
  let size = 0;
  for await (const piece of readFrom(handle)) {
    head ??= Buffer.from(piece.subarray(0, TITLE_BYTES));
    digest.update(piece);
    size += piece.length;
  }
  return { head: head ?? Buffer.alloc(0), sha256: digest.digest('hex'), size };
}

/** Each piece is good until the next one is asked for. */
export async function* readFrom(handle: FileHandle): AsyncGenerator<Uint8Array> {
  const buffer = Buffer.allocUnsafe(PIECE_BYTES);
  for (let at = 0; ; ) {
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, at);
    if (bytesRead === 0) return;
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

const NAMED_ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};

/** Title and language of an HTML page, as its first bytes give them. */
export function describePage(
  { mediaType, charset }: SniffedType,
  head: Uint8Array,
): Pick<ReadFile, 'title' | 'language'> {
  if (mediaType !== 'text/html' && mediaType !== 'application/xhtml+xml') return {};
  const text = new TextDecoder(charset ?? 'windows-1252').decode(head.subarray(0, TITLE_BYTES));
  const title = /<title(?:\s[^>]*)?>([^<]{0,1000})/i.exec(text)?.[1];
  const language = /<html[^>]{0,500}\slang=["']?([A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8})*)/i.exec(text)?.[1];
  const plain = title
    ?.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w{1,10}));/gi, decodeEntity)
    .replace(/\s+/g, ' ')
    .trim();
  return { ...(plain && { title: plain }), ...(language !== undefined && { language }) };
}

function decodeEntity(
  found: string,
  decimal: string | undefined,
  hex: string | undefined,
  name: string | undefined,
): string {
  const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
  if (name === undefined) return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : found;
  return NAMED_ENTITIES[name.toLowerCase()] ?? found;
}
