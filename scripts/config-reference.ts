/** `docs/reference/config.md`, from the rows of the config schema. */
import { type KeyRow, listKeys } from '../src/core/config-keys.ts';

export function writeConfigReference(): string {
  const rows = listKeys();
  const sections = rows.filter(({ path }) => path.length === 1);
  const parts = sections.map((section) => {
    const heading = `## \`${section.path[0]}\``;
    const below = rows.filter(({ path }) => path.length > 1 && path[0] === section.path[0]);
    if (below.length === 0) return `${heading}\n\n${writeTable([section])}`;
    const tables = [...Map.groupBy(below, ({ kind }) => kind)].map(([kind, keys]) =>
      kind === undefined ? writeTable(keys) : `### \`kind: ${kind}\`\n\n${writeTable(keys)}`,
    );
    return `${heading}\n\n${section.doc}\n\n${tables.join('\n')}`;
  });
  return `${HEAD}\n${parts.join('\n')}`;
}

const HEAD = `# The config file

<!-- Written by \`npm run docs\` from src/core/config-schema.ts; change it there. -->

Garner reads one YAML file: the one that \`--config\` names, or \`garner.yaml\` in the current folder.
\`garner init\` writes one to start from and \`garner check\` lists every mistake in it, each with its line,
column and key. Relative paths start from the folder of the file. \`<name>\` stands for a name that you
choose: letters, digits, \`-\` and \`_\`, starting with a letter or digit; sources and views share their names.

**Environment.** In every text, \`\${NAME}\` is replaced by the environment variable of that name and
\`\${NAME:-default}\` falls back to a default when it is not set or empty; \`$\${\` is a plain \`\${\`. A variable
that is not set and has no default is a mistake. Inside \`{ }\` and \`[ ]\` put such a text in quotes. A key
that has an environment name below can also be set by that variable alone, above what the file says.
`;

function writeTable(rows: readonly KeyRow[]): string {
  const cells = rows.map((row) => [
    `\`${row.path.join('.').replaceAll('.[]', '[]')}\``,
    row.type,
    row.default === undefined ? (row.required ? '*required*' : '') : `\`${row.default}\``,
    row.env === undefined ? '' : `\`${row.env}\``,
    row.doc,
  ]);
  const lines = cells.map((line) => `| ${line.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`);
  return `| key | type | default | environment | |\n|---|---|---|---|---|\n${lines.join('\n')}\n`;
}
