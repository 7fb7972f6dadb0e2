/** How verbs get the application: config found or defaulted, store opened in this thread (a verb is short). */
import { existsSync } from 'node:fs';
import { type Garner, type OpenOptions, openGarner } from '../app.ts';
import { type Config, defaultConfig, loadConfig } from '../core/config.ts';
import { tellUpdate } from './tell-update.ts';
import type { Terminal } from './terminal.ts';
import { type OptionValues, textOption } from './verb.ts';

export const DEFAULT_CONFIG_FILE = 'garner.yaml';

/** `--config`, else garner.yaml here, else the defaults (data in ./garner-data). */
export function readConfig(values: OptionValues): Config {
  const named = textOption(values, 'config');
  if (named !== undefined) return loadConfig(named);
  return existsSync(DEFAULT_CONFIG_FILE) ? loadConfig(DEFAULT_CONFIG_FILE) : defaultConfig(process.cwd());
}

export async function openForVerb(
  values: OptionValues,
  terminal: Terminal,
  options: OpenOptions = {},
): Promise<Garner> {
  const garner = await openGarner(readConfig(values), { ...options, onUpdate: tellUpdate(terminal) });
  for (const source of await garner.store.admin.listStale()) {
    terminal.warn(
      `note: the field definitions of source "${source}" changed; garner reindex ${source} applies them`,
    );
  }
  return garner;
}
