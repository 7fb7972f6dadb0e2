import { onePositional } from '../find-item.ts';
import { openForVerb } from '../open.ts';
import type { Verb } from '../verb.ts';

export const backupVerb: Verb = {
  name: 'backup',
  summary: 'a consistent copy of the store, while everything goes on',
  usage: 'backup FOLDER',
  options: {},
  examples: ['garner backup /backups/2026-11-15'],
  async run({ positionals, values, terminal }) {
    const folder = onePositional(positionals, 'target folder', this.usage);
    await using garner = await openForVerb(values, terminal);
    terminal.progress('copying …');
    await garner.store.admin.backup(folder);
    terminal.answer({ folder });
    terminal.say(`backup written to ${folder}; garner restore ${folder} brings it back`);
    return 0;
  },
};
