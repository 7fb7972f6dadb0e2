/** Walks over an origin of files: a folder, a file, or an archive, in a stable order. */
import { createReadStream } from 'node:fs';
import { lstat, readdir, realpath, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { type ErrorCode, GarnerError } from '../../core/errors.ts';
import type { Finding, Loss, UnreadEntry } from './entry.ts';
import { findUnsafeName, isHidden, labelOrigins, type Origin } from './entry-name.ts';
import { ARCHIVE_LIMITS, type ArchiveLimits } from './limits.ts';
import { type Look, lookInto } from './look.ts';
import { gunzipFile, listTar } from './tar-entries.ts';
import { type ArchiveMember, listZip } from './zip-entries.ts';

const CHUNK_BYTES = 256 * 1024;

export async function* walkPaths(
  paths: readonly string[],
  limits: ArchiveLimits = ARCHIVE_LIMITS,
): AsyncGenerator<Finding> {
  for (const origin of labelOrigins(paths)) yield* walkOrigin(origin, limits);
}

export async function* walkOrigin(
  origin: Origin,
  limits: ArchiveLimits = ARCHIVE_LIMITS,
): AsyncGenerator<Finding> {
  try {
    const root = await realpath(origin.path);
    const facts = await stat(root);
    const place = { name: origin.label, where: toSlashes(origin.path), path: root };
    if (facts.isDirectory()) yield* walkFolder(place, root, limits);
    else yield* walkFile(place, facts, limits);
  } catch (error) {
    yield reportTrouble({ name: origin.label, where: toSlashes(origin.path) }, 'rest', error);
  }
}

/** `path` is what the file system is asked for; the other two are told to people and to the store. */
interface Place {
  readonly name: string;
  readonly where: string;
  readonly path: string;
}

async function* walkFolder(folder: Place, root: string, limits: ArchiveLimits): AsyncGenerator<Finding> {
  let names: string[];
  try {
    names = await readdir(folder.path);
  } catch (error) {
    return yield reportTrouble(folder, 'rest', error);
  }
  // By code units: the same order on every machine and in every language.
  names.sort();
  for (const part of names) {
    const place: Place = {
      name: `${folder.name}/${part}`,
      where: `${folder.where}/${part}`,
      path: join(folder.path, part),
    };
    if (isHidden(part)) yield { kind: 'skipped', name: place.name, reason: 'hidden' };
    else yield* walkPlace(place, root, limits);
  }
}

async function* walkPlace(place: Place, root: string, limits: ArchiveLimits): AsyncGenerator<Finding> {
  try {
    const facts = await lstat(place.path);
    if (facts.isDirectory()) yield* walkFolder(place, root, limits);
    else if (facts.isSymbolicLink()) yield await judgeLink(place, root);
    else if (facts.isFile()) yield* walkFile(place, facts, limits);
    else yield { kind: 'skipped', name: place.name, reason: 'not a regular file' };
  } catch (error) {
    yield reportTrouble(place, 'entry', error);
  }
}

/** A link inside the root leads to what the walk meets anyway; one that leaves it is refused. */
async function judgeLink(place: Place, root: string): Promise<Finding> {
  const target = await realpath(place.path);
  const way = relative(root, target);
  if (way === '..' || way.startsWith(`..${sep}`) || way.startsWith(sep) || /^[A-Za-z]:/.test(way))
    return reportTrouble(
      place,
      'refused',
      new GarnerError('archive.unsafe', 'a symbolic link that leads out of the folder is not followed'),
    );
  return { kind: 'skipped', name: place.name, reason: 'a link inside the folder' };
}

async function* walkFile(
  place: Place,
  facts: { readonly size: number; readonly mtimeMs: number },
  limits: ArchiveLimits,
): AsyncGenerator<Finding> {
  const modifiedAt = Math.trunc(facts.mtimeMs);
  const file: UnreadEntry = {
    ...place,
    size: facts.size,
    modifiedAt,
    reopenable: true,
    open: () => createReadStream(place.path, { highWaterMark: CHUNK_BYTES }),
  };
  const look = await lookInto(file);
  if (look.entry) return yield* present(file, look);
  await look.close();
  if (look.content === 'zip') yield* walkMembers(place, listZip(place.path, limits), true);
  else if (look.content === 'tar') yield* walkMembers(place, listTar(file.open(), limits), false);
  else if (look.content === 'gzip') yield* walkGzip(file, place.path, limits);
  else yield foreign(place, look);
}

/** A gzip holds a tar, or one compressed file. */
async function* walkGzip(packed: UnreadEntry, path: string, limits: ArchiveLimits): AsyncGenerator<Finding> {
  const file: UnreadEntry = { ...packed, size: undefined, open: () => gunzipFile(path, limits) };
  let look: Look;
  try {
    look = await lookInto(file);
  } catch (error) {
    return yield reportTrouble(file, 'rest', error);
  }
  if (look.content !== 'tar') return yield* present(file, look);
  await look.close();
  yield* walkMembers(file, listTar(file.open(), limits), false);
}

async function* walkMembers(
  archive: Pick<Place, 'name' | 'where'>,
  members: AsyncIterable<ArchiveMember>,
  reopenable: boolean,
): AsyncGenerator<Finding> {
  const seen = new Set<string>();
  try {
    for await (const { inner, kind, refusal, file } of members) {
      const place = { name: `${archive.name}!${inner}`, where: `${archive.where}!${inner}` };
      const unsafe =
        findUnsafeName(inner) ?? (seen.has(inner) ? 'another entry has the same name' : undefined);
      seen.add(inner);
      if (unsafe) yield reportTrouble(place, 'refused', refuse(`the entry was refused: ${unsafe}`));
      else if (isHidden(inner)) yield { kind: 'skipped', name: place.name, reason: 'hidden' };
      else if (kind === 'link') yield { kind: 'skipped', name: place.name, reason: 'a link' };
      else if (refusal) yield reportTrouble(place, 'entry', refuse(`the entry ${refusal}`));
      else yield* walkMember({ ...place, ...file, reopenable });
    }
  } catch (error) {
    yield reportTrouble(archive, 'rest', error);
  }
}

async function* walkMember(member: UnreadEntry): AsyncGenerator<Finding> {
  let look: Look;
  try {
    look = await lookInto(member);
  } catch (error) {
    // A tar cannot be read on after a break; its own iteration will say so.
    if (!member.reopenable) throw error;
    return yield reportTrouble(member, 'entry', error);
  }
  yield* present(member, look);
}

async function* present(file: UnreadEntry, look: Look): AsyncGenerator<Finding> {
  try {
    if (look.entry) yield { kind: 'entry', entry: look.entry };
    else if (look.content === 'other') yield foreign(file, look);
    else
      yield reportTrouble(
        file,
        'refused',
        new GarnerError(
          'archive.nested',
          `a ${look.content} inside an archive is not opened; unpack it first`,
        ),
      );
  } finally {
    await look.close();
  }
}

const foreign = ({ name, where }: Pick<Place, 'name' | 'where'>, { empty }: Look): Finding => ({
  kind: 'foreign',
  name,
  where,
  content: empty ? 'empty' : 'neither XML nor JSON',
});

const refuse = (message: string) => new GarnerError('archive.unsafe', message);

function reportTrouble(
  { name, where }: { readonly name: string; readonly where: string },
  loss: Loss,
  error: unknown,
): Finding {
  const code: ErrorCode = error instanceof GarnerError ? error.code : 'source.unreadable';
  const message = error instanceof Error ? error.message : String(error);
  return { kind: 'problem', name, loss, problem: { code, message, where } };
}

function toSlashes(path: string): string {
  const slashed = sep === '\\' ? path.replaceAll('\\', '/') : path;
  return slashed.length > 1 ? slashed.replace(/\/+$/, '') : slashed;
}
