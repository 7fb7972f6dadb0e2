/** Every kind of source that Garner goes and fetches from, by its configuration. A new kind is one case here. */
import type { SourceConfig } from '../core/config.ts';
import { GarnerError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import type { FormatRegistry } from '../formats/registry.ts';
import type { GarnerStore } from '../store/index.ts';
import { harvestCsw } from './csw/harvest-csw.ts';
import { importFiles } from './files/index.ts';
import type { HttpPolicy } from './http/index.ts';
import type { Ingest } from './ingest.ts';
import { type CaptureArchive, harvestOai } from './oai/index.ts';
import { harvestOgc } from './ogc/harvest-ogc.ts';
import { createBoundClient } from './remote/bound-client.ts';
import { harvestResourceSync } from './resourcesync/harvest-resourcesync.ts';
import type { IntakeOptions } from './run/intake.ts';
import type { ImportReport } from './run/report.ts';
import { harvestSitemap } from './sitemap/harvest-sitemap.ts';
import { harvestWaf } from './waf/harvest-waf.ts';

export interface HarvestDeps {
  readonly store: Pick<GarnerStore, 'items' | 'runs'>;
  readonly ingest: Ingest;
  readonly formats: FormatRegistry;
  /** For sources behind a web address. */
  readonly policy?: HttpPolicy;
  /** For sources whose records become captures. */
  readonly archive?: CaptureArchive;
  readonly log?: Log;
}

/** Whether a run can be started for it; other kinds are filled from outside. */
export function isHarvested({ kind }: SourceConfig): boolean {
  return kind === 'files' || HARVESTED.has(kind);
}

/** Kinds behind a web address. */
const HARVESTED: ReadonlySet<SourceConfig['kind']> = new Set([
  'oai',
  'csw',
  'ogc',
  'stac',
  'resourcesync',
  'sitemap',
  'waf',
]);

export async function harvestSource(
  deps: HarvestDeps,
  name: string,
  config: SourceConfig,
  options: IntakeOptions = {},
): Promise<ImportReport> {
  if (config.kind === 'files') return importFiles(deps, { ...config, name, paths: config.path }, options);
  if (!isHarvested(config) || !('url' in config) || !deps.policy)
    throw new GarnerError('usage.invalid', `"${name}" is of kind ${config.kind}: there is nothing to fetch`);
  const { policy } = deps;
  if (config.kind === 'oai') {
    const { format = 'oai_dc', prefixes = { [format]: undefined } } = config;
    return harvestOai({ ...deps, policy }, { ...config, name, prefixes }, options);
  }
  const client = createBoundClient(policy, config.url ?? '');
  const remote = { ...deps, client };
  try {
    switch (config.kind) {
      case 'csw':
        return await harvestCsw(remote, { ...config, name }, options);
      case 'ogc':
      case 'stac':
        return await harvestOgc(remote, { ...config, name }, options);
      case 'resourcesync':
        return await harvestResourceSync(remote, { ...config, name }, options);
      case 'sitemap':
        return await harvestSitemap(remote, { ...config, name }, options);
      case 'waf':
        return await harvestWaf(remote, { ...config, name }, options);
      default:
        throw new GarnerError('internal.bug', `no harvester for kind ${config.kind}`);
    }
  } finally {
    client.close();
  }
}
