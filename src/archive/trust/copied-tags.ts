/**
 * Description and keywords that another site had first: who came later took them along. Which pages share their
 * tags is known only when both are in the store, so it is looked up when it matters, not when a page comes in.
 */
import type { Viewer } from '../../core/access.ts';
import type { Fields } from '../../core/model.ts';
import type { GarnerStore, StoredItem } from '../../store/index.ts';
import { siteOf } from './judged-page.ts';

type Search = Pick<GarnerStore['search'], 'search'>;
type TaggedItem = Pick<StoredItem, 'identifier' | 'fields'>;

export interface CopiedTags {
  /** The page that had them before. */
  readonly url: string;
  readonly reason: string;
}

/** The viewer must not learn of pages that he may not see. */
export async function findCopiedTags(
  search: Search,
  { identifier, fields }: TaggedItem,
  viewer: Viewer,
): Promise<CopiedTags | undefined> {
  const [digest] = fields.tagDigest ?? [];
  const site = siteOf(identifier);
  if (typeof digest !== 'string' || site === undefined) return undefined;
  const { hits } = await search.search(
    {
      query: { type: 'value', field: 'tagDigest', value: digest },
      sort: { by: 'captured', direction: 'asc' },
      fields: ['captured'],
      limit: 1,
    },
    viewer,
  );
  const before = hits.find((hit) => capturedAt(hit.fields) < capturedAt(fields));
  if (!before || (siteOf(before.identifier) ?? site) === site) return undefined;
  const day = capturedAt(before.fields).slice(0, 10);
  return {
    url: before.identifier,
    reason: `description and keywords are word by word those of ${before.identifier}, captured ${day}`,
  };
}

/** ISO 8601 in UTC: texts in the order of time. */
function capturedAt(fields: Fields): string {
  const [captured] = fields.captured ?? [];
  return typeof captured === 'string' ? captured : '';
}
