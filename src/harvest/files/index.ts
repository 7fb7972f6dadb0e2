/** The public face of the source kind `files`. */
export { type FilesSource, type ImportDeps, type ImportOptions, importFiles } from './import-files.ts';
export type { ImportProgress, ImportReport } from './report.ts';
