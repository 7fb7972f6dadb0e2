/** Snapshots with everything that was captured: BagIt bags and WACZ files. */
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import type { Garner } from '../app.ts';
import { systemClock } from '../core/time.ts';
import { VERSION } from '../core/version.ts';
import { webSnapshot } from '../formats/web-snapshot.ts';
import { type BagDeps, bagForms } from '../packaging/bag/snapshot-bag.ts';
import type { PackageForm } from '../packaging/package-form.ts';
import { madeInScratch } from '../packaging/scratch.ts';
import { readSnapshot } from '../packaging/snapshot/read-snapshot.ts';
import { exportWacz, exportWarc, selectSnapshot } from '../publish/captures/index.ts';

const SOFTWARE = `Garner/${VERSION}`;

/** `packages`: those in XML go into bags. */
export function openBulkForms(garner: Garner, packages: readonly PackageForm[]): PackageForm[] {
  return [...bagForms(openBags(garner, packages)), waczForm(garner)];
}

export function openBags({ store, config }: Garner, packages: readonly PackageForm[]): BagDeps {
  const exporting = { store, dataFolder: config.data, clock: systemClock, software: SOFTWARE };
  return {
    ...exporting,
    organisation: config.repository.name,
    packages,
    writeWarc: (ref, version, target, viewer) =>
      exportWarc(exporting, selectSnapshot(store, ref, viewer, version), target, viewer),
  };
}

function waczForm({ store, config }: Garner): PackageForm {
  const exporting = { store, dataFolder: config.data, clock: systemClock, software: SOFTWARE };
  return {
    name: 'wacz',
    label: 'WACZ',
    mediaType: 'application/wacz',
    extension: '.wacz',
    madeOf: [webSnapshot.name],
    write: async (ref, choice, viewer) => {
      const { item, version } = await readSnapshot(store, ref, choice, viewer);
      return madeInScratch(config.data, async (folder) => {
        const target = join(folder, 'snapshot.wacz');
        const pages = selectSnapshot(store, item, viewer, version);
        await exportWacz(exporting, pages, target, viewer, item.title ?? item.identifier);
        return createReadStream(target);
      });
    },
  };
}
