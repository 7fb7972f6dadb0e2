import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename, relative, resolve } from 'node:path';
import { writeConfigTemplate } from '../../core/config-template.ts';
import { GarnerError } from '../../core/errors.ts';
import { DEFAULT_CONFIG_FILE } from '../open.ts';
import type { Verb } from '../verb.ts';

export const initVerb: Verb = {
  name: 'init',
  summary: 'write a config file for a folder of records',
  usage: 'init [FOLDER|ARCHIVE]…',
  options: {},
  examples: ['garner init ./my-records', 'garner init'],
  async run({ positionals, terminal }) {
    if (existsSync(DEFAULT_CONFIG_FILE)) {
      throw new GarnerError(
        'usage.invalid',
        `${DEFAULT_CONFIG_FILE} is already here; change it by hand, or remove it first`,
      );
    }
    for (const path of positionals) {
      if (!existsSync(path)) throw new GarnerError('usage.invalid', `there is no folder or file ${path}`);
    }
    const sources: Record<string, string> = {};
    for (const path of positionals)
      sources[freeName(path, sources)] = `./${relative(process.cwd(), resolve(path)).replaceAll('\\', '/')}`;
    await writeFile(DEFAULT_CONFIG_FILE, writeConfigTemplate({ repositoryName: 'My records', sources }), {
      flag: 'wx',
    });
    terminal.answer({ config: DEFAULT_CONFIG_FILE, sources });
    terminal.say(
      `wrote ${DEFAULT_CONFIG_FILE}${positionals.length > 0 ? ` with the ${positionals.length === 1 ? 'source' : 'sources'} ${Object.keys(sources).join(', ')}` : ''}`,
    );
    terminal.say('next:');
    if (positionals.length === 0)
      terminal.say('  add a source to it, or: garner import FOLDER --source NAME');
    else terminal.say('  garner import     takes the records in');
    terminal.say('  garner serve      opens the portal');
    return 0;
  },
};

/** A source named after the folder: `./My Records.zip` → `my-records`. */
function freeName(path: string, taken: Readonly<Record<string, string>>): string {
  const plain = basename(resolve(path))
    .replace(/\.(?:zip|tar|tgz|tar\.gz|xml|json)$/i, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  const base = plain || 'records';
  let name = base;
  for (let i = 2; Object.hasOwn(taken, name); i++) name = `${base}-${i}`;
  return name;
}
