/**
 * All METS documents of an archive as files that lead to each other: from the sites and from the days down to every
 * harvest. It can be walked without a server.
 */
import { createWriteStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { safePart } from '../../archive/items/safe-name.ts';
import type { Viewer } from '../../core/access.ts';
import type { PackageForm } from '../package-form.ts';
import {
  type AggregatePlaces,
  dayAggregate,
  dayOf,
  daysAggregate,
  siteAggregate,
  sitesAggregate,
} from './collections.ts';
import type { SnapshotEntry } from './list-snapshots.ts';
import { metsText } from './mets-form.ts';
import type { Publisher } from './package-context.ts';

export interface MetsTreeDeps {
  readonly publisher: Publisher;
  /** Writes a harvest. */
  readonly mets: Pick<PackageForm, 'write' | 'extension'>;
}

export interface MetsTreeReport {
  readonly harvests: number;
  readonly aggregators: number;
}

export async function writeMetsTree(
  { publisher, mets }: MetsTreeDeps,
  entries: readonly SnapshotEntry[],
  folder: string,
  viewer: Viewer,
): Promise<MetsTreeReport> {
  const paths = treePaths(mets.extension);
  const aggregators = [...listAggregators(entries, publisher, paths)];
  for (const [path, parts] of aggregators) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), metsText(parts));
  }
  for (const entry of entries) {
    const path = join(folder, paths.harvest(entry));
    await mkdir(dirname(path), { recursive: true });
    const bytes = await mets.write(entry, {}, viewer);
    await pipeline(Readable.from(bytes, { objectMode: false }), createWriteStream(path));
  }
  return { harvests: entries.length, aggregators: aggregators.length };
}

function* listAggregators(entries: readonly SnapshotEntry[], publisher: Publisher, paths: TreePaths) {
  const top = seenFrom(paths, '');
  yield [paths.sites, sitesAggregate(entries, publisher, top)] as const;
  yield [paths.days, daysAggregate(entries, publisher, top)] as const;
  const sites = Map.groupBy(entries, ({ source, series }) => paths.site(source, series));
  for (const [path, [first]] of sites)
    if (first) yield [path, siteAggregate(entries, publisher, first, seenFrom(paths, '../../'))] as const;
  for (const day of new Set(entries.map(({ startedAt }) => dayOf(startedAt))))
    yield [paths.day(day), dayAggregate(entries, publisher, day, seenFrom(paths, '../'))] as const;
}

/** From the folder of the tree. */
interface TreePaths extends AggregatePlaces {
  readonly sites: string;
  readonly days: string;
}

function treePaths(extension: string): TreePaths {
  const name = uniqueNames();
  return {
    sites: `sites${extension}`,
    days: `days${extension}`,
    site: (source, series) => `sites/${name(source)}/${name(series)}${extension}`,
    day: (day) => `days/${day}${extension}`,
    harvest: ({ source, identifier }) => `harvests/${name(source)}/${name(identifier)}${extension}`,
  };
}

const seenFrom = (paths: AggregatePlaces, up: string): AggregatePlaces => ({
  site: (source, series) => up + paths.site(source, series),
  day: (day) => up + paths.day(day),
  harvest: (entry) => up + paths.harvest(entry),
});

/** Good on every system; two that would be the same, also where case does not count, are told apart by a number. */
function uniqueNames(): (text: string) => string {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  return (text) => {
    const known = names.get(text);
    if (known !== undefined) return known;
    const plain = safePart(text);
    let name = plain;
    for (let number = 2; taken.has(name.toLowerCase()); number++) name = `${plain}-${number}`;
    taken.add(name.toLowerCase());
    names.set(text, name);
    return name;
  };
}
