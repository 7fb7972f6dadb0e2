/** The bytes of a published file, for packages that carry it: only if they are still those that were described. */
import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { AccessRule } from '../../core/access.ts';
import { writeRule } from '../../core/access-match.ts';
import { GarnerError } from '../../core/errors.ts';
import type { WebFile } from '../../formats/web-file.ts';
import type { BlobStore } from '../../store/index.ts';
import type { FolderAccess } from './folder-access.ts';
import { openFile, readFrom } from './read-file.ts';
import { fileNameOf } from './url-path.ts';
import { FolderWalk } from './walk.ts';

/**
 * Undefined when the bytes are no longer there, have changed, or may be read by fewer than when the file was
 * listed: then the next scan will say so, and until then the package refers to the address only.
 */
export async function findBytes(
  access: FolderAccess,
  file: WebFile,
  listed: AccessRule,
  blobs: Pick<BlobStore, 'find' | 'read'>,
): Promise<AsyncIterable<Uint8Array> | undefined> {
  if (file.path === undefined) return (await blobs.find(file.sha256)) ? blobs.read(file.sha256) : undefined;
  const walk = new FolderWalk(access);
  const folder = await walk.locate(file.path.slice(0, file.path.lastIndexOf('/') + 1));
  if (!folder) return undefined;
  const name = fileNameOf(file.path);
  const mounted = access.mounts.find(({ entry }) => entry === file.path)?.path;
  const path = mounted ?? join(folder.path, name);
  const facts = await lstat(path).catch(() => undefined);
  if (!facts || !(await walk.isInside(path))) return undefined;
  const isLink = facts.isSymbolicLink();
  const { rule } = access.decide(folder.rules, file.path, name, isLink ? 'link' : 'file');
  if (!rule || writeRule(rule) !== writeRule(listed)) return undefined;
  const handle = await openFile(path, isLink).catch(() => undefined);
  if (!handle) return undefined;
  if ((await digestOf(handle)) === file.sha256) return readChecked(handle, file);
  await handle.close();
  return undefined;
}

async function digestOf(handle: FileHandle): Promise<string> {
  const digest = createHash('sha256');
  for await (const piece of readFrom(handle)) digest.update(piece);
  return digest.digest('hex');
}

/** Once more, now that they are known to be right; should they change meanwhile, the answer breaks off. */
async function* readChecked(handle: FileHandle, file: WebFile): AsyncGenerator<Uint8Array> {
  await using _ = handle;
  const digest = createHash('sha256');
  for await (const piece of readFrom(handle)) {
    digest.update(piece);
    yield piece;
  }
  if (digest.digest('hex') !== file.sha256)
    throw new GarnerError('source.unreadable', `${file.url} changed while it was sent`);
}
