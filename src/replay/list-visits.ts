/** The captures of an item that is a URL: all visits, newest first. */
import { surtKey } from '../archive/index.ts';
import { identifierOf } from '../archive/items/index.ts';
import type { Viewer } from '../core/access.ts';
import type { ItemRef } from '../core/model.ts';
import type { CaptureIndex, StoredCapture } from '../store/index.ts';

export async function listVisits(
  captures: Pick<CaptureIndex, 'list'>,
  { source, identifier }: ItemRef,
  limit: number,
  viewer: Viewer,
): Promise<readonly StoredCapture[]> {
  const query = { urlKey: surtKey(identifier), sources: [source], reverse: true, limit };
  // Several URLs have one key.
  return (await captures.list(query, viewer)).filter(({ url }) => identifierOf(url) === identifier);
}
