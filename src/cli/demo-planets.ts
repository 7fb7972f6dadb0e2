/** The demo's planetary archive: made, not measured. Made anew at every start, it changes nothing. */
import type { Garner } from '../app.ts';
import { makePlanetaryProducts } from '../federate/demo/planetary.ts';
import { profileRecord } from '../federate/profile/profile-record.ts';
import { withRun } from '../harvest/with-run.ts';

export const PLANETS = 'planets';
const PRODUCTS = 600;

export async function takeInPlanets({ store, formats }: Garner): Promise<void> {
  const specs = formats.fieldSpecs();
  const records = [...makePlanetaryProducts({ products: PRODUCTS })].map((product) =>
    profileRecord(product, specs),
  );
  await withRun(store.runs, PLANETS, 'demo', (runId) =>
    store.items.commit({ source: PLANETS, runId, records }),
  );
}
