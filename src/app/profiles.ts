/** Resource profiles of this installation, put together. */
import type { Garner } from '../app.ts';
import type { Log } from '../core/log.ts';
import { followStore } from '../federate/aggregate/follow-store.ts';
import { createProfiles, type Profiles } from '../federate/profiles.ts';
import { openVocabulary } from './vocabulary.ts';

/** To be closed. `baseUrl`: where Garner is found, if not as configured. */
export async function openProfiles(
  { store, formats, config }: Garner,
  baseUrl: string = config.repository.baseUrl,
): Promise<Profiles> {
  return createProfiles({
    store,
    formats,
    config: config.federate.profiles,
    repository: { ...config.repository, baseUrl },
    dataFolder: config.data,
    vocabulary: await openVocabulary(config),
  });
}

const LOOK_MS = 5000;
const REST_MS = 10 * 60 * 1000;

/** Gathers what every commit changes, for as long as a server runs. */
export function startGathering({ aggregates }: Profiles, log: Log): { stop(): Promise<void> } {
  return followStore(aggregates, {
    everyMs: LOOK_MS,
    tightenAfterMs: REST_MS,
    onError: (error) => log('federate.gather-failed', { error }),
  });
}
