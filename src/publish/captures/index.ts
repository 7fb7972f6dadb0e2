/** The public face of exporting captures. */
export { exportFolder, exportTar } from './export-files.ts';
export { exportSite } from './export-site.ts';
export { type ExportDeps, type ExportReport, exportWacz, exportWarc } from './export-warc.ts';
export { createCaptureForms } from './forms.ts';
export { openScratch } from './scratch.ts';
export { type ChosenPage, selectItems, selectPages, selectSnapshot } from './select-captures.ts';
