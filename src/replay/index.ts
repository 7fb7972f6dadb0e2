/** The public face of looking at the archive: its CDX server API, its directories, and captures as downloads. */
export { seesAllCaptures } from '../archive/items/index.ts';
export {
  type ArchiveAddress,
  ORIGINAL_FILE,
  parseArchiveAddress,
  writeArchiveAddress,
} from './archive-address.ts';
export { answerCdx, writeCdxAnswer } from './cdx/answer-cdx.ts';
export { readCdxRequest } from './cdx/cdx-request.ts';
export { DirectoryShelf } from './directory/directory-shelf.ts';
export { getCaptureAt, listArchivedUrls, listTimes } from './directory/find-captures.ts';
export { type OpenedFile, openOriginal, openWithLinks } from './directory/open-file.ts';
export type { DirectoryFile, PageDirectory } from './directory/page-directory.ts';
export { downloadCapture } from './download-capture.ts';
export { listVisits } from './list-visits.ts';
export { SnapshotLister, type SnapshotListing } from './snapshot/list-snapshot.ts';
