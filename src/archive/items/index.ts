/** The public face of captures as items. */
export { archiveFolder, archivePath } from './archive-folder.ts';
export { captureSpan } from './capture-time.ts';
export { identifierOf } from './describe-capture.ts';
export { openCapture, readStored } from './open-capture.ts';
export {
  isVersion,
  makeCaptureRecord,
  placeOf,
  type RecordingDeps,
  type RecordingRun,
  readRecordContent,
  recordCaptures,
} from './record-captures.ts';
export { recordSnapshot } from './record-snapshot.ts';
