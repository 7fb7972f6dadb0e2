/** Resource profiles of this installation, put together. */
import type { Garner } from '../app.ts';
import { createProfiles, type Profiles } from '../federate/profiles.ts';
import { openVocabulary } from './vocabulary.ts';

/** To be closed. */
export async function openProfiles({ store, formats, config }: Garner): Promise<Profiles> {
  return createProfiles({
    store,
    formats,
    config: config.federate.profiles,
    repository: config.repository,
    dataFolder: config.data,
    vocabulary: await openVocabulary(config),
  });
}
