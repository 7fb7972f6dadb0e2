/** Files below one folder, by names that never lead out of it: neither by `..` nor by links. */
import { constants, type Stats } from 'node:fs';
import { type FileHandle, open, readdir, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { sniffType } from '../../archive/content/index.ts';
import type { Instant } from '../../core/model.ts';
import { PDS_IMAGE } from '../convert/pds-image.ts';
import { isPdsLabel } from '../convert/pds-label.ts';
import type { ByteRange } from './product.ts';

export interface FoundFile {
  readonly kind: 'file' | 'folder';
  readonly path: string;
  /** Where it really is, after links. */
  readonly realPath: string;
  readonly size: number;
  readonly modifiedAt: Instant;
  /** Of the device's file: what is put in its place has another one. */
  readonly inode: number;
}

export interface ProductFolder {
  /** `name` from the folder, with slashes. Undefined when there is nothing, or nothing that may be shown. */
  find(name: string): Promise<FoundFile | undefined>;
  /** Everything in it, in the order of names; of a link that leads out nothing. */
  list(folder: FoundFile, depth: number): AsyncGenerator<FoundFile>;
}

const PIECE_BYTES = 256 * 1024;
const HEAD_BYTES = 4096;
const READ_SAFELY = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

export function openProductFolder(top: string): ProductFolder {
  const realTop = realpath(top);
  // Whoever asks later is told; nobody may be there yet.
  realTop.catch(() => undefined);

  async function look(path: string): Promise<FoundFile | undefined> {
    const real = await realpath(join(top, path)).catch(missing);
    const root = await realTop;
    if (real === undefined || (real !== root && !real.startsWith(root.endsWith(sep) ? root : root + sep)))
      return undefined;
    const facts = await stat(real).catch(missing);
    return facts && describe(path, real, facts);
  }

  async function* list(
    folder: FoundFile,
    depth: number,
    above: readonly string[] = [],
  ): AsyncGenerator<FoundFile> {
    const names = await readdir(folder.realPath);
    for (const name of names.sort()) {
      if (name.startsWith('.')) continue;
      const found = await look(`${folder.path}/${name}`);
      if (!found) continue;
      yield found;
      const isCircle = [...above, folder.realPath].includes(found.realPath);
      if (found.kind === 'folder' && depth > 1 && !isCircle)
        yield* list(found, depth - 1, [...above, folder.realPath]);
    }
  }

  return {
    async find(name) {
      const parts = name.split('/').filter((part) => part !== '');
      // Hidden names are nobody's products: `.htpasswd`, `.git`, and the way upwards.
      if (parts.some((part) => part.startsWith('.') || /[\0\\]/.test(part))) return undefined;
      return look(parts.map((part) => `/${part}`).join(''));
    },
    list: (folder, depth) => list(folder, depth),
  };
}

function describe(path: string, realPath: string, facts: Stats): FoundFile | undefined {
  if (!facts.isFile() && !facts.isDirectory()) return undefined;
  return {
    kind: facts.isFile() ? 'file' : 'folder',
    path,
    realPath,
    size: facts.size,
    modifiedAt: Math.floor(facts.mtimeMs),
    inode: facts.ino,
  };
}

function missing(error: unknown): undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES', 'ENAMETOOLONG', 'EINVAL'].includes(String(code)))
    return undefined;
  throw error;
}

/** By its first bytes and its name. */
export async function typeOfFile({ realPath, path }: FoundFile): Promise<string> {
  await using handle = await open(realPath, READ_SAFELY);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
  const head = buffer.subarray(0, bytesRead);
  return isPdsLabel(head) ? PDS_IMAGE : sniffType(head, undefined, path).type;
}

export async function* readFile(
  { realPath, size }: FoundFile,
  range?: ByteRange,
): AsyncGenerator<Uint8Array> {
  await using handle: FileHandle = await open(realPath, READ_SAFELY);
  const { start, end } = range ?? { start: 0, end: size };
  for (let at = start; at < end; ) {
    const length = Math.min(PIECE_BYTES, end - at);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, at);
    // Cut short while it is sent: the length that was announced is not reached, and the client sees that.
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
    at += bytesRead;
  }
}
