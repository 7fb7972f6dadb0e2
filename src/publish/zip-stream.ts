/**
 * A ZIP file written as it goes (PKWARE APPNOTE 6.3). Every file is whole in memory when it is written, so
 * its sizes stand before it and no reader needs the directory at the end to unpack the stream. What does not
 * fit into the old 16 and 32 bit fields is written as ZIP64.
 */
import { promisify } from 'node:util';
import { crc32, deflateRaw, deflateRawSync } from 'node:zlib';
import type { Instant } from '../core/model.ts';

export interface ZipFile {
  /** With slashes, without one at the start. */
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly modifiedAt: Instant;
}

const deflate = promisify(deflateRaw);

const STORED = 0;
const DEFLATED = 8;
/** Names are UTF-8. */
const UTF8_FLAG = 0x800;
const VERSION = 20;
const VERSION_ZIP64 = 45;
const MAX_16 = 0xffff;
const MAX_32 = 0xffff_ffff;
/** Unix, and a plain file that everybody may read (0100644). */
const MADE_BY_UNIX = 3 << 8;
const FILE_MODE = 0o100644;
/** Less is not worth an attempt. */
const WORTH_DEFLATING = 64;
/** Takes less time than the way to another thread and back; and needs no large tables, which pile up. */
const SMALL = 32 * 1024;
const SMALL_TABLES = { windowBits: 13, memLevel: 6 };

export interface ZipOptions {
  /** Bytes that stand before the archive in its file. */
  readonly offset?: number;
}

export async function* writeZip(
  files: AsyncIterable<ZipFile> | Iterable<ZipFile>,
  { offset: start = 0 }: ZipOptions = {},
): AsyncGenerator<Buffer<ArrayBuffer>> {
  const directory: Buffer<ArrayBuffer>[] = [];
  let offset = start;
  for await (const file of files) {
    const name = Buffer.from(file.name);
    const { method, data } = await pack(file.bytes);
    const common = commonFields(file, name, method, data.length);
    const header = Buffer.concat([signature(0x0403_4b50), common, uint16(0), name]);
    directory.push(directoryEntry(common, name, offset));
    yield header;
    if (data.length > 0) yield data;
    offset += header.length + data.length;
  }
  const size = directory.reduce((sum, entry) => sum + entry.length, 0);
  yield* directory;
  yield endRecords(directory.length, size, offset);
}

async function pack(bytes: Uint8Array): Promise<{ method: number; data: Buffer<ArrayBuffer> }> {
  if (bytes.length < WORTH_DEFLATING) return { method: STORED, data: Buffer.from(bytes) };
  const packed =
    bytes.length < SMALL
      ? deflateRawSync(bytes, { ...SMALL_TABLES, chunkSize: Math.max(1024, bytes.length) })
      : await deflate(bytes);
  return packed.length < bytes.length
    ? { method: DEFLATED, data: Buffer.from(packed) }
    : { method: STORED, data: Buffer.from(bytes) };
}

/** What the header before a file and its entry in the directory share, from "version needed" on (4.3.7). */
function commonFields(
  { bytes, modifiedAt }: ZipFile,
  name: Uint8Array,
  method: number,
  packedSize: number,
): Buffer<ArrayBuffer> {
  const fields = Buffer.alloc(24);
  const { date, time } = dosMoment(modifiedAt);
  fields.writeUInt16LE(VERSION, 0);
  fields.writeUInt16LE(UTF8_FLAG, 2);
  fields.writeUInt16LE(method, 4);
  fields.writeUInt16LE(time, 6);
  fields.writeUInt16LE(date, 8);
  fields.writeUInt32LE(crc32(bytes), 10);
  fields.writeUInt32LE(packedSize, 14);
  fields.writeUInt32LE(bytes.length, 18);
  fields.writeUInt16LE(name.length, 22);
  return fields;
}

function directoryEntry(common: Buffer, name: Uint8Array, offset: number): Buffer<ArrayBuffer> {
  const isFar = offset >= MAX_32;
  const extra = isFar ? Buffer.concat([uint16(1), uint16(8), uint64(offset)]) : Buffer.alloc(0);
  const fields = Buffer.from(common);
  if (isFar) fields.writeUInt16LE(VERSION_ZIP64, 0);
  const tail = Buffer.alloc(16);
  tail.writeUInt16LE(extra.length, 0);
  tail.writeUInt32LE((FILE_MODE << 16) >>> 0, 8);
  tail.writeUInt32LE(Math.min(offset, MAX_32), 12);
  return Buffer.concat([
    signature(0x0201_4b50),
    uint16(MADE_BY_UNIX | VERSION_ZIP64),
    fields,
    tail,
    name,
    extra,
  ]);
}

/** The end (4.3.16), after its ZIP64 form and the pointer to that (4.3.14, 4.3.15) where numbers are large. */
function endRecords(count: number, size: number, offset: number): Buffer<ArrayBuffer> {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x0605_4b50, 0);
  end.writeUInt16LE(Math.min(count, MAX_16), 8);
  end.writeUInt16LE(Math.min(count, MAX_16), 10);
  end.writeUInt32LE(Math.min(size, MAX_32), 12);
  end.writeUInt32LE(Math.min(offset, MAX_32), 16);
  if (count < MAX_16 && size < MAX_32 && offset < MAX_32) return end;
  const large = Buffer.alloc(56);
  large.writeUInt32LE(0x0606_4b50, 0);
  large.writeBigUInt64LE(44n, 4);
  large.writeUInt16LE(MADE_BY_UNIX | VERSION_ZIP64, 12);
  large.writeUInt16LE(VERSION_ZIP64, 14);
  large.writeBigUInt64LE(BigInt(count), 24);
  large.writeBigUInt64LE(BigInt(count), 32);
  large.writeBigUInt64LE(BigInt(size), 40);
  large.writeBigUInt64LE(BigInt(offset), 48);
  const pointer = Buffer.alloc(20);
  pointer.writeUInt32LE(0x0706_4b50, 0);
  pointer.writeBigUInt64LE(BigInt(offset + size), 8);
  pointer.writeUInt32LE(1, 16);
  return Buffer.concat([large, pointer, end]);
}

/** Two seconds' precision, from 1980 on; UTC, since the form has no zone. */
function dosMoment(at: Instant): { date: number; time: number } {
  const moment = new Date(Math.max(at, Date.UTC(1980, 0)));
  const year = Math.min(moment.getUTCFullYear() - 1980, 127);
  return {
    date: (year << 9) | ((moment.getUTCMonth() + 1) << 5) | moment.getUTCDate(),
    time: (moment.getUTCHours() << 11) | (moment.getUTCMinutes() << 5) | (moment.getUTCSeconds() >> 1),
  };
}

function signature(value: number): Buffer<ArrayBuffer> {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function uint16(value: number): Buffer<ArrayBuffer> {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

function uint64(value: number): Buffer<ArrayBuffer> {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}
