/** Snapshots with everything that was captured: BagIt bags. */
import type { Garner } from '../app.ts';
import { systemClock } from '../core/time.ts';
import { VERSION } from '../core/version.ts';
import { type BagDeps, bagForms } from '../packaging/bag/snapshot-bag.ts';
import type { PackageForm } from '../packaging/package-form.ts';
import { exportWarc, selectSnapshot } from '../publish/captures/index.ts';

const SOFTWARE = `Garner/${VERSION}`;

/** `packages`: those in XML go into bags. */
export function openBulkForms(garner: Garner, packages: readonly PackageForm[]): PackageForm[] {
  return bagForms(openBags(garner, packages));
}

export function openBags({ store, config }: Garner, packages: readonly PackageForm[]): BagDeps {
  const exporting = { store, dataFolder: config.data, clock: systemClock, software: SOFTWARE };
  return {
    ...exporting,
    organisation: config.repository.name,
    packages,
    writeWarc: (ref, version, target, viewer, onCopied) =>
      exportWarc({ ...exporting, onCopied }, selectSnapshot(store, ref, viewer, version), target, viewer),
  };
}
