/** docs/reference/cli.md, from the verbs themselves. */
import { COMMON_OPTIONS, type OptionSpec } from '../src/cli/verb.ts';
import { loadVerbs } from '../src/cli/verbs/index.ts';

const VERBS = await loadVerbs();

const optionRow = ([name, spec]: [string, OptionSpec]) =>
  `| \`--${name}${spec.value ? ` ${spec.value}` : ''}\` | ${spec.help.replaceAll('|', '\\|')} |`;

export function writeCliReference(): string {
  const verbs = VERBS.map((verb) => {
    const options = Object.entries(verb.options);
    return [
      `## ${verb.name}`,
      '',
      `${verb.summary[0]?.toUpperCase()}${verb.summary.slice(1)}.`,
      '',
      '```',
      `garner ${verb.usage}`,
      '```',
      ...(options.length > 0 ? ['', '| option | |', '|---|---|', ...options.map(optionRow)] : []),
      ...(verb.examples.length > 0 ? ['', 'For example:', '', '```', ...verb.examples, '```'] : []),
      '',
    ].join('\n');
  });
  return `# The command line

Written by \`npm run docs\` from the verbs in \`src/cli/verbs\`. In the source tree the command is
\`node bin/garner.mjs\`, installed it is \`garner\`.

Every verb takes:

| option | |
|---|---|
${Object.entries(COMMON_OPTIONS).map(optionRow).join('\n')}

With \`--json\` a verb prints one JSON document; long work prints one event per line. Text that is not the
answer (progress, warnings, errors) goes to standard error.

| exit code | meaning |
|---|---|
| 0 | done |
| 1 | failed; the message says why and what to do |
| 2 | wrong usage or configuration; nothing was changed |
| 3 | done, but incomplete: something could not be got, or the guard against mass deletion held |

${verbs.join('\n')}`;
}
