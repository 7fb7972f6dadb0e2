/** Names of entries inside archives, and names that are no records by custom. */
import { basename, resolve } from 'node:path';

export interface Origin {
  /** As the user wrote it. */
  readonly path: string;
  /** First part of all its entries' names. */
  readonly label: string;
}

/**
 * The last part of each path is its label, so that moving the whole tree changes no name; where two paths
 * end alike, the later one gets a number.
 */
export function labelOrigins(paths: readonly string[]): Origin[] {
  const taken = new Set<string>();
  return paths.map((path) => {
    const stem = basename(resolve(path)) || 'root';
    let label = stem;
    for (let n = 2; taken.has(label); n++) label = `${stem}~${n}`;
    taken.add(label);
    return { path, label };
  });
}

/** Dot files, and the shadow folder that macOS puts into zips. */
export function isHidden(name: string): boolean {
  return name.split('/').some((part) => part === '__MACOSX' || (part.startsWith('.') && part.length > 1));
}

/** Why an archive's entry must not be called that, or undefined. */
export function findUnsafeName(name: string): string | undefined {
  if (name === '') return 'it has no name';
  if (name.includes('\0')) return 'its name has a NUL';
  if (name.startsWith('/') || /^[A-Za-z]:/.test(name)) return 'its name is an absolute path';
  if (name.split('/').includes('..')) return 'its name leads out of the archive';
  return undefined;
}

/** Backslashes are separators for the Windows programs that write them, and `./` says nothing. */
export function normaliseInnerName(name: string): string {
  return name
    .replaceAll('\\', '/')
    .split('/')
    .filter((part, i, all) => part !== '.' && (part !== '' || i === 0 || i === all.length - 1))
    .join('/');
}
