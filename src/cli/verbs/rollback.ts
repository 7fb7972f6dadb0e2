import { GarnerError } from '../../core/errors.ts';
import { withRun } from '../../harvest/with-run.ts';
import { findNamedItem, onePositional } from '../find-item.ts';
import { openForVerb } from '../open.ts';
import { textOption, type Verb } from '../verb.ts';
import { readVersion } from './get.ts';

export const rollbackVerb: Verb = {
  name: 'rollback',
  summary: 'make an old version the newest again (nothing is erased)',
  usage: 'rollback IDENTIFIER --to N [--format NAME] [--source NAME] [--note TEXT]',
  options: {
    to: { type: 'string', value: 'N', help: 'the version to bring back (garner history lists them)' },
    format: { type: 'string', value: 'NAME', help: 'of an item with several metadata formats' },
    source: { type: 'string', value: 'NAME', help: 'when two sources share the identifier' },
    note: { type: 'string', value: 'TEXT', help: 'why, kept with the version' },
  },
  examples: ['garner rollback oai:example.org:42 --to 1 --note "wrong box in version 2"'],
  async run({ positionals, values, terminal }) {
    const name = onePositional(positionals, 'identifier', this.usage);
    const version = readVersion(textOption(values, 'to'));
    if (version === undefined)
      throw new GarnerError('usage.invalid', `which version?\nusage: garner ${this.usage}`);
    const format = textOption(values, 'format');
    const note = textOption(values, 'note');
    await using garner = await openForVerb(values, terminal);
    const item = await findNamedItem(garner.store.items, name, textOption(values, 'source'));
    const made = await withRun(garner.store.runs, item.source, 'rollback', (runId) =>
      garner.store.items.rollback(item, { version, ...(format !== undefined && { format }) }, runId, note),
    );
    terminal.answer(made);
    terminal.say(`${item.identifier}: version ${made.version} is now equal to version ${version}`);
    return 0;
  },
};
