/** The public face of the source kind `files`. */
export type { ImportProgress, ImportReport } from '../run/report.ts';
export type { ImportDeps } from './import-entries.ts';
export { type FilesSource, type ImportOptions, importFiles } from './import-files.ts';
