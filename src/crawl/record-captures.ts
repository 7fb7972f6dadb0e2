/** How new captures reach the store: called again with the same ones after a crash, so it must not matter. */
import type { CaptureEntry, CaptureIndex } from '../store/captures.ts';

export type RecordCaptures = (captures: readonly CaptureEntry[]) => Promise<void>;

export const indexCaptures =
  (index: CaptureIndex, source: string): RecordCaptures =>
  async (captures) => {
    await index.add(source, captures);
  };
