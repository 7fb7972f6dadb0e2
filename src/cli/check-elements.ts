/** Sources and profile files, judged by the data dictionaries. */
import { existsSync, readFileSync } from 'node:fs';
import type { Garner } from '../app.ts';
import { GarnerError } from '../core/errors.ts';
import { nearestNames } from '../core/nearest.ts';
import type { ElementIndex } from '../federate/dictionary/element-index.ts';
import { FindingTally } from '../federate/dictionary/finding-tally.ts';
import { namedValuesOfFields, namedValuesOfProfile } from '../federate/dictionary/named-values.ts';
import { type ValidationOptions, validateElements } from '../federate/dictionary/validate-elements.ts';
import { readProfiles } from '../formats/oodt-profile/read-xml.ts';

export interface CheckOutcome {
  /** Items and profiles. */
  readonly checked: number;
  readonly tally: FindingTally;
}

const PAGE = 500;

/** Names of files and of sources; none: every source. */
export async function checkElements(
  garner: Garner,
  index: ElementIndex,
  names: readonly string[],
  options: ValidationOptions,
  signal: AbortSignal,
): Promise<CheckOutcome> {
  const tally = new FindingTally();
  let checked = 0;
  const files = names.filter((name) => existsSync(name));
  const sources = new Set(names.filter((name) => !files.includes(name)));
  await assertSources(garner, sources);
  for (const file of files)
    for (const profile of readProfiles(readFileSync(file))) {
      const where = `${file}: ${profile.res.Identifier?.[0] ?? profile.prof.profId?.[0] ?? '?'}`;
      tally.add(where, validateElements(index, namedValuesOfProfile(profile), options));
      checked++;
    }
  if (names.length > 0 && sources.size === 0) return { checked, tally };
  for (let after = 0; ; ) {
    signal.throwIfAborted();
    const items = await garner.store.items.listLive(after, PAGE);
    for (const { source, identifier, fields } of items) {
      if (sources.size > 0 && !sources.has(source)) continue;
      tally.add(`${source}/${identifier}`, validateElements(index, namedValuesOfFields(fields), options));
      checked++;
    }
    const last = items.at(-1);
    if (!last) return { checked, tally };
    after = last.key;
  }
}

async function assertSources(garner: Garner, names: ReadonlySet<string>): Promise<void> {
  const known = (await garner.store.items.listSources()).map(({ name }) => name);
  for (const name of names) {
    if (known.includes(name)) continue;
    const near = nearestNames(name, known);
    const hint = near.length > 0 ? `; did you mean ${near.join(' or ')}?` : '';
    throw new GarnerError('source.unknown', `there is no file and no source "${name}"${hint}`);
  }
}
