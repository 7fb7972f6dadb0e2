/** Aggregators by the command line: `garner get SERIES --format mets` and `garner export --mets FOLDER`. */
import { openPackages } from '../app/packages.ts';
import type { Garner } from '../app.ts';
import { OPERATOR } from '../core/access.ts';
import { GarnerError } from '../core/errors.ts';
import { METS, type MetsParts } from '../formats/mets/mets-document.ts';
import {
  dayAggregate,
  dayOf,
  daysAggregate,
  siteAggregate,
  sitesAggregate,
} from '../packaging/mets/collections.ts';
import { listSnapshots, type SnapshotEntry } from '../packaging/mets/list-snapshots.ts';
import { writeMetsTree } from '../packaging/mets/write-tree.ts';
import { findPackageForm } from '../packaging/package-form.ts';
import { holdHeaps } from './memory.ts';
import { openForVerb } from './open.ts';
import { formatCount, type Terminal } from './terminal.ts';
import { type ExitCode, listOption, type OptionValues } from './verb.ts';

/** The series of a site, a day, or all of them: `sites`, `days`. Undefined for what is none of these. */
export async function findAggregate(
  garner: Garner,
  name: string,
  source: string | undefined,
): Promise<MetsParts | undefined> {
  const { publisher } = openPackages(garner);
  const entries = await listEntries(garner, source === undefined ? [] : [source]);
  const own = entries.filter(({ series }) => series === name);
  const [first] = own;
  if (first) {
    const sources = new Set(own.map((entry) => entry.source));
    if (sources.size > 1)
      throw new GarnerError(
        'usage.invalid',
        `"${name}" is a series of several sources (${[...sources].join(', ')}); say which with --source`,
      );
    return siteAggregate(entries, publisher, first);
  }
  if (entries.some(({ startedAt }) => dayOf(startedAt) === name))
    return dayAggregate(entries, publisher, name);
  if (name === 'sites') return sitesAggregate(entries, publisher);
  return name === 'days' ? daysAggregate(entries, publisher) : undefined;
}

export async function exportMetsTree(
  positionals: readonly string[],
  target: string,
  values: OptionValues,
  terminal: Terminal,
): Promise<ExitCode> {
  holdHeaps();
  await using garner = await openForVerb(values, terminal);
  const name = positionals.join(' ').trim();
  const all = await listEntries(garner, listOption(values, 'source'));
  const entries = all.filter((entry) =>
    ['', entry.series, entry.identifier, dayOf(entry.startedAt)].includes(name),
  );
  if (entries.length === 0)
    throw new GarnerError('item.unknown', `there is no snapshot, series or day of snapshots "${name}"`);
  const { forms, publisher } = openPackages(garner);
  const mets = findPackageForm(forms, METS.prefix);
  if (!mets) throw new GarnerError('internal.bug', 'there is no form for METS');
  const report = await writeMetsTree({ publisher, mets }, entries, target, OPERATOR);
  terminal.answer({ target, kind: 'mets', ...report });
  terminal.say(
    `${target}: METS of ${formatCount(report.harvests)} harvests, and ${formatCount(report.aggregators)} that lead to them`,
  );
  return 0;
}

async function listEntries({ store }: Garner, sources: readonly string[]): Promise<SnapshotEntry[]> {
  const entries = await listSnapshots(store.items, OPERATOR);
  return sources.length === 0 ? entries : entries.filter(({ source }) => sources.includes(source));
}
