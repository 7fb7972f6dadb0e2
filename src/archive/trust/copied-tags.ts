/**
 * Description and keywords that another site had first: who came later took them along. Which pages share their
 * tags is known only when both are in the store, so it is looked up when it matters, not when a page comes in.
 */
import type { Viewer } from '../../core/access.ts';
import type { Fields } from '../../core/model.ts';
import type { WebCapture } from '../../formats/web-capture.ts';
import type { GarnerStore, StoredItem } from '../../store/index.ts';
import { siteOf } from './judged-page.ts';

type Described = WebCapture['described'];
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

const COPIED_SCORE = 0.4;
const TAGS = ['description', 'subject'] as const;

/** The tags are kept as what is doubtful, and are not used. */
export function doubtTags(described: Described, reason: string): Described {
  const doubt = { rule: 'copied-tags', reason };
  const judged = [...(described.judged ?? [])];
  for (const element of TAGS) {
    const place = judged.findIndex((one) => one.element === element);
    const known = judged[place];
    const values = described[element];
    if (known?.doubts.some(({ rule }) => rule === doubt.rule)) continue;
    if (known)
      judged[place] = {
        ...known,
        score: Number((known.score * COPIED_SCORE).toFixed(2)),
        verdict: 'doubtful',
        doubts: [...known.doubts, doubt],
      };
    else if (values)
      judged.push({ element, values, score: COPIED_SCORE, verdict: 'doubtful', doubts: [doubt] });
  }
  const { description: _, subject: __, ...rest } = described;
  return { ...rest, judged };
}

/** ISO 8601 in UTC: texts in the order of time. */
function capturedAt(fields: Fields): string {
  const [captured] = fields.captured ?? [];
  return typeof captured === 'string' ? captured : '';
}
