/** Resource profiles of this installation, put together. */
import type { Garner } from '../app.ts';
import { createProfiles, type Profiles } from '../federate/profiles.ts';

/** To be closed. */
export function openProfiles({ store, formats, config }: Garner): Profiles {
  return createProfiles({
    store,
    formats,
    config: config.federate.profiles,
    repository: config.repository,
    dataFolder: config.data,
  });
}
