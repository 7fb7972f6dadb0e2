/** Where archive files lie: those of a source in a folder of its own, below the data folder. */
import { isAbsolute, join, normalize, sep } from 'node:path';
import { GarnerError } from '../../core/errors.ts';

export const archiveFolder = (dataFolder: string, source: string): string =>
  join(dataFolder, 'archive', source);

/** A name in the index may come from a foreign CDX file: it must not lead out of the folder. */
export function archivePath(folder: string, file: string): string {
  const path = normalize(file);
  if (isAbsolute(path) || path === '..' || path.startsWith(`..${sep}`) || file.includes('\0')) {
    throw new GarnerError('archive.unsafe', `the archive file "${file}" lies outside of the data folder`, {
      details: { file },
    });
  }
  return join(folder, path);
}
