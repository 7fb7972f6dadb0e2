/** The public face of captures as items. */
export { archiveFolder, archivePath } from './archive-folder.ts';
export { captureSpan } from './capture-time.ts';
export { identifierOf } from './describe-capture.ts';
export { type CaptureAccess, type OpenedCapture, openCapture, readStored } from './open-capture.ts';
export {
  type CaptureBatch,
  isVersion,
  makeCaptureRecord,
  placeOf,
  type RecordedCaptures,
  type RecordingDeps,
  type RecordingRun,
  readRecordContent,
  recordCaptures,
} from './record-captures.ts';
export {
  recordSnapshot,
  type SnapshotDeps,
  type SnapshotFacts,
} from './record-snapshot.ts';
