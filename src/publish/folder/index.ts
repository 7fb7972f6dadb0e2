export { createPasswords, type Passwords } from './apache/htpasswd.ts';
export type { FolderSource } from './folder-source.ts';
export { createFolderForms } from './forms.ts';
export { HarvestWatch } from './harvest-watch.ts';
export { type PublishDeps, type PublishedFolder, publishFolder } from './published-folder.ts';
export type { ScanReport } from './scan.ts';
export type { SiteClient } from './site-client.ts';
export { normaliseBase } from './url-path.ts';
