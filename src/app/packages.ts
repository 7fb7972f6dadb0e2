/** Information packages put together: what snapshots can be had as, and what their crawl leaves for it. */
import type { Garner } from '../app.ts';
import type { SnapshotComparing } from '../archive/items/index.ts';
import type { Config } from '../core/config.ts';
import { VERSION } from '../core/version.ts';
import type { TopicRun } from '../discover/index.ts';
import type { CandidateList } from '../packaging/didl/candidate-list.ts';
import { didlForm, didlItemForms } from '../packaging/didl/didl-form.ts';
import type { DidlDeps } from '../packaging/didl/snapshot-didl.ts';
import { metsForm, metsItemForms } from '../packaging/mets/mets-form.ts';
import { modsForm, modsItemForms } from '../packaging/mets/mods-form.ts';
import type { Publisher } from '../packaging/mets/package-context.ts';
import type { PackageForm } from '../packaging/package-form.ts';
import { createSiteModels, type SiteModels } from '../packaging/site-model/site-models.ts';
import { readCandidates } from '../packaging/snapshot/read-candidates.ts';
import { createCaptureForms } from '../publish/captures/index.ts';
import type { ItemForm } from '../publish/index.ts';
import { openBulkForms } from './bulk-forms.ts';

export interface Packages {
  /** For downloads and the command line. */
  readonly forms: readonly PackageForm[];
  /** For OAI-PMH. */
  readonly itemForms: readonly ItemForm[];
  readonly models: SiteModels;
  readonly publisher: Publisher;
}

/** Of one answer inside of an OAI-PMH record; as published files have it. */
const MAX_CAPTURE_BYTES = 10_000_000;

/** `baseUrl`: where this Garner is reached. */
export function openPackages(garner: Garner, baseUrl = garner.config.repository.baseUrl): Packages {
  const { store, config } = garner;
  const { prefix, ...settings } = config.packages;
  const models = createSiteModels({ store, dataFolder: config.data });
  const deps: DidlDeps = {
    store,
    dataFolder: config.data,
    models,
    repository: { baseUrl, identifier: config.repository.identifier },
    settings,
    findCandidates: ({ record }) => readCandidates(store, record),
  };
  const publisher = { name: config.repository.name, baseUrl, software: `Garner/${VERSION}` };
  const mets = { store, dataFolder: config.data, models, publisher, authorities: config.curation };
  const whole: readonly PackageForm[] = [didlForm(deps, prefix), metsForm(mets)];
  return {
    forms: [...whole, modsForm(mets), ...openBulkForms(garner, whole)],
    itemForms: [
      ...createCaptureForms({ store, dataFolder: config.data, maxValueBytes: MAX_CAPTURE_BYTES }),
      ...didlItemForms(deps, prefix),
      ...metsItemForms(mets),
      ...modsItemForms(mets),
    ],
    models,
    publisher,
  };
}

export const comparingOf = ({ data, packages }: Config): SnapshotComparing => ({
  dataFolder: data,
  threshold: packages.similarity,
  fold: packages.fold,
});

/** Of a topic's list, what is kept with the snapshot for ever. */
export const listedCandidates = ({
  runId,
  queries,
  depth,
  method,
  startedAt,
  candidates,
}: TopicRun): CandidateList => ({
  runId,
  queries,
  depth,
  method,
  startedAt,
  candidates: candidates.map(({ position, url, originals, weight, ranks, title }) => ({
    position,
    url,
    originals,
    weight,
    ranks,
    ...(title !== undefined && { title }),
  })),
});
