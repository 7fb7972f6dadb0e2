/** The public face of the source kind `files`. */
export type { ImportReport } from '../run/report.ts';
export { type FilesSource, importFiles } from './import-files.ts';
