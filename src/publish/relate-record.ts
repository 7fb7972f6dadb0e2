/** Relations that follow from what else is in the store, beside those that a record tells itself. */
import type { Viewer } from '../core/access.ts';
import type { Fields } from '../core/model.ts';
import type { DublinCore } from '../formats/format.ts';

/**
 * Undefined at once where the fields tell that there can be none. `before`: the store's number of the item; only those
 * that came before it are told. In OAI-PMH a record must not change without its datestamp, so of two that belong
 * together the later one names the other.
 */
export type RelateRecord = (
  fields: Fields,
  viewer: Viewer,
  before?: number,
) => Promise<readonly string[]> | undefined;

export function withRelations(dublinCore: DublinCore, related: readonly string[]): DublinCore {
  if (related.length === 0) return dublinCore;
  return { ...dublinCore, relation: [...new Set([...(dublinCore.relation ?? []), ...related])] };
}
