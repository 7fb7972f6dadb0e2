/**
 * Captures in dumps: a WARC file of all visits of the URLs whose records stand in a window. It is put together on
 * the disk, sent and removed; in the ZIP packages beside it are the records that describe the captures.
 */
import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { asGarnerError } from '../../core/errors.ts';
import type { ItemRef } from '../../core/model.ts';
import type { GarnerStore } from '../../store/index.ts';
import { type ExportDeps, exportWarc, openScratch, selectItems } from '../captures/index.ts';
import type { WantedList } from '../listing/cut-windows.ts';
import { listRecords } from '../listing/list-records.ts';
import type { ListWindow } from '../listing/window.ts';

export const WARC_TYPE = 'application/warc';

export interface CaptureExport extends ExportDeps {
  readonly store: Pick<GarnerStore, 'captures'>;
}

export async function* writeWarcPackage(
  deps: CaptureExport,
  list: WantedList,
  window: ListWindow,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const folder = await openScratch(deps.dataFolder, deps.clock());
  try {
    const target = join(folder, 'captures.warc.gz');
    try {
      await exportWarc(
        deps,
        selectItems(deps.store, listLive(list, window), list.viewer),
        target,
        list.viewer,
      );
    } catch (error) {
      // Of captures that were indexed only, nothing is here: a package without records.
      if (asGarnerError(error).code === 'item.unknown') return;
      throw error;
    }
    for await (const piece of createReadStream(target)) yield Buffer.from(piece as Uint8Array);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function* listLive(list: WantedList, window: ListWindow): AsyncGenerator<ItemRef> {
  for await (const { record } of listRecords(list, window, () => ({})))
    if (record.status === 'live') yield record;
}
