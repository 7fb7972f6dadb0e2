import { restoreBackup } from '../../app.ts';
import { onePositional } from '../find-item.ts';
import { readConfig } from '../open.ts';
import type { Verb } from '../verb.ts';

export const restoreVerb: Verb = {
  name: 'restore',
  summary: 'bring back a backup (the store in place is kept aside)',
  usage: 'restore FOLDER',
  options: {},
  examples: ['garner restore /backups/2026-11-15'],
  async run({ positionals, values, terminal }) {
    const from = onePositional(positionals, 'backup folder', this.usage);
    const { data } = readConfig(values);
    await restoreBackup(from, data);
    terminal.answer({ from, to: data });
    terminal.say(`restored ${from} to ${data}; a store that was there is now garner.sqlite.replaced`);
    return 0;
  },
};
