import { openConfiguredDictionaries, openVocabulary } from '../../app/vocabulary.ts';
import { GarnerError } from '../../core/errors.ts';
import { ATTRIBUTES, attributeEntries } from '../../federate/dictionary/attributes.ts';
import {
  DICTIONARY_FORMS,
  isDictionaryForm,
  readDictionaryFile,
} from '../../federate/dictionary/file-forms.ts';
import { writeDictionaryProfile } from '../../federate/dictionary/profile-form.ts';
import { describePath } from '../../federate/ontology/infer-attributes.ts';
import { writeProfile } from '../../formats/oodt-profile/write-xml.ts';
import { checkElements } from '../check-elements.ts';
import { onePositional } from '../find-item.ts';
import { openForVerb, readConfig } from '../open.ts';
import { formatCount, formatTable } from '../terminal.ts';
import { type ExitCode, textOption, type Verb, type VerbCall } from '../verb.ts';

const SHOWN_DEFINITION = 70;

export const dictionaryVerb: Verb = {
  name: 'dictionary',
  summary: 'data elements: what attributes mean, and whether records keep to it',
  usage:
    'dictionary list [WORDS…] | show NAME | import FILE… [--replace] | export DICTIONARY [--format FORM] | check [SOURCE|FILE…] | expand TERM | infer CLASS',
  options: {
    dictionary: { type: 'string', value: 'NAME', help: 'list, check: only by this dictionary' },
    replace: { type: 'boolean', help: 'import: what the file does not have goes' },
    format: { type: 'string', value: 'FORM', help: 'export: xml, csv, json (default) or profile' },
    revision: { type: 'string', value: 'N', help: 'export: an earlier state' },
  },
  examples: [
    'garner dictionary list filter',
    'garner dictionary show exposure_duration',
    'garner dictionary import planetary.csv',
    'garner dictionary export planetary --format xml > planetary.xml',
    'garner dictionary check images',
    'garner dictionary expand "UNIX compatible"',
  ],
  async run(call) {
    const [name = '', ...rest] = call.positionals;
    const part = Object.hasOwn(PARTS, name) ? PARTS[name] : undefined;
    if (!part)
      throw new GarnerError(
        'usage.invalid',
        `${name === '' ? 'what' : `"${name}"`}? one of ${Object.keys(PARTS).join(', ')}\nusage: garner ${this.usage}`,
      );
    return part({ ...call, positionals: rest }, this.usage);
  },
};

type Part = (call: VerbCall, usage: string) => Promise<ExitCode>;

const PARTS: Readonly<Record<string, Part>> = {
  async list({ positionals, values, terminal }) {
    const wanted = textOption(values, 'dictionary');
    const index = openConfiguredDictionaries(readConfig(values)).index();
    const found = index
      .search(positionals.join(' '))
      .filter(({ dictionary }) => wanted === undefined || dictionary === wanted);
    terminal.answer({
      dictionaries: index.dictionaries.map(({ identifier, title }) => ({ identifier, title })),
      elements: found.map(({ dictionary, current }) => ({ dictionary, ...current })),
    });
    const rows = found.map(({ dictionary, current: { name, datatype = '', unit = '', definition } }) => [
      name,
      dictionary,
      datatype,
      unit,
      definition.length > SHOWN_DEFINITION ? `${definition.slice(0, SHOWN_DEFINITION)}…` : definition,
    ]);
    for (const line of formatTable(rows)) terminal.say(line);
    terminal.say(found.length === 1 ? '1 element' : `${formatCount(found.length)} elements`);
    return 0;
  },

  async show({ positionals, values, terminal }, usage) {
    const name = onePositional(positionals, 'name of a data element', usage);
    const found = openConfiguredDictionaries(readConfig(values)).getElements(name);
    terminal.answer({ name, found: found.map(({ entry, bySynonym }) => ({ ...entry, bySynonym })) });
    for (const { entry, bySynonym } of found) {
      const { current, versions, dictionary } = entry;
      terminal.say(`${current.name} (${dictionary})${bySynonym ? `, of which ${name} is a synonym` : ''}`);
      const rows = ATTRIBUTES.flatMap((attribute) =>
        attributeEntries(current, attribute).map(({ text, beside }) => [
          `  ${attribute.label}`,
          beside === undefined ? text : `${text} (${beside})`,
        ]),
      );
      for (const line of formatTable(rows)) terminal.say(line);
      const others = versions.filter((version) => version !== current);
      if (others.length > 0)
        terminal.say(`  other versions: ${others.map(({ version }) => version).join(', ')}`);
    }
    return 0;
  },

  async import({ positionals, values, terminal }, usage) {
    if (positionals.length === 0)
      throw new GarnerError('usage.invalid', `which file?\nusage: garner ${usage}`);
    const dictionaries = openConfiguredDictionaries(readConfig(values));
    // All are read before any is taken in.
    const read = positionals.map(readDictionaryFile);
    const imported = read.map((dictionary) => ({
      identifier: dictionary.identifier,
      ...dictionaries.take(dictionary, values.replace === true ? 'replace' : 'merge'),
    }));
    terminal.answer({ imported });
    for (const { identifier, revision, added, changed, removed, unchanged } of imported)
      terminal.say(
        revision === 0
          ? `${identifier}: nothing new (${formatCount(unchanged)} elements)`
          : `${identifier}: ${formatCount(added)} new, ${formatCount(changed)} changed, ${formatCount(removed)} removed, ${formatCount(unchanged)} as before; state ${revision}`,
      );
    return 0;
  },

  async export({ positionals, values, terminal }, usage) {
    const identifier = onePositional(positionals, 'dictionary', usage);
    const form = textOption(values, 'format') ?? 'json';
    const revision = textOption(values, 'revision');
    if (revision !== undefined && !/^[1-9]\d{0,9}$/.test(revision))
      throw new GarnerError('usage.invalid', `--revision ${revision} is no number`);
    const config = readConfig(values);
    const dictionary = openConfiguredDictionaries(config).getDictionary(
      identifier,
      revision === undefined ? undefined : Number(revision),
    );
    if (form === 'profile') {
      const { baseUrl, identifier: context } = config.repository;
      const location = `${baseUrl}/dictionary?dictionary=${identifier}`;
      const profile = writeDictionaryProfile(dictionary, { profId: location, context, location });
      terminal.bytes(Buffer.from(writeProfile(profile)));
      return 0;
    }
    if (!isDictionaryForm(form))
      throw new GarnerError('usage.invalid', `--format ${form}: one of xml, csv, json, profile`);
    terminal.bytes(Buffer.from(DICTIONARY_FORMS[form].write(dictionary)));
    return 0;
  },

  async check({ positionals, values, terminal, signal }) {
    await using garner = await openForVerb(values, terminal);
    const dictionaries = openConfiguredDictionaries(garner.config);
    const dictionary = textOption(values, 'dictionary');
    if (dictionary !== undefined) dictionaries.getDictionary(dictionary);
    const options = dictionary === undefined ? {} : { dictionary };
    const index = dictionaries.index();
    const { checked, tally } = await checkElements(garner, index, positionals, options, signal);
    const findings = tally.list();
    terminal.answer({ checked, findings });
    const rows = findings.map(({ count, note, example, where }) => [
      formatCount(count),
      note ? `note: ${example}` : example,
      where,
    ]);
    for (const line of formatTable(rows)) terminal.say(line);
    const mistakes = findings.filter(({ note }) => !note).length;
    terminal.say(
      `${formatCount(checked)} checked, ${mistakes === 0 ? 'all right' : `${formatCount(mistakes)} kinds of mistakes`}`,
    );
    return mistakes === 0 ? 0 : 1;
  },

  async expand({ positionals, values, terminal }) {
    if (positionals.length === 0) throw new GarnerError('usage.invalid', 'which term?');
    const term = positionals.join(' ');
    const expansions = (await openVocabulary(readConfig(values))).expandTerm(term);
    terminal.answer({ term, expansions });
    for (const line of formatTable(expansions.map(({ text, path }) => [text, path.join(' > ')])))
      terminal.say(line);
    if (expansions.length === 0) terminal.say(`"${term}" stands for nothing else`);
    return 0;
  },

  async infer({ positionals, values, terminal }) {
    const vocabulary = await openVocabulary(readConfig(values));
    const name = positionals.join(' ');
    const found = vocabulary.findClass(name);
    if (!found) throw new GarnerError('dictionary.unknown', `the ontology has no class "${name}"`);
    const attributes = vocabulary.inferAttributes(found.iri).map(({ attribute, path }) => ({
      name: attribute.name,
      iri: attribute.iri,
      inferred: path.length > 0,
      path: describePath(vocabulary.hierarchy, path),
    }));
    terminal.answer({ class: found.iri, attributes });
    for (const line of formatTable(attributes.map((attribute) => [attribute.name, attribute.path])))
      terminal.say(line);
    return 0;
  },
};
