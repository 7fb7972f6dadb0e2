/** Writes a zip file whose entries are stored as they are (APPNOTE 6.3.9), with zip64 where sizes ask for it. */
import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import type { Instant } from '../../core/model.ts';

export interface ZipEntry {
  readonly name: string;
  readonly size: number;
  /** Hex. */
  readonly sha256: string;
}

export interface WrittenEntry extends ZipEntry {
  readonly offset: number;
  readonly crc: number;
  readonly needsZip64: boolean;
  /** Bytes that it takes when it was deflated as it came; its numbers then stand behind it (4.3.9). */
  readonly deflated?: number;
}

export interface ZipWriter {
  /** `expectedBytes`: a size of 4 GB or more must be known beforehand. */
  add(name: string, bytes: AsyncIterable<Uint8Array> | Buffer, expectedBytes?: number): Promise<ZipEntry>;
  /** Writes the directory, syncs and closes. */
  finish(): Promise<void>;
  /** Closes without finishing. */
  abandon(): Promise<void>;
}

const LIMIT_32 = 0xffffffff;
const VERSION_PLAIN = 20;
const VERSION_ZIP64 = 45;
/** Names are UTF-8. */
const FLAGS = 0x0800;
const NUMBERS_BEHIND = 0x0008;
const DEFLATED = 8;

const flagsOf = ({ deflated }: WrittenEntry) => (deflated === undefined ? FLAGS : FLAGS | NUMBERS_BEHIND);

export async function createZip(path: string, modifiedAt: Instant): Promise<ZipWriter> {
  const handle = await open(path, 'wx');
  const entries: WrittenEntry[] = [];
  const stamp = dosTime(modifiedAt);
  let position = 0;
  const append = async (bytes: Uint8Array): Promise<void> => {
    await writeAt(handle, bytes, position);
    position += bytes.length;
  };
  return {
    async add(name, bytes, expectedBytes = Buffer.isBuffer(bytes) ? bytes.length : 0) {
      const offset = position;
      const needsZip64 = expectedBytes >= LIMIT_32 || offset >= LIMIT_32;
      const placeholder = localHeader({ name, size: 0, sha256: '', offset, crc: 0, needsZip64 }, stamp);
      await append(placeholder);
      let crc = 0;
      let size = 0;
      const digest = createHash('sha256');
      const parts = Buffer.isBuffer(bytes) ? [bytes] : bytes;
      for await (const part of parts) {
        crc = crc32(part, crc);
        digest.update(part);
        size += part.length;
        await append(part);
      }
      const entry: WrittenEntry = { name, size, sha256: digest.digest('hex'), offset, crc, needsZip64 };
      await writeAt(handle, localHeader(entry, stamp), offset);
      entries.push(entry);
      return { name, size, sha256: entry.sha256 };
    },
    async finish() {
      const start = position;
      for (const entry of entries) await append(centralHeader(entry, stamp));
      await append(directoryEnd(entries.length, start, position - start));
      await handle.sync();
      await handle.close();
    },
    abandon: () => handle.close(),
  };
}

async function writeAt(handle: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    done += (await handle.write(bytes, done, bytes.length - done, position + done)).bytesWritten;
  }
}

interface DosTime {
  readonly time: number;
  readonly date: number;
}

/** Two-second steps since 1980. */
export function dosTime(at: Instant): DosTime {
  const moment = new Date(Math.max(at, Date.UTC(1980, 0, 1)));
  return {
    time: (moment.getUTCHours() << 11) | (moment.getUTCMinutes() << 5) | (moment.getUTCSeconds() >> 1),
    date: ((moment.getUTCFullYear() - 1980) << 9) | ((moment.getUTCMonth() + 1) << 5) | moment.getUTCDate(),
  };
}

export function localHeader(entry: WrittenEntry, { time, date }: DosTime): Buffer {
  const name = Buffer.from(entry.name);
  const isBehind = entry.deflated !== undefined;
  const size = isBehind ? 0 : entry.size;
  const extra = entry.needsZip64 ? zip64Extra([size, size]) : Buffer.alloc(0);
  const fixed = Buffer.alloc(30);
  fixed.writeUInt32LE(0x04034b50, 0);
  fixed.writeUInt16LE(entry.needsZip64 ? VERSION_ZIP64 : VERSION_PLAIN, 4);
  fixed.writeUInt16LE(flagsOf(entry), 6);
  if (isBehind) fixed.writeUInt16LE(DEFLATED, 8);
  fixed.writeUInt16LE(time, 10);
  fixed.writeUInt16LE(date, 12);
  fixed.writeUInt32LE(isBehind ? 0 : entry.crc, 14);
  fixed.writeUInt32LE(entry.needsZip64 ? LIMIT_32 : size, 18);
  fixed.writeUInt32LE(entry.needsZip64 ? LIMIT_32 : size, 22);
  fixed.writeUInt16LE(name.length, 26);
  fixed.writeUInt16LE(extra.length, 28);
  return Buffer.concat([fixed, name, extra]);
}

export function centralHeader(entry: WrittenEntry, { time, date }: DosTime): Buffer {
  const name = Buffer.from(entry.name);
  const packed = entry.deflated ?? entry.size;
  const extra = entry.needsZip64 ? zip64Extra([entry.size, packed, entry.offset]) : Buffer.alloc(0);
  const fixed = Buffer.alloc(46);
  const version = entry.needsZip64 ? VERSION_ZIP64 : VERSION_PLAIN;
  fixed.writeUInt32LE(0x02014b50, 0);
  fixed.writeUInt16LE(version, 4);
  fixed.writeUInt16LE(version, 6);
  fixed.writeUInt16LE(flagsOf(entry), 8);
  if (entry.deflated !== undefined) fixed.writeUInt16LE(DEFLATED, 10);
  fixed.writeUInt16LE(time, 12);
  fixed.writeUInt16LE(date, 14);
  fixed.writeUInt32LE(entry.crc, 16);
  fixed.writeUInt32LE(entry.needsZip64 ? LIMIT_32 : packed, 20);
  fixed.writeUInt32LE(entry.needsZip64 ? LIMIT_32 : entry.size, 24);
  fixed.writeUInt16LE(name.length, 28);
  fixed.writeUInt16LE(extra.length, 30);
  fixed.writeUInt32LE(entry.needsZip64 ? LIMIT_32 : entry.offset, 42);
  return Buffer.concat([fixed, name, extra]);
}

/** Behind an entry that was written as it came (4.3.9.3). */
export function dataDescriptor({ crc, size, deflated = size, needsZip64 }: WrittenEntry): Buffer {
  const bytes = Buffer.alloc(needsZip64 ? 24 : 16);
  bytes.writeUInt32LE(0x08074b50, 0);
  bytes.writeUInt32LE(crc, 4);
  if (needsZip64) {
    bytes.writeBigUInt64LE(BigInt(deflated), 8);
    bytes.writeBigUInt64LE(BigInt(size), 16);
  } else {
    bytes.writeUInt32LE(deflated, 8);
    bytes.writeUInt32LE(size, 12);
  }
  return bytes;
}

function zip64Extra(values: readonly number[]): Buffer {
  const extra = Buffer.alloc(4 + values.length * 8);
  extra.writeUInt16LE(1, 0);
  extra.writeUInt16LE(values.length * 8, 2);
  for (const [i, value] of values.entries()) extra.writeBigUInt64LE(BigInt(value), 4 + i * 8);
  return extra;
}

/** With the zip64 records before it where counts or places need them. */
export function directoryEnd(count: number, start: number, size: number): Buffer {
  const needsZip64 = count >= 0xffff || start >= LIMIT_32 || size >= LIMIT_32;
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Math.min(count, 0xffff), 8);
  end.writeUInt16LE(Math.min(count, 0xffff), 10);
  end.writeUInt32LE(Math.min(size, LIMIT_32), 12);
  end.writeUInt32LE(Math.min(start, LIMIT_32), 16);
  if (!needsZip64) return end;
  const record = Buffer.alloc(56);
  record.writeUInt32LE(0x06064b50, 0);
  record.writeBigUInt64LE(44n, 4);
  record.writeUInt16LE(VERSION_ZIP64, 12);
  record.writeUInt16LE(VERSION_ZIP64, 14);
  record.writeBigUInt64LE(BigInt(count), 24);
  record.writeBigUInt64LE(BigInt(count), 32);
  record.writeBigUInt64LE(BigInt(size), 40);
  record.writeBigUInt64LE(BigInt(start), 48);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  locator.writeBigUInt64LE(BigInt(start + size), 8);
  locator.writeUInt32LE(1, 16);
  return Buffer.concat([record, locator, end]);
}
