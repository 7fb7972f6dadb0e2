/** A zip file as a stream, for answers of which nobody knows the size beforehand; entries are held one at a time. */
import { crc32 } from 'node:zlib';
import type { Instant } from '../../core/model.ts';
import { centralHeader, directoryEnd, dosTime, localHeader, type WrittenEntry } from './zip-writer.ts';

const LIMIT_32 = 0xffffffff;

export interface StreamedEntry {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Entries are stored as they are. */
export async function* streamZip(
  entries: AsyncIterable<StreamedEntry>,
  modifiedAt: Instant,
): AsyncGenerator<Uint8Array> {
  const stamp = dosTime(modifiedAt);
  const written: WrittenEntry[] = [];
  let position = 0;
  for await (const { name, bytes } of entries) {
    const entry: WrittenEntry = {
      name,
      size: bytes.length,
      sha256: '',
      offset: position,
      crc: crc32(bytes),
      needsZip64: bytes.length >= LIMIT_32 || position >= LIMIT_32,
    };
    const header = localHeader(entry, stamp);
    yield header;
    yield bytes;
    position += header.length + bytes.length;
    written.push(entry);
  }
  const directory = Buffer.concat(written.map((entry) => centralHeader(entry, stamp)));
  yield directory;
  yield directoryEnd(written.length, position, directory.length);
}
