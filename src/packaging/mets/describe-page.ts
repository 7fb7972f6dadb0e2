/** Which of the things that a page says of itself are taken into its catalogue record. */
import type { PageDescription, SiteDescription } from '../../formats/mods-write.ts';
import type { ModelFile, SiteFacts } from '../site-model/model-types.ts';

/** Chooses the descriptive metadata of a page; whoever knows better than the page itself takes this place. */
export type DescribePage = (page: ModelFile) => PageDescription;

export const describePage: DescribePage = ({ url, title, capturedAt, size }) => ({
  title: title ?? url,
  capturedAt,
  url,
  ...(size !== undefined && { size }),
});

/** The site speaks through its entry page. */
export function describeSite(
  facts: SiteFacts,
  entry: ModelFile | undefined,
): Omit<SiteDescription, 'host' | 'archived'> {
  const { startedAt, endedAt = startedAt } = facts;
  return {
    title: facts.title,
    genre: 'Web site',
    ...(startedAt !== undefined &&
      endedAt !== undefined && { captured: { startAt: startedAt, endAt: endedAt } }),
    languages: facts.languages,
    mediaTypes: facts.mediaTypes,
    abstracts: entry?.described?.description?.slice(0, 1) ?? [],
    topics: entry?.described?.subject ?? [],
    places: [],
  };
}
