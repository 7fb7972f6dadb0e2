/**
 * What a source remembers of its lists from one harvest to the next: where to begin, which parts are
 * still missing, when all was last compared. Kept as entries of the source, committed with the lists.
 */
import { hash } from 'node:crypto';
import type { Instant } from '../../core/model.ts';
import { formatOai } from '../../core/time.ts';
import type { EntryState, ItemStore, RecordLoss } from '../../store/index.ts';
import type { ListGap, ListSpec } from './list-state.ts';
import type { DateWindow } from './request.ts';

export interface ListMemory {
  /** The server's clock at the last whole harvest of the list. */
  readonly harvestedAt?: Instant;
  readonly gaps: readonly DateWindow[];
  /** Its datestamps are days, whatever the provider says that it counts in. */
  readonly dayStamps?: boolean;
}

export interface SourceMemory {
  readonly lists: readonly ListMemory[];
  readonly comparedAt?: Instant;
}

const ENTRIES_AT_ONCE = 1000;
const COMPARED = 'oai compared';
/** Instead of a size, which lists do not have. */
const DAY_STAMPS = 1;
const listName = ({ prefix, set }: ListSpec) =>
  `oai list ${encodeURIComponent(prefix)}${set === undefined ? '' : ` ${encodeURIComponent(set)}`}`;

/** Another address is another list: what is remembered of the old one does not count. */
const digestOf = (url: string) => hash('sha256', url);

function gapName(list: ListSpec, { fromAt, untilAt }: DateWindow): string {
  const end = (at: Instant | undefined) => (at === undefined ? '' : formatOai(at));
  return `${listName(list)} gap ${end(fromAt)}/${end(untilAt)}`;
}

function parseGap(name: string): DateWindow {
  const [, from = '', until = ''] = / gap ([^/]*)\/(.*)$/.exec(name) ?? [];
  return {
    ...(from !== '' && { fromAt: Date.parse(from) }),
    ...(until !== '' && { untilAt: Date.parse(until) }),
  };
}

export async function readMemory(
  items: Pick<ItemStore, 'listEntries'>,
  source: string,
  url: string,
  lists: readonly ListSpec[],
): Promise<SourceMemory> {
  const digest = digestOf(url);
  const entries = new Map<string, EntryState>();
  for (let after: string | undefined; ; ) {
    const page = await items.listEntries(source, after, ENTRIES_AT_ONCE);
    for (const entry of page) if (entry.digest === digest) entries.set(entry.entry, entry);
    after = page.at(-1)?.entry;
    if (page.length < ENTRIES_AT_ONCE) break;
  }
  const comparedAt = entries.get(COMPARED)?.modifiedAt;
  return {
    lists: lists.map((list) => {
      const name = listName(list);
      const known = entries.get(name);
      return {
        ...(known && { harvestedAt: known.modifiedAt, dayStamps: known.size === DAY_STAMPS }),
        gaps: [...entries.keys()].filter((entry) => entry.startsWith(`${name} gap `)).map(parseGap),
      };
    }),
    ...(comparedAt !== undefined && { comparedAt }),
  };
}

/** As something that is missing, by its list and its dates. */
const lossName = ({ set }: ListSpec, { fromAt, untilAt }: DateWindow): string => {
  const end = (at: Instant | undefined) => (at === undefined ? '…' : formatOai(at));
  return `${end(fromAt)} to ${end(untilAt)}${set === undefined ? '' : ` of set ${set}`}`;
};

/** What a list lacks, and what it lacked before and has now. */
export function gapLosses(
  list: ListSpec,
  gaps: readonly ListGap[],
  closed: readonly DateWindow[],
): { lost: RecordLoss[]; found: string[] } {
  const lost = gaps.map((gap): RecordLoss => {
    const { code, message } = gap;
    return { name: lossName(list, gap), code, message };
  });
  const open = new Set(lost.map(({ name }) => name));
  // A list that was refused as a whole has no dates, and is not among those that are asked for again.
  const found = [{}, ...closed].map((gap) => lossName(list, gap)).filter((name) => !open.has(name));
  return { lost, found };
}

/** For the commit at the end of a list: its new beginning, new gaps, and old ones that are closed. */
export function rememberList(
  url: string,
  list: ListSpec,
  { harvestedAt, dayStamps = false }: { readonly harvestedAt: Instant; readonly dayStamps?: boolean },
  gaps: readonly ListGap[],
  closed: readonly DateWindow[],
): EntryState[] {
  const digest = digestOf(url);
  const open = gaps.map((gap) => gapName(list, gap));
  const entry = (name: string, of: string, modifiedAt: Instant): EntryState => ({
    entry: name,
    digest: of,
    size: 0,
    modifiedAt,
  });
  return [
    { ...entry(listName(list), digest, harvestedAt), size: dayStamps ? DAY_STAMPS : 0 },
    ...open.map((name) => entry(name, digest, harvestedAt)),
    // Without a digest an entry is not listed any more.
    ...closed
      .map((gap) => gapName(list, gap))
      .filter((name) => !open.includes(name))
      .map((name) => entry(name, '', harvestedAt)),
  ];
}

export const rememberComparison = (url: string, comparedAt: Instant): EntryState => ({
  entry: COMPARED,
  digest: digestOf(url),
  size: 0,
  modifiedAt: comparedAt,
});
