/** From the record of a capture back to the line of the index that it tells of. */
import type { Viewer } from '../../core/access.ts';
import type { WebCapture } from '../../formats/web-capture.ts';
import type { GarnerStore, StoredCapture } from '../../store/index.ts';
import { surtKey } from '../cdx/surt.ts';

/** Undefined when it is not in the index, or not for the viewer. */
export async function findOwnCapture(
  { captures }: Pick<GarnerStore, 'captures'>,
  source: string,
  { url, added }: WebCapture,
  viewer: Viewer,
): Promise<StoredCapture | undefined> {
  const at = Date.parse(added.capturedAt);
  const found = await captures.list(
    { urlKey: surtKey(url), sources: [source], fromAt: at, untilAt: at, limit: 100 },
    viewer,
  );
  return found.find(({ file, offset }) => file === added.file && offset === added.offset);
}
