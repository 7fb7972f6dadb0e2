/** What the references in a container lead to: the same bytes that stand in it by value. */
import { surtKey } from '../../archive/index.ts';
import { identifierOf } from '../../archive/items/index.ts';
import type { Viewer } from '../../core/access.ts';
import { GarnerError } from '../../core/errors.ts';
import type { Snapshot } from '../snapshot/read-snapshot.ts';
import { type DirectoryDeps, openDirectories } from './directories.ts';
import { type PackedDirectory, packDirectory } from './pack-directory.ts';
import { createFilePacker } from './pack-file.ts';

export interface DirectoryRequest {
  readonly url: string;
  /** 17 digits: the moment of the capture, to the millisecond. */
  readonly at: string;
}

export async function findPackedDirectory(
  deps: DirectoryDeps & { readonly dataFolder: string },
  snapshot: Snapshot,
  { url, at }: DirectoryRequest,
  viewer: Viewer,
): Promise<PackedDirectory> {
  const { captures } = deps.store;
  const moment = parseMoment(at);
  const found = await captures.list(
    {
      urlKey: surtKey(url),
      sources: [snapshot.item.source],
      fromAt: moment,
      untilAt: moment,
      limit: 100,
    },
    viewer,
  );
  const capture = found.find((one) => one.url === url || identifierOf(one.url) === url);
  if (!capture) throw new GarnerError('item.unknown', `there is no capture of ${url} at ${at}`);
  using directories = openDirectories(deps, snapshot, viewer);
  const packFile = createFilePacker({ captures, dataFolder: deps.dataFolder }, viewer);
  return await packDirectory(packFile, [capture, ...(await directories.listRequisites(capture))]);
}

function parseMoment(digits: string): number {
  const [, year, month, day, hour, minute, second, fraction] =
    /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d{3})$/.exec(digits) ?? [];
  const moment = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction}Z`);
  if (Number.isNaN(moment))
    throw new GarnerError('request.invalid', 'at: 17 digits, the moment of the capture to the millisecond');
  return moment;
}
