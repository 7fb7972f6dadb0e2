/** The public face of captures as items. */
export { archiveFolder, archivePath } from './archive-folder.ts';
export { captureSpan } from './capture-time.ts';
export { describeCapture, identifierOf } from './describe-capture.ts';
export { judgeCaptures } from './judge-captures.ts';
export { type CaptureAccess, type OpenedCapture, openCapture, readStored } from './open-capture.ts';
export { findOwnCapture } from './own-capture.ts';
export {
  captureRecord,
  isVersion,
  makeCaptureRecord,
  placeOf,
  type RecordingDeps,
  type RecordingRun,
  readRecordContent,
  recordCaptures,
  setsOfCapture,
} from './record-captures.ts';
export { recordSnapshot, type SnapshotComparing, snapshotRecord } from './record-snapshot.ts';
export {
  chooseLine,
  findCapture,
  readManifest,
  readSeenLines,
  seesAllCaptures,
  snapshotLine,
} from './snapshot-lines.ts';
