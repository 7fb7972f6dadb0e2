/** Which of the paths that a user gives are web archives: files, and folders that hold such files. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { FoundArchive } from './import-archives.ts';
import { findSavedSite } from './saved-site.ts';
import { sniffWebArchive } from './sniff-archive.ts';

export interface SortedPaths {
  readonly archives: readonly FoundArchive[];
  /** For the importer of records. */
  readonly others: readonly string[];
}

/** A folder counts as archives when it holds one that has records; its other files are left alone then. */
export async function sortPaths(paths: readonly string[]): Promise<SortedPaths> {
  const archives: FoundArchive[] = [];
  const others: string[] = [];
  for (const path of paths) {
    const facts = await stat(path).catch(() => undefined);
    const found = facts?.isDirectory() ? await inFolder(path) : facts?.isFile() ? await ofFile(path) : [];
    if (found.length > 0) archives.push(...found);
    else others.push(path);
  }
  return { archives, others };
}

async function inFolder(folder: string): Promise<FoundArchive[]> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const found: FoundArchive[] = [];
  const files = names.filter((entry) => entry.isFile() && !entry.name.startsWith('.'));
  for (const path of files.map((entry) => join(entry.parentPath, entry.name)).sort())
    found.push(...(await ofFile(path)));
  const records = found.filter(({ kind }) => kind === 'records' || kind === 'wacz');
  // Beside the records their indexes say nothing new; lists of places may lead behind damage.
  if (records.length > 0) return found.filter(({ kind }) => SELF_CONTAINED.has(kind));
  if (found.length > 0 && found.length >= files.filter(({ name }) => !ASIDE.test(name)).length)
    return withoutParts(found);
  return (await findSavedSite(folder)) ? [{ path: folder, kind: 'saved' }] : [];
}

const SELF_CONTAINED: ReadonlySet<string> = new Set(['records', 'wacz', 'offsets']);
/** Of an index: where its parts lie, and what people write about it. */
const ASIDE = /\.(?:loc|md|txt|html?)$|^readme/i;

/** A summary leads to its parts, which are files of lines themselves. */
const withoutParts = (found: readonly FoundArchive[]): FoundArchive[] =>
  found.some(({ kind }) => kind === 'zipnum')
    ? found.filter(({ kind, path }) => kind !== 'index' || !path.endsWith('.gz'))
    : [...found];

async function ofFile(path: string): Promise<FoundArchive[]> {
  const kind = await sniffWebArchive(path);
  return kind === undefined ? [] : [{ path, kind }];
}
