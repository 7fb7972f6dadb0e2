/** How far an item may be believed, who said otherwise, and what it says itself: for its page and for JSON. */
import { doubtTags, findCopiedTags } from '../../archive/trust/copied-tags.ts';
import type { Viewer } from '../../core/access.ts';
import type { Instant } from '../../core/model.ts';
import { CATALOGUED_LISTS, type CataloguedValues } from '../../formats/catalogued.ts';
import { type JudgedValues, type WebCapture, webCapture } from '../../formats/web-capture.ts';
import type { GarnerStore, StoredItem, VersionInfo } from '../../store/index.ts';
import { parseCapture } from '../snapshot/parse-capture.ts';
import { parseSnapshot } from '../snapshot/read-snapshot.ts';
import { findLastCataloguing } from '../versions/last-cataloguing.ts';
import { canBeCatalogued } from './catalogue-item.ts';

export interface ItemTrust {
  readonly judged: readonly JudgedValues[];
  /** What the item says of itself, as far as it is believed. */
  readonly stated: CataloguedValues;
  readonly catalogued?: CataloguedBy;
}

export interface CataloguedBy {
  readonly values: CataloguedValues;
  readonly agent?: string;
  readonly at?: Instant;
  readonly reason?: string;
}

/** Undefined for items that are neither pages nor snapshots. */
export async function readItemTrust(
  { items, search }: Pick<GarnerStore, 'items' | 'search'>,
  item: StoredItem,
  viewer: Viewer,
): Promise<ItemTrust | undefined> {
  if (!canBeCatalogued(item)) return undefined;
  const content = await items.findContent(item, {}, viewer);
  if (!content) return undefined;
  const isCapture = item.schema === webCapture.name;
  const record = isCapture ? parseCapture(content.bytes) : parseSnapshot(content.bytes);
  const { catalogued } = record;
  const said = catalogued && lastCataloguing(await items.listHistory(item, viewer), item.schema);
  const copied = isCapture ? await findCopiedTags(search, item, viewer) : undefined;
  return {
    judged: 'webCapture' in record ? judgedOf(record, copied?.reason) : [],
    stated: statedBy(
      'webCapture' in record ? record.described : { ...record.described, title: record.title },
    ),
    ...(catalogued && { catalogued: { values: catalogued, ...said } }),
  };
}

function judgedOf({ described }: WebCapture, copied: string | undefined): readonly JudgedValues[] {
  return (copied === undefined ? described : doubtTags(described, copied)).judged ?? [];
}

function statedBy(described: Readonly<Record<string, unknown>>): CataloguedValues {
  const { title } = described;
  const lists = CATALOGUED_LISTS.flatMap((name) => {
    const value = described[name];
    const values = (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string');
    return values.length > 0 ? [[name, values] as const] : [];
  });
  return { ...(typeof title === 'string' && { title }), ...Object.fromEntries(lists) };
}

function lastCataloguing(
  history: readonly VersionInfo[],
  format: string | undefined,
): Omit<CataloguedBy, 'values'> | undefined {
  const last = findLastCataloguing(history.filter((version) => version.format === format));
  const { agent, reason } = last?.event ?? {};
  return (
    last && {
      at: last.at,
      ...(agent !== undefined && { agent }),
      ...(reason !== undefined && { reason }),
    }
  );
}
