import { GarnerError } from '../../core/errors.ts';
import { withRun } from '../../harvest/with-run.ts';
import { findNamedItem, onePositional } from '../find-item.ts';
import { openForVerb } from '../open.ts';
import { textOption, type Verb } from '../verb.ts';
import { readVersion } from './get.ts';

export const pinVerb: Verb = {
  name: 'pin',
  summary: 'keep a version of an item for ever, whatever retention says',
  usage: 'pin IDENTIFIER --version N [--off] [--format NAME] [--source NAME]',
  options: {
    version: { type: 'string', value: 'N', help: 'the version (garner history lists them)' },
    off: { type: 'boolean', help: 'no longer' },
    format: { type: 'string', value: 'NAME', help: 'of an item with several metadata formats' },
    source: { type: 'string', value: 'NAME', help: 'when two sources share the identifier' },
  },
  examples: ['garner pin ISCCP:20261115T030000Z --version 2'],
  async run({ positionals, values, terminal }) {
    const name = onePositional(positionals, 'identifier', this.usage);
    const version = readVersion(textOption(values, 'version'));
    if (version === undefined)
      throw new GarnerError('usage.invalid', `which version?\nusage: garner ${this.usage}`);
    const format = textOption(values, 'format');
    const pinned = values.off !== true;
    await using garner = await openForVerb(values, terminal);
    const { items, runs } = garner.store;
    const item = await findNamedItem(items, name, textOption(values, 'source'));
    await withRun(runs, item.source, 'pin', (runId) =>
      items.pinVersion(item, { version, ...(format !== undefined && { format }) }, pinned, runId),
    );
    terminal.answer({ source: item.source, identifier: item.identifier, version, pinned });
    terminal.say(
      `${item.identifier}: version ${version} ${pinned ? 'is kept for ever' : 'may be thinned out again'}`,
    );
    return 0;
  },
};
