/** What every store of items and runs must do, whichever engine is behind it. */

import { accessContract } from './access.ts';
import { careOfRunsContract } from './care-of-runs.ts';
import { harvestListsContract } from './harvest-lists.ts';
import { harvestPagesContract } from './harvest-pages.ts';
import { heldRecordsContract } from './held-records.ts';
import { lossesContract } from './losses.ts';
import { oaiIdentifiersContract } from './oai-identifiers.ts';
import { recordsContract } from './records.ts';
import { revisionContract } from './revision.ts';
import { runsContract } from './runs.ts';
import type { OpenStore } from './store-fixture.ts';
import { vanishedContract } from './vanished.ts';
import { viewsContract } from './views.ts';

export function itemStoreContract(name: string, open: OpenStore): void {
  recordsContract(name, open);
  oaiIdentifiersContract(name, open);
  vanishedContract(name, open);
  accessContract(name, open);
  heldRecordsContract(name, open);
  harvestListsContract(name, open);
  harvestPagesContract(name, open);
  viewsContract(name, open);
  revisionContract(name, open);
  runsContract(name, open);
  careOfRunsContract(name, open);
  lossesContract(name, open);
}
