/** Drops captures that repeat the one before them. */
import type { CaptureQuery, StoredCapture } from '../../captures.ts';

export type Collapse = NonNullable<CaptureQuery['collapse']>;

/** Equal texts mean the same; captures of other URLs never are. */
export function collapseText(capture: Pick<StoredCapture, 'urlKey' | 'at' | 'digest'>, by: Collapse): string {
  if (by === 'url') return capture.urlKey;
  // Without a digest nothing is known to be equal.
  if (by === 'digest') return `${capture.urlKey} ${capture.digest ?? `at ${capture.at}`}`;
  const stamp = new Date(capture.at).toISOString().replace(/\D/g, '');
  return `${capture.urlKey} ${stamp.slice(0, by)}`;
}
