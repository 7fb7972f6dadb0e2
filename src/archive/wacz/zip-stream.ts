/** A zip file as a stream, for answers of which nobody knows the size beforehand. */
import { Readable } from 'node:stream';
import { crc32, createDeflateRaw } from 'node:zlib';
import type { Instant } from '../../core/model.ts';
import {
  centralHeader,
  dataDescriptor,
  directoryEnd,
  dosTime,
  localHeader,
  type WrittenEntry,
} from './zip-writer.ts';

const LIMIT_32 = 0xffffffff;

export interface StreamedEntry {
  readonly name: string;
  /** Stored as they are when they are all there, deflated as they come when not. */
  readonly bytes: Uint8Array | AsyncIterable<Uint8Array>;
}

export async function* streamZip(
  entries: AsyncIterable<StreamedEntry>,
  modifiedAt: Instant,
): AsyncGenerator<Uint8Array> {
  const stamp = dosTime(modifiedAt);
  const written: WrittenEntry[] = [];
  let position = 0;
  const counted = <T extends Uint8Array>(bytes: T): T => {
    position += bytes.length;
    return bytes;
  };
  for await (const { name, bytes } of entries) {
    const offset = position;
    if (!(bytes instanceof Uint8Array)) {
      // Nobody knows how long it will be, so there is room for any length.
      const start = { name, size: 0, sha256: '', offset, crc: 0, needsZip64: true, deflated: 0 };
      yield counted(localHeader(start, stamp));
      const packing = deflated(bytes);
      let step = await packing.next();
      for (; step.done !== true; step = await packing.next()) yield counted(step.value);
      const entry = { ...start, ...step.value };
      yield counted(dataDescriptor(entry));
      written.push(entry);
      continue;
    }
    const entry: WrittenEntry = {
      name,
      size: bytes.length,
      sha256: '',
      offset,
      crc: crc32(bytes),
      needsZip64: bytes.length >= LIMIT_32 || offset >= LIMIT_32,
    };
    yield counted(localHeader(entry, stamp));
    yield counted(bytes);
    written.push(entry);
  }
  const directory = Buffer.concat(written.map((entry) => centralHeader(entry, stamp)));
  yield directory;
  yield directoryEnd(written.length, position, directory.length);
}

async function* deflated(
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, { crc: number; size: number; deflated: number }> {
  let crc = 0;
  let size = 0;
  let packed = 0;
  const counted = async function* (): AsyncGenerator<Uint8Array> {
    for await (const piece of pieces) {
      crc = crc32(piece, crc);
      size += piece.length;
      yield piece;
    }
  };
  const source = Readable.from(counted(), { objectMode: false });
  const packing = createDeflateRaw();
  source.once('error', (error) => packing.destroy(error));
  for await (const piece of source.pipe(packing) as AsyncIterable<Buffer>) {
    packed += piece.length;
    yield piece;
  }
  return { crc, size, deflated: packed };
}
