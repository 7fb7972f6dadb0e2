import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { openPackages } from '../../app/packages.ts';
import type { Garner } from '../../app.ts';
import { OPERATOR } from '../../core/access.ts';
import type { SiteModel } from '../../packaging/site-model/site-model.ts';
import { SITE_TABLES, writeTableCsv } from '../../packaging/site-model/tables.ts';
import { readSnapshot } from '../../packaging/snapshot/read-snapshot.ts';
import { findNamedItem, onePositional } from '../find-item.ts';
import { openForVerb } from '../open.ts';
import { formatCount } from '../terminal.ts';
import { textOption, type Verb } from '../verb.ts';

export const siteModelVerb: Verb = {
  name: 'site-model',
  summary: 'pages, embedded files and links of a snapshot or source, counted or as CSV files',
  usage: 'site-model SNAPSHOT | SOURCE [--csv FOLDER] [--source NAME]',
  options: {
    csv: { type: 'string', value: 'FOLDER', help: 'write pages.csv, files.csv, embedded.csv, links.csv …' },
    source: { type: 'string', value: 'NAME', help: 'when two sources share the identifier' },
  },
  examples: [
    'garner site-model election:20241105T060000Z',
    'garner site-model election --csv ./election-tables',
  ],
  async run({ positionals, values, terminal }) {
    const name = onePositional(positionals, 'snapshot or source', this.usage);
    const folder = textOption(values, 'csv');
    await using garner = await openForVerb(values, terminal);
    using model = await openModel(garner, name, textOption(values, 'source'));
    if (folder !== undefined) await writeTables(model, folder);
    const { facts } = model;
    terminal.answer(facts);
    terminal.say(
      `${facts.title}: ${formatCount(facts.pages)} pages of ${formatCount(facts.files)} files, from ${facts.entryUrl ?? 'no entry page'}`,
    );
    const { internal, external, missing } = facts.links;
    terminal.say(
      `links: ${formatCount(internal)} inside, ${formatCount(external)} outside, ${formatCount(missing)} to what was not captured; ${formatCount(facts.redirects)} redirects`,
    );
    if (facts.problems > 0)
      terminal.warn(`${formatCount(facts.problems)} files could not be read in full; files.csv says why`);
    if (folder !== undefined) terminal.say(`tables are in ${folder}`);
    return 0;
  },
};

async function openModel(garner: Garner, name: string, source: string | undefined): Promise<SiteModel> {
  const { models } = openPackages(garner);
  const sources = await garner.store.items.listSources();
  if (sources.some((known) => known.name === name)) return models.openSource(name, OPERATOR);
  const item = await findNamedItem(garner.store.items, name, source);
  return models.openSnapshot(await readSnapshot(garner.store, item, {}, OPERATOR), OPERATOR);
}

async function writeTables(model: SiteModel, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const table of SITE_TABLES)
    await pipeline(
      Readable.from(writeTableCsv(model, table), { objectMode: false }),
      createWriteStream(join(folder, `${table}.csv`)),
    );
}
