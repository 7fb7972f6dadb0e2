/** Resource profiles of this installation, put together. */
import type { Garner } from '../app.ts';
import type { Config } from '../core/config.ts';
import type { Log } from '../core/log.ts';
import { type Following, followStore } from '../federate/aggregate/follow-store.ts';
import { createProfiles, type Profiles } from '../federate/profiles.ts';
import type { Vocabulary } from '../federate/vocabulary.ts';
import { openVocabulary } from './vocabulary.ts';

/** To be closed. `baseUrl`: where Garner is found, if not as configured. `known`: what is read already. */
export async function openProfiles(
  { store, formats, config }: Garner,
  baseUrl: string = config.repository.baseUrl,
  known?: Vocabulary,
): Promise<Profiles> {
  return createProfiles({
    store,
    formats,
    config: config.federate.profiles,
    repository: { ...config.repository, baseUrl },
    dataFolder: config.data,
    vocabulary: known ?? (await openVocabulary(config)),
  });
}

const LOOK_MS = 5000;
const REST_MS = 10 * 60 * 1000;
const PATIENCE_MS = 5000;

/**
 * Gathers what every commit changes, for as long as a server runs. Where nothing of a federation is configured it
 * begins when somebody asks for the first time, and from then on with every start.
 */
export function startGathering(
  { aggregates }: Profiles,
  { federate }: Config,
  { log, warmUp }: { readonly log: Log; readonly warmUp: () => Promise<unknown> },
): Following {
  const isWanted = Object.keys(federate.peers).length > 0 || federate.profiles.levels !== undefined;
  return followStore(aggregates, {
    asleep: !isWanted && !aggregates.hasBegun,
    everyMs: LOOK_MS,
    tightenAfterMs: REST_MS,
    patienceMs: PATIENCE_MS,
    warmUp,
    onError: (error) => log('federate.gather-failed', { error }),
  });
}
