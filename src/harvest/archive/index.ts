/** The public face of taking web archives in. */
export { type SortedPaths, sortPaths } from './find-archives.ts';
export {
  ARCHIVE_ENTRY,
  type ArchiveImportDeps,
  type ArchiveImportReport,
  type FoundArchive,
  importArchives,
} from './import-archives.ts';
