/** Help texts, made from the verbs themselves. */
import { formatTable } from './terminal.ts';
import { COMMON_OPTIONS, type OptionSpec, type Verb } from './verb.ts';

export function mainHelp(verbs: Iterable<Verb>): string {
  return [
    'garner: gather, keep, describe, share and search what is scattered.',
    '',
    'usage: garner VERB [arguments] [--config FILE] [--json]',
    '',
    ...formatTable([...verbs].map((verb) => [`  ${verb.name}`, verb.summary])),
    '',
    'garner VERB --help tells more. First steps:',
    '  garner demo                 a small collection, imported and served',
    '  garner init ./my-records    your own folder of XML or JSON records',
    '',
    'Exit codes: 0 done, 1 failed, 2 wrong usage or config, 3 done but incomplete.',
  ].join('\n');
}

export function verbHelp(verb: Verb): string {
  const options = Object.entries({ ...verb.options, ...COMMON_OPTIONS } as Record<string, OptionSpec>);
  return [
    `garner ${verb.name}: ${verb.summary}`,
    '',
    `usage: garner ${verb.usage}`,
    '',
    ...formatTable(
      options.map(([name, spec]) => [`  --${name}${spec.value ? ` ${spec.value}` : ''}`, spec.help]),
    ),
    ...(verb.examples.length > 0 ? ['', 'examples:', ...verb.examples.map((example) => `  ${example}`)] : []),
  ].join('\n');
}
