/** How new captures reach the store: called again with the same ones after a crash, so it must not matter. */
import type { ContentReading } from '../archive/content/index.ts';
import { type RecordingDeps, type RecordingRun, recordCaptures } from '../archive/items/index.ts';
import type { CaptureEntry, CaptureIndex } from '../store/captures.ts';

export type RecordCaptures = (
  captures: readonly CaptureEntry[],
  /** What was read of them already. */
  readings: ReadonlyMap<CaptureEntry, ContentReading>,
) => Promise<void>;

/** Lines of the index, and items that can be searched. */
export const recordItems =
  (deps: RecordingDeps, run: RecordingRun): RecordCaptures =>
  async (captures, readings) => {
    await recordCaptures(deps, run, { captures, readings });
  };

/** Lines of the index alone. */
export const indexCaptures =
  (index: CaptureIndex, source: string): RecordCaptures =>
  async (captures) => {
    await index.add(source, captures);
  };
