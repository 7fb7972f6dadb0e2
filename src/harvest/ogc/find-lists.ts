/** From the address that a source names to the lists of records behind it. */
import { GarnerError } from '../../core/errors.ts';
import type { HttpClient } from '../http/index.ts';
import { withParameters } from '../remote/with-parameters.ts';
import { type ApiLink, findLink, isObject, type JsonObject, readLinks, readObject } from './links.ts';

export type ApiKind = 'ogc' | 'stac';

export interface RecordList {
  readonly url: string;
  /** Goes before the identifiers of its records; absent where the address names one list only. */
  readonly collection?: string;
}

export interface FindOptions {
  readonly kind: ApiKind;
  readonly collections?: readonly string[];
  readonly pageSize: number;
}

/** Undefined: a static STAC catalogue, which is walked. */
export async function findLists(
  client: HttpClient,
  url: string,
  options: FindOptions,
  signal?: AbortSignal,
): Promise<readonly RecordList[] | undefined> {
  const limited = (address: string) =>
    new URL(address).searchParams.has('limit')
      ? address
      : withParameters(address, { limit: String(options.pageSize) });
  const { document, url: base } = await readObject(client, url, signal);
  if (document.type === 'FeatureCollection') return [{ url: limited(url) }];
  const links = readLinks(document, base);
  if (options.kind === 'stac') {
    const search = findLink(
      links.filter(({ method }) => method === 'GET'),
      'search',
    );
    const filter = options.collections && { collections: options.collections.join(',') };
    if (search) return [{ url: withParameters(limited(search.href), filter ?? {}) }];
  }
  const items = findLink(links, 'items');
  if (items) return [{ url: limited(items.href) }];
  const collections = Array.isArray(document.collections)
    ? { document, base }
    : await readCollections(client, links, signal);
  if (collections) {
    const lists = listsOf(collections.document, collections.base, options);
    return lists.map((list) => ({ ...list, url: limited(list.url) }));
  }
  if (options.kind === 'stac' && typeof document.stac_version === 'string') return undefined;
  throw new GarnerError(
    'source.answer',
    `${url} leads to no records: it is no list of features, and links to neither items nor collections`,
  );
}

async function readCollections(
  client: HttpClient,
  links: readonly ApiLink[],
  signal: AbortSignal | undefined,
): Promise<{ document: JsonObject; base: string } | undefined> {
  const link = findLink(links, 'data', 'collections');
  if (!link) return undefined;
  const { document, url } = await readObject(client, link.href, signal);
  return { document, base: url };
}

function listsOf(document: JsonObject, base: string, { collections: wanted }: FindOptions): RecordList[] {
  const all = Array.isArray(document.collections) ? document.collections.filter(isObject) : [];
  const named = all.flatMap((collection): Required<RecordList>[] => {
    const { id } = collection;
    const items = findLink(readLinks(collection, base), 'items');
    if (typeof id !== 'string') return [];
    const fallback = new URL(`${encodeURIComponent(id)}/items`, base.replace(/\/*(\?.*)?$/, '/')).href;
    return [{ collection: id, url: items?.href ?? fallback }];
  });
  for (const name of wanted ?? [])
    if (!named.some(({ collection }) => collection === name))
      throw new GarnerError(
        'source.answer',
        `there is no collection ${name}; there are ${named.map(({ collection }) => collection).join(', ')}`,
      );
  return named.filter(({ collection }) => wanted === undefined || wanted.includes(collection));
}
