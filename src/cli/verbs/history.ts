import { OPERATOR } from '../../core/access.ts';
import { describeVersion } from '../../core/version-event.ts';
import { findNamedItem, onePositional } from '../find-item.ts';
import { openForVerb } from '../open.ts';
import { formatCount, formatTable } from '../terminal.ts';
import { textOption, type Verb } from '../verb.ts';

export const historyVerb: Verb = {
  name: 'history',
  summary: 'every version of an item',
  usage: 'history IDENTIFIER [--source NAME]',
  options: { source: { type: 'string', value: 'NAME', help: 'when two sources share the identifier' } },
  examples: ['garner history oai:example.org:42'],
  async run({ positionals, values, terminal }) {
    const name = onePositional(positionals, 'identifier', this.usage);
    await using garner = await openForVerb(values, terminal);
    const item = await findNamedItem(garner.store.items, name, textOption(values, 'source'));
    const versions = await garner.store.items.listHistory(item, OPERATOR);
    terminal.answer({ source: item.source, identifier: item.identifier, versions });
    const rows = versions.map((version) => [
      String(version.version),
      version.format,
      new Date(version.at).toISOString(),
      version.change,
      `run ${version.runId}`,
      `${formatCount(version.size)} bytes`,
      describeVersion(version),
    ]);
    for (const line of formatTable([['version', 'format', 'at', 'change', 'by', 'size', 'why'], ...rows]))
      terminal.say(line);
    return 0;
  },
};
