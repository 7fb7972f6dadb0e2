/** The source kinds `ogc` and `stac`: records as JSON, kept as they came. */
import { type ImportDeps, importEntries } from '../files/import-entries.ts';
import type { HttpClient } from '../http/index.ts';
import { type HarvestPage, harvestPages, type PagedOrigin } from '../remote/harvest-pages.ts';
import { holdRun } from '../run/hold-run.ts';
import type { IntakeOptions, IntakeSource } from '../run/intake.ts';
import type { ImportReport } from '../run/report.ts';
import { type ApiKind, findLists, type RecordList } from './find-lists.ts';
import { identifyBy } from './identify.ts';
import { type ListRequest, readList } from './read-list.ts';
import { walkCatalogue } from './walk-catalogue.ts';

export interface OgcSource extends IntakeSource {
  readonly kind: ApiKind;
  readonly url: string;
  readonly collections?: readonly string[];
  readonly pageSize: number;
}

interface ListPosition {
  /** Which of the lists, and where in it. */
  readonly list: string;
  readonly request: ListRequest;
  /** Records of that list until here. */
  readonly seen: number;
}

export async function harvestOgc(
  deps: ImportDeps & { readonly client: HttpClient },
  source: OgcSource,
  options: IntakeOptions = {},
): Promise<ImportReport> {
  const { client } = deps;
  const { url, collections } = source;
  const { signal } = options;
  const lists = await findLists(client, url, source, signal).catch((error: unknown) =>
    failRun(deps, source.name, error),
  );
  if (!lists) {
    return importEntries(deps, source, options, {
      kind: 'harvest',
      origins: [
        { place: url, owns: () => true, walk: () => walkCatalogue(client, url, { collections, signal }) },
      ],
      noun: 'item',
    });
  }
  const origin: PagedOrigin<ListPosition> = {
    place: url,
    pages: (from) => readLists(client, source.kind, lists, from, signal),
  };
  return harvestPages(deps, source, options, origin);
}

/** What fails before the first page is a failed run as well. */
async function failRun(deps: ImportDeps, source: string, error: unknown): Promise<never> {
  await holdRun(deps, source, 'harvest', {}, async () => {
    throw error;
  });
  throw error;
}

async function* readLists(
  client: HttpClient,
  kind: ApiKind,
  lists: readonly RecordList[],
  from: ListPosition | undefined,
  signal: AbortSignal | undefined,
): AsyncGenerator<HarvestPage<ListPosition>> {
  const begin = Math.max(0, from ? lists.findIndex(({ url }) => url === from.list) : 0);
  for (const [index, list] of lists.entries()) {
    if (index < begin) continue;
    const first = from?.list === list.url ? from.request : { url: list.url };
    let seen = from?.list === list.url ? from.seen : 0;
    const identify = identifyBy(kind, list.collection);
    for await (const { next, total, ...page } of readList(client, first, { identify, signal })) {
      seen += page.pieces.length;
      const following = lists[index + 1]?.url;
      const position = next
        ? { list: list.url, request: next, seen }
        : following !== undefined && !page.cut
          ? { list: following, request: { url: following }, seen: 0 }
          : undefined;
      yield {
        ...page,
        ...(position && { next: position }),
        ...(total !== undefined && lists.length === 1 && { total }),
        // The totals of several lists come one by one: each is checked at its end.
        ...(total !== undefined && lists.length > 1 && !next && { lost: Math.max(0, total - seen) }),
      };
      if (page.cut) return;
    }
  }
}
