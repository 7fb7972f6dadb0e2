export type { FileContents } from './file-contents.ts';
export { readWebFile } from './forms.ts';
export { readFolderSource, readPublishOptions } from './from-config.ts';
export { type PublishedFolders, publishFolders } from './published-folders.ts';
export type { ScanReport } from './scan.ts';
