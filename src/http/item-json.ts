/** Hits, items and versions as the API shows them; `garner search --json` has the same shape. */
import { itemPath } from '../core/identifiers.ts';
import type { ItemTrust } from '../packaging/curation/item-trust.ts';
import type { ShownRun } from '../portal/runs-page.ts';
import type { Hit, ListedProblem, SearchAnswer, StoredItem, VersionInfo } from '../store/index.ts';
import { ITEM_PREFIXES } from './raw-target.ts';

const iso = (at: number) => new Date(at).toISOString();

export function hitJson(hit: Hit, baseUrl: string) {
  const { raw, updatedAt, key: _, ...rest } = hit;
  return {
    ...rest,
    updatedAt: iso(updatedAt),
    url: baseUrl + itemPath(hit.source, hit.identifier),
    ...(raw && { raw: new TextDecoder().decode(raw) }),
  };
}

export function answerJson(answer: SearchAnswer, baseUrl: string) {
  return { ...answer, hits: answer.hits.map((hit) => hitJson(hit, baseUrl)) };
}

export function itemJson(item: StoredItem, baseUrl: string) {
  // The rule is the keepers' business.
  const { access: _, records, firstSeenAt, ...rest } = item;
  const link = (prefix: string) => baseUrl + itemPath(item.source, item.identifier, prefix);
  return {
    ...rest,
    firstSeenAt: iso(firstSeenAt),
    records: records.map(({ datestampAt, ...record }) => ({ ...record, datestampAt: iso(datestampAt) })),
    links: {
      page: link(ITEM_PREFIXES.page),
      self: link(ITEM_PREFIXES.apiItem),
      versions: link(ITEM_PREFIXES.apiVersions),
      similar: link(ITEM_PREFIXES.apiSimilar),
    },
  };
}

/** Only where there is something to say. */
export function trustJson(trust: ItemTrust | undefined) {
  if (!trust || (trust.judged.length === 0 && !trust.catalogued)) return {};
  const { judged, stated, catalogued } = trust;
  if (!catalogued) return { trust: { judged } };
  const { at, ...said } = catalogued;
  return { trust: { judged, stated, catalogued: { ...said, ...(at !== undefined && { at: iso(at) }) } } };
}

export function versionJson({ thinnedAt, ...version }: VersionInfo) {
  return {
    ...version,
    at: iso(version.at),
    ...(thinnedAt !== undefined && { thinnedAt: iso(thinnedAt) }),
  };
}

export function runJson({ startedAt, endedAt, holder, ...rest }: ShownRun, showHolder: boolean) {
  return {
    ...rest,
    startedAt: iso(startedAt),
    ...(endedAt !== undefined && { endedAt: iso(endedAt) }),
    // A process number and host name help keepers only.
    ...(showHolder && { holder }),
  };
}

export function problemJson({ at, ...rest }: ListedProblem) {
  return { ...rest, at: iso(at) };
}
