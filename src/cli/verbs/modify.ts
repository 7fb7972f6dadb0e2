import type { Garner } from '../../app.ts';
import { surtKey } from '../../archive/index.ts';
import { OPERATOR } from '../../core/access.ts';
import { GarnerError } from '../../core/errors.ts';
import { MODIFICATIONS, type ModificationType } from '../../core/version-event.ts';
import type { WebSnapshot } from '../../formats/web-snapshot.ts';
import { withRun } from '../../harvest/with-run.ts';
import { modifySnapshot } from '../../packaging/versions/modify-snapshot.ts';
import type { StoredCapture } from '../../store/index.ts';
import { callerName } from '../caller-name.ts';
import { readUrlAtTime } from '../capture-output.ts';
import { findNamedItem, onePositional } from '../find-item.ts';
import { openForVerb } from '../open.ts';
import { listOption, type OptionValues, textOption, type Verb } from '../verb.ts';

const LISTS = ['description', 'subject', 'creator', 'publisher', 'language', 'rights'] as const;
const many = (help: string) => ({ type: 'string', multiple: true, value: 'TEXT', help }) as const;

export const modifyVerb: Verb = {
  name: 'modify',
  summary: 'change a snapshot that is there: a fix, another cataloguing, another format; it gets a version',
  usage: 'modify IDENTIFIER --as KIND --reason TEXT [--title TEXT …] [--capture URL@TIME …] [--source NAME]',
  options: {
    as: { type: 'string', value: 'KIND', help: `${MODIFICATIONS.join(', ')}` },
    reason: { type: 'string', value: 'TEXT', help: 'why, kept with the version' },
    agent: { type: 'string', value: 'NAME', help: 'who does it (default: who is logged in here)' },
    'creator-driven': { type: 'boolean', help: 'the site asked for it, not this repository' },
    title: { type: 'string', value: 'TEXT', help: 'instead of the one it has; empty takes it away again' },
    description: many('instead of what was extracted; may be repeated, as those that follow'),
    subject: many('a subject'),
    creator: many('a creator'),
    publisher: many('a publisher'),
    language: many('a language code'),
    rights: many('a statement of rights'),
    capture: many('this capture stands for its URL from now on; may be repeated'),
    source: { type: 'string', value: 'NAME', help: 'when two sources share the identifier' },
  },
  examples: [
    'garner modify ISCCP:20261115T030000Z --as recataloguing --subject clouds --reason "subjects checked"',
    'garner modify ISCCP:20261115T030000Z --as fix --capture http://isccp.example.org/@20261116 --reason "page was cut"',
  ],
  async run({ positionals, values, terminal }) {
    const name = onePositional(positionals, 'identifier', this.usage);
    const type = readType(textOption(values, 'as'));
    const reason = textOption(values, 'reason');
    if (reason === undefined) throw new GarnerError('usage.invalid', 'why? Say it with --reason TEXT');
    const catalogued = readCatalogued(values);
    await using garner = await openForVerb(values, terminal);
    const item = await findNamedItem(garner.store.items, name, textOption(values, 'source'));
    const captures: StoredCapture[] = [];
    for (const text of listOption(values, 'capture'))
      captures.push(await getCapture(garner, item.source, text));
    const { store, formats } = garner;
    const result = await withRun(store.runs, item.source, 'modify', (runId) =>
      modifySnapshot({ store, fields: formats.fieldSpecs() }, item, runId, {
        type,
        driver: values['creator-driven'] === true ? 'creator' : 'repository',
        agent: textOption(values, 'agent') ?? callerName(),
        reason,
        catalogued,
        captures,
      }),
    );
    terminal.answer({ source: item.source, identifier: item.identifier, changed: result.updated > 0 });
    terminal.say(
      `${item.identifier}: ${result.updated > 0 ? 'has a new version' : 'is as it was; nothing to change'}`,
    );
    return 0;
  },
};

function readType(text: string | undefined): ModificationType {
  const type = MODIFICATIONS.find((name) => name === text);
  if (type) return type;
  throw new GarnerError('usage.invalid', `--as: one of ${MODIFICATIONS.join(', ')}`);
}

function readCatalogued(values: OptionValues): NonNullable<WebSnapshot['catalogued']> {
  const title = textOption(values, 'title');
  return {
    ...(title !== undefined && { title }),
    ...Object.fromEntries(
      LISTS.flatMap((name) => {
        const texts = listOption(values, name);
        return texts.length > 0 ? [[name, texts.filter((text) => text !== '')]] : [];
      }),
    ),
  };
}

async function getCapture({ store }: Garner, source: string, text: string): Promise<StoredCapture> {
  const asked = readUrlAtTime(text);
  if (!asked) throw new GarnerError('usage.invalid', `--capture: "${text}" is no URL@TIME`);
  const found = await store.captures.findClosest(surtKey(asked.url), asked.at, OPERATOR, {
    sources: [source],
  });
  if (found) return found;
  throw new GarnerError('item.unknown', `there is no capture of ${asked.url} in ${source}`);
}
