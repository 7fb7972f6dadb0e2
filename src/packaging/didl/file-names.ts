/** Paths of files in one directory, as a site is laid out: host and path. No two can be in each other's way. */
import { fileOf, safePart } from '../../archive/items/safe-name.ts';
import { sitePath } from '../../archive/items/site-path.ts';
import { asGarnerError } from '../../core/errors.ts';
import type { StoredCapture } from '../../store/index.ts';

type Named = Pick<StoredCapture, 'url' | 'mediaType'>;

/** Whoever comes first gets the name that its URL gives it. */
export function createFileNames(): (capture: Named) => string {
  const files = new Set<string>();
  const folders = new Set<string>();
  const isFree = (parts: readonly string[]): boolean => {
    const name = parts.join('/');
    return !files.has(name) && !folders.has(name) && foldersOf(parts).every((folder) => !files.has(folder));
  };
  return (capture) => {
    const laidOut = pathOf(capture);
    const parts = laidOut && isFree(laidOut) ? laidOut : ownName(capture);
    const name = parts.join('/');
    files.add(name);
    for (const folder of foldersOf(parts)) folders.add(folder);
    return name;
  };
}

const foldersOf = (parts: readonly string[]): string[] =>
  parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'));

function pathOf({ url, mediaType }: Named): string[] | undefined {
  try {
    return sitePath(url, mediaType);
  } catch (thrown) {
    if (asGarnerError(thrown).code !== 'archive.unsafe') throw thrown;
    return undefined;
  }
}

/** For a URL that no path can be made of, or whose path is taken: a name with a digest of it. */
const ownName = ({ url, mediaType }: Named): string[] => [
  safePart(URL.parse(url)?.host ?? ''),
  fileOf(url, mediaType),
];
