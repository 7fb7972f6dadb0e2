/** Bytes that can be read anywhere: a file, a part of one, or memory. */
import { open } from 'node:fs/promises';
import { GarnerError } from '../../core/errors.ts';

export interface ByteSource {
  /** For messages. */
  readonly name: string;
  /** Of the file, when the source is all of one. */
  readonly path?: string;
  readonly size: number;
  /** Up to `length` bytes from `position`: fewer at will, none only at the end. The buffer is the caller's. */
  read(position: number, length: number): Promise<Buffer>;
  close(): Promise<void>;
}

export async function openFile(path: string): Promise<ByteSource> {
  const handle = await open(path, 'r').catch((error: unknown) => {
    throw new GarnerError('source.unreadable', `cannot read ${path}`, { cause: error, details: { path } });
  });
  const { size } = await handle.stat();
  return {
    name: path,
    path,
    size,
    async read(position, length) {
      const buffer = Buffer.allocUnsafeSlow(Math.max(0, Math.min(length, size - position)));
      if (buffer.length === 0) return buffer;
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, position);
      return bytesRead === buffer.length ? buffer : buffer.subarray(0, bytesRead);
    },
    close: () => handle.close(),
  };
}

export function bytesInMemory(bytes: Buffer, name = 'bytes in memory'): ByteSource {
  return {
    name,
    size: bytes.length,
    read: (position, length) => Promise.resolve(bytes.subarray(position, position + length)),
    close: () => Promise.resolve(),
  };
}

/** Another source that ends earlier; positions stay what they are. Closing it leaves the other open. */
export function upTo(source: ByteSource, end: number): ByteSource {
  const size = Math.min(end, source.size);
  return {
    name: source.name,
    size,
    read: (position, length) => source.read(position, Math.max(0, Math.min(length, size - position))),
    close: () => Promise.resolve(),
  };
}

/** A part of another source, as an archive stored in a zip file is. Closing it leaves the other open. */
export function partOf(source: ByteSource, start: number, size: number, name: string): ByteSource {
  return {
    name,
    size,
    read: (position, length) => source.read(start + position, Math.max(0, Math.min(length, size - position))),
    close: () => Promise.resolve(),
  };
}

/** Exactly that many bytes, or as many as there are. */
export async function readFully(source: ByteSource, position: number, length: number): Promise<Buffer> {
  const first = await source.read(position, length);
  if (first.length >= length || first.length === 0) return first;
  const parts = [first];
  let got = first.length;
  while (got < length) {
    const part = await source.read(position + got, length - got);
    if (part.length === 0) break;
    parts.push(part);
    got += part.length;
  }
  return Buffer.concat(parts, got);
}
