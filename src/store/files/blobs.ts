/**
 * Blobs as files named by their sha-256, under two levels of folders (`ab/cd/abcd…`) so that no folder grows
 * too large. A file is written aside, synced, renamed and its folder synced: in whole or not at all.
 */
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { GarnerError } from '../../core/errors.ts';
import type { BlobInfo, BlobStore } from '../blobs.ts';

const DIGEST = /^[0-9a-f]{64}$/;
/** Beside the folders of blobs, on the same file system, so that a rename is one step. */
const INCOMING = 'incoming';

export function createFileBlobs(folder: string): BlobStore {
  const pathOf = (digest: string): string => join(folder, digest.slice(0, 2), digest.slice(2, 4), digest);

  async function find(digest: string): Promise<BlobInfo | undefined> {
    if (!DIGEST.test(digest)) return undefined;
    try {
      return { digest, size: (await stat(pathOf(digest))).size };
    } catch (error) {
      if (isAbsent(error)) return undefined;
      throw error;
    }
  }

  return {
    find,

    async put(bytes) {
      await mkdir(join(folder, INCOMING), { recursive: true });
      const temporary = join(folder, INCOMING, randomUUID());
      try {
        const info = await writeSynced(temporary, bytes);
        const path = pathOf(info.digest);
        if (await find(info.digest)) return info;
        await makeFolder(dirname(path), folder);
        await rename(temporary, path);
        await syncFolder(dirname(path));
        return info;
      } catch (error) {
        throw translate(error);
      } finally {
        await rm(temporary, { force: true });
      }
    },

    async *read(digest, range) {
      const info = await find(digest);
      if (!info) throw new GarnerError('blob.unknown', `there is no blob ${digest}`, { details: { digest } });
      const { start, end } = range ?? { start: 0, end: info.size };
      if (start >= Math.min(end, info.size)) return;
      for await (const chunk of createReadStream(pathOf(digest), {
        start,
        end: Math.min(end, info.size) - 1,
      })) {
        yield chunk as Uint8Array;
      }
    },

    async delete(digest) {
      if (!(await find(digest))) return;
      await rm(pathOf(digest), { force: true });
      await syncFolder(dirname(pathOf(digest)));
    },

    async *list() {
      for (const first of await listFolder(folder, /^[0-9a-f]{2}$/)) {
        for (const second of await listFolder(join(folder, first), /^[0-9a-f]{2}$/)) {
          for (const digest of await listFolder(join(folder, first, second), DIGEST)) {
            const info = await find(digest);
            if (info) yield info;
          }
        }
      }
    },
  };
}

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;

const isAbsent = (error: unknown): boolean => hasCode(error, 'ENOENT');

function translate(error: unknown): unknown {
  if (!hasCode(error, 'ENOSPC') && !hasCode(error, 'EDQUOT')) return error;
  return new GarnerError('store.disk-full', 'no space left for a blob; nothing of it was kept', {
    cause: error,
  });
}

async function writeSynced(path: string, bytes: AsyncIterable<Uint8Array>): Promise<BlobInfo> {
  const digest = createHash('sha256');
  let size = 0;
  await using file: FileHandle = await open(path, 'wx');
  for await (const chunk of bytes) {
    digest.update(chunk);
    size += chunk.length;
    await file.writeFile(chunk);
  }
  await file.sync();
  return { digest: digest.digest('hex'), size };
}

/** Each new folder's name must be safe in its parent, up to the store's own folder. */
async function makeFolder(path: string, root: string): Promise<void> {
  const made = await mkdir(path, { recursive: true });
  if (made === undefined) return;
  for (let at = path; at.length >= root.length && at !== dirname(at); at = dirname(at)) await syncFolder(at);
}

async function syncFolder(path: string): Promise<void> {
  // Windows keeps names safe by itself and opens no folders.
  if (process.platform === 'win32') return;
  await using handle = await open(path, 'r');
  await handle.sync();
}

async function listFolder(path: string, names: RegExp): Promise<string[]> {
  try {
    return (await readdir(path)).filter((name) => names.test(name)).sort();
  } catch (error) {
    if (isAbsent(error)) return [];
    throw error;
  }
}
