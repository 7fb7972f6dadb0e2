/** Archive files are copied below the data folder, whole and synced, before anything mentions them. */
import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type ByteSource, openFile } from '../../archive/index.ts';

const PART_BYTES = 1 << 20;
const UNFINISHED = /^\.keep-[0-9a-f-]+$/;

export interface KeptFile {
  /** In the folder. */
  readonly name: string;
  readonly path: string;
  readonly size: number;
}

export async function digestOf(source: ByteSource): Promise<string> {
  const hash = createHash('sha256');
  for await (const part of partsOf(source)) hash.update(part);
  return hash.digest('hex');
}

/** A file of that name with other content stays: the new one gets the beginning of its digest before its name. */
export async function keepFile(
  source: ByteSource,
  digest: string,
  wantedName: string,
  folder: string,
): Promise<KeptFile> {
  await mkdir(folder, { recursive: true });
  const plain = safeName(wantedName);
  for (const name of [plain, `${digest.slice(0, 12)}-${plain}`]) {
    const path = join(folder, name);
    const there = await digestOfFile(path);
    if (there === digest) return { name, path, size: source.size };
    if (there !== undefined) continue;
    await copySynced(source, path, folder);
    return { name, path, size: source.size };
  }
  // Both names are taken by other bytes: somebody has tampered with a file that was kept.
  const name = `${digest}-${plain}`;
  await copySynced(source, join(folder, name), folder);
  return { name, path: join(folder, name), size: source.size };
}

/** What a killed import left behind. */
export async function removeUnfinished(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const name of await readdir(folder))
    if (UNFINISHED.test(name)) await rm(join(folder, name), { recursive: true, force: true });
}

/** Letters, digits and few signs: a name that is one on every system, and never hidden. */
const safeName = (name: string): string =>
  name.replace(/[^\w.+-]+/g, '_').replace(/^[.-]+/, '_') || 'archive';

async function digestOfFile(path: string): Promise<string | undefined> {
  let source: ByteSource;
  try {
    source = await openFile(path);
  } catch {
    return undefined;
  }
  try {
    return await digestOf(source);
  } finally {
    await source.close();
  }
}

async function copySynced(source: ByteSource, path: string, folder: string): Promise<void> {
  const unfinished = join(folder, `.keep-${randomUUID()}`);
  const handle = await open(unfinished, 'wx');
  try {
    await writeAll(handle, source);
    await handle.sync();
  } catch (error) {
    await handle.close();
    await rm(unfinished, { force: true });
    throw error;
  }
  await handle.close();
  await rename(unfinished, path);
  await syncFolder(folder);
}

async function writeAll(handle: FileHandle, source: ByteSource): Promise<void> {
  for await (const part of partsOf(source)) await handle.appendFile(part);
}

/** Windows cannot open a folder; there the rename is journalled by the file system. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function* partsOf(source: ByteSource): AsyncGenerator<Buffer> {
  for (let position = 0; ; ) {
    const part = await source.read(position, PART_BYTES);
    if (part.length === 0) return;
    yield part;
    position += part.length;
  }
}
