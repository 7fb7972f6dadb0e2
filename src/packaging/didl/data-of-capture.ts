/** What the references in a container lead to: the same bytes that stand in it by value. */
import { surtKey } from '../../archive/index.ts';
import { identifierOf } from '../../archive/items/index.ts';
import type { Viewer } from '../../core/access.ts';
import { GarnerError } from '../../core/errors.ts';
import type { GarnerStore } from '../../store/index.ts';
import { type PackedCapture, packCapture } from './pack-capture.ts';

export interface DataRequest {
  readonly source: string;
  readonly url: string;
  /** 17 digits: the moment of the capture, to the millisecond. */
  readonly at: string;
}

export async function findPackedCapture(
  { store, dataFolder }: { readonly store: Pick<GarnerStore, 'captures'>; readonly dataFolder: string },
  { source, url, at }: DataRequest,
  viewer: Viewer,
): Promise<PackedCapture> {
  const moment = parseMoment(at);
  const found = await store.captures.list(
    { urlKey: surtKey(url), sources: [source], fromAt: moment, untilAt: moment, limit: 100 },
    viewer,
  );
  const capture = found.find((one) => one.url === url || identifierOf(one.url) === url);
  if (!capture) throw new GarnerError('item.unknown', `there is no capture of ${url} at ${at}`);
  return packCapture({ captures: store.captures, dataFolder }, capture, viewer);
}

function parseMoment(digits: string): number {
  const [, year, month, day, hour, minute, second, fraction] =
    /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d{3})$/.exec(digits) ?? [];
  const moment = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction}Z`);
  if (Number.isNaN(moment))
    throw new GarnerError('request.invalid', 'at: 17 digits, the moment of the capture to the millisecond');
  return moment;
}
