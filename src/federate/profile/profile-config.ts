import type { Config } from '../../core/config.ts';

/** The keys `federate.profiles` of the config file. */
export type ProfileConfig = Config['federate']['profiles'];
