/** The public face of taking web archives in. */
export { sortPaths } from './find-archives.ts';
export {
  ARCHIVE_ENTRY,
  type FoundArchive,
  importArchives,
} from './import-archives.ts';
