/** Small zips and tars for tests, written byte by byte so that they may also be wrong. */
import { crc32, deflateRawSync, gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';

export interface ZipMember {
  readonly name: string;
  readonly content: string | Uint8Array;
  /** Lies in the directory about the unpacked size. */
  readonly claimedSize?: number;
  readonly unixMode?: number;
}

/** APPNOTE.TXT 4.3: local headers with data, central directory, end record. Deflated, UTF-8 names. */
export function writeZip(members: readonly ZipMember[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content, claimedSize, unixMode = 0o100644 } of members) {
    const raw = Buffer.from(content);
    const packed = deflateRawSync(raw);
    const nameBytes = Buffer.from(name);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(0x800, 2);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(0x5a21_6000, 6);
    common.writeUInt32LE(crc32(raw), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(claimedSize ?? raw.length, 18);
    common.writeUInt16LE(nameBytes.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, nameBytes, packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE((unixMode << 16) >>> 0, 6);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x03', 'latin1'), common, tail, nameBytes]));
    parts.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 0, 'latin1');
  end.writeUInt16LE(members.length, 8);
  end.writeUInt16LE(members.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, central, end]);
}

export interface TarMember {
  readonly name: string;
  readonly content?: string;
  readonly linkTo?: string;
}

export async function writeTar(members: readonly TarMember[]): Promise<Buffer> {
  const tar = pack();
  for (const { name, content, linkTo } of members) {
    const mtime = new Date('2026-01-02T03:04:05Z');
    if (linkTo === undefined) tar.entry({ name, mtime }, content ?? '');
    else tar.entry({ name, mtime, type: 'symlink', linkname: linkTo });
  }
  tar.finalize();
  const chunks: Uint8Array[] = [];
  for await (const chunk of tar) if (chunk instanceof Uint8Array) chunks.push(chunk);
  return Buffer.concat(chunks);
}

export async function writeTarGz(members: readonly TarMember[]): Promise<Buffer> {
  return gzipSync(await writeTar(members));
}
