import { GarnerError } from '../../core/errors.ts';
import type { CataloguedElement } from '../../formats/catalogued.ts';
import { withRun } from '../../harvest/with-run.ts';
import { catalogueItem } from '../../packaging/curation/catalogue-item.ts';
import { CATALOGUED_ELEMENTS, checkValues } from '../../packaging/curation/check-values.ts';
import { callerName } from '../caller-name.ts';
import { findNamedItem, onePositional } from '../find-item.ts';
import { openForVerb } from '../open.ts';
import { listOption, textOption, type Verb } from '../verb.ts';

export const describeVerb: Verb = {
  name: 'describe',
  summary: 'say what an archived page or a snapshot is, instead of what it says of itself',
  usage: 'describe IDENTIFIER --set NAME=VALUE … --why TEXT [--source NAME]',
  options: {
    set: {
      type: 'string',
      multiple: true,
      value: 'NAME=VALUE',
      help: `${CATALOGUED_ELEMENTS.join(', ')}; may be repeated; an empty value takes yours away again`,
    },
    why: { type: 'string', value: 'TEXT', help: 'kept with the version' },
    agent: { type: 'string', value: 'NAME', help: 'who says it (default: who is logged in here)' },
    source: { type: 'string', value: 'NAME', help: 'when two sources share the identifier' },
  },
  examples: [
    'garner describe http://www.foyer.example/ --set title="Community house" --set subject= --why "tags are of another site"',
    'garner describe ISCCP:20261115T030000Z --set subject=clouds --set subject=radiation --why "checked"',
  ],
  async run({ positionals, values, terminal }) {
    const name = onePositional(positionals, 'identifier', this.usage);
    const reason = textOption(values, 'why');
    if (!reason) throw new GarnerError('usage.invalid', 'why? Say it with --why TEXT');
    const input = readSettings(listOption(values, 'set'));
    await using garner = await openForVerb(values, terminal);
    const { store, formats, config } = garner;
    const said = checkValues(input, config.curation);
    const item = await findNamedItem(store.items, name, textOption(values, 'source'));
    const agent = textOption(values, 'agent') ?? callerName();
    const result = await withRun(store.runs, item.source, 'describe', (runId) =>
      catalogueItem({ store, fields: formats.fieldSpecs() }, item, runId, { values: said, agent, reason }),
    );
    terminal.answer({ source: item.source, identifier: item.identifier, changed: result.updated > 0 });
    terminal.say(
      `${item.identifier}: ${result.updated > 0 ? 'has a new version' : 'is as it was; nothing to change'}`,
    );
    return 0;
  },
};

function readSettings(settings: readonly string[]): Partial<Record<CataloguedElement, string[]>> {
  if (settings.length === 0) throw new GarnerError('usage.invalid', 'say what it is with --set NAME=VALUE');
  const input: Partial<Record<CataloguedElement, string[]>> = {};
  for (const setting of settings) {
    const [name = '', ...value] = setting.split('=');
    const element = CATALOGUED_ELEMENTS.find((known) => known === name.trim());
    if (!element || value.length === 0)
      throw new GarnerError(
        'usage.invalid',
        `--set: "${setting}" is no NAME=VALUE; names are ${CATALOGUED_ELEMENTS.join(', ')}`,
      );
    const values = input[element] ?? [];
    input[element] = values;
    values.push(value.join('='));
  }
  return input;
}
