/**
 * What a source remembers of its catalogue, so that the next harvest asks for changes only. The property that
 * tells of them is written by people and programs of all kinds: a record may come with an old date, and none
 * tells that it went. So the number of records must agree afterwards, and all is compared from time to time.
 */
import { hash } from 'node:crypto';
import type { Instant } from '../../core/model.ts';
import type { EntryState, ItemStore } from '../../store/index.ts';
import type { CswQuery } from './get-records.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Days have other borders elsewhere. */
const OVERLAP_MS = 2 * DAY_MS;
const HARVESTED = 'csw harvested';
const COMPARED = 'csw compared';

export interface CatalogueMemory {
  /** When the last complete harvest began, and the last one that compared all. */
  readonly harvestedAt: Instant;
  readonly comparedAt: Instant;
  /** Records that the catalogue counts and the source does not hold: kept out by filters, or double. */
  readonly surplus: number;
}

/** Another question has another answer: what is remembered of the old one does not count. */
const digestOf = (query: CswQuery) =>
  hash('sha256', JSON.stringify([query.url, query.outputSchema, query.typeNames, query.cql ?? '']));

export async function recallCatalogue(
  items: Pick<ItemStore, 'listEntries'>,
  source: string,
  query: CswQuery,
): Promise<CatalogueMemory | undefined> {
  const digest = digestOf(query);
  // A catalogue has no other entries.
  const entries = (await items.listEntries(source, undefined, 10)).filter((entry) => entry.digest === digest);
  const harvested = entries.find(({ entry }) => entry === HARVESTED);
  const compared = entries.find(({ entry }) => entry === COMPARED);
  if (!harvested || !compared) return undefined;
  return { harvestedAt: harvested.modifiedAt, comparedAt: compared.modifiedAt, surplus: compared.size };
}

export function memoryEntries(
  query: CswQuery,
  { harvestedAt, comparedAt, surplus }: CatalogueMemory,
): EntryState[] {
  const digest = digestOf(query);
  return [
    { entry: HARVESTED, digest, size: 0, modifiedAt: harvestedAt },
    { entry: COMPARED, digest, size: surplus, modifiedAt: comparedAt },
  ];
}

/** The first day whose changes are of interest; undefined when all must be compared. */
export function changesFrom(
  memory: CatalogueMemory | undefined,
  fullEveryDays: number,
  now: Instant,
): string | undefined {
  if (!memory) return undefined;
  const { harvestedAt, comparedAt } = memory;
  if (fullEveryDays > 0 && now - comparedAt >= fullEveryDays * DAY_MS) return undefined;
  return new Date(Math.min(harvestedAt, now) - OVERLAP_MS).toISOString().slice(0, 10);
}
