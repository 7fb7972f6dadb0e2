/**
 * Which of the things that a page says of itself are taken into its catalogue record. What a curator says stands
 * instead; what is not believed is left out, and a note says so.
 */
import { doubtTags } from '../../archive/trust/copied-tags.ts';
import { type Authorities, authorityOf, type CataloguedValues } from '../../formats/catalogued.ts';
import type { ModsNote, ModsStatements, PageDescription, SiteDescription } from '../../formats/mods-write.ts';
import type { JudgedValues } from '../../formats/web-capture.ts';
import type { ModelFile, SiteFacts } from '../site-model/model-types.ts';
import type { PackageContext, RepositoryEvent } from './package-context.ts';

/** Chooses the descriptive metadata of a page; whoever knows better than the page itself takes this place. */
export type DescribePage = (page: ModelFile) => PageDescription;

/** What a curator said of the item that is packed, and the lists that the words are of. */
export interface Catalogued {
  readonly values: CataloguedValues;
  readonly authorities: Authorities;
  /** The last time, with who and why. */
  readonly event?: Pick<RepositoryEvent, 'at' | 'agent' | 'detail'> | undefined;
}

export const describePage: DescribePage = ({ url, title, capturedAt, size, described }) => ({
  title: title ?? url,
  capturedAt,
  url,
  ...(size !== undefined && { size }),
  ...notesOf(described?.judged),
});

/** The same by whoever catalogued the page: it is the item itself. */
export const describeCataloguedPage =
  (catalogued: Catalogued): DescribePage =>
  (page) => ({
    ...describePage(page),
    ...statementsOf(catalogued, describePage(page).notes),
    ...(catalogued.values.title !== undefined && { title: catalogued.values.title }),
  });

/** Without what it took from another site, as far as that is known. */
export function withoutCopied(page: ModelFile, copied: PackageContext['copied']): ModelFile {
  if (!copied || copied.page !== page.url || !page.described) return page;
  return { ...page, described: doubtTags(page.described, copied.reason) };
}

/** The site speaks through its entry page, where nobody speaks for it. */
export function describeSite(
  facts: SiteFacts,
  entry: ModelFile | undefined,
  catalogued: Catalogued,
): Omit<SiteDescription, 'host' | 'archived'> {
  const { startedAt, endedAt = startedAt } = facts;
  const { described } = entry ?? {};
  return {
    genre: 'Web site',
    ...(startedAt !== undefined &&
      endedAt !== undefined && { captured: { startAt: startedAt, endAt: endedAt } }),
    languages: facts.languages,
    mediaTypes: facts.mediaTypes,
    abstracts: described?.description?.slice(0, 1) ?? [],
    topics: described?.subject ?? [],
    ...statementsOf(
      catalogued,
      notesOf(described?.judged?.filter(({ element }) => element !== 'title')).notes,
    ),
    title: catalogued.values.title ?? facts.title,
  };
}

/** Only what was said, so that it can be laid over what was found. */
function statementsOf(
  { values, authorities, event }: Catalogued,
  doubts: readonly ModsNote[] = [],
): ModsStatements {
  const notes = [...doubts, ...(event ? [cataloguingNote(event)] : [])];
  const { description, subject, place, creator, publisher, genre, date, language, rights } = values;
  return {
    ...(description && { abstracts: description }),
    ...(subject && { topics: subject }),
    ...(place && { places: place }),
    ...(creator && { names: creator }),
    ...(publisher && { publishers: publisher }),
    ...(genre && { genres: genre }),
    ...(date && { issued: date }),
    ...(language && { languages: language }),
    ...(rights && { rights }),
    ...(notes.length > 0 && { notes }),
    authorityOf: (element, value) => authorityOf(authorities, element, value),
  };
}

const cataloguingNote = ({
  at,
  agent = 'a curator',
  detail,
}: NonNullable<Catalogued['event']>): ModsNote => ({
  type: 'cataloguing',
  text: `Described by ${agent} on ${new Date(at).toISOString().slice(0, 10)}: ${detail}`,
});

function notesOf(judged: readonly JudgedValues[] = []): { readonly notes?: readonly ModsNote[] } {
  const notes = judged
    .filter(({ verdict }) => verdict === 'doubtful')
    .map(({ element, values, score, doubts }) => ({
      type: `doubtful ${element}`,
      text: `Left out: "${values.join('; ')}", since ${doubts.map(({ reason }) => reason).join('; ')} (trust ${score}).`,
    }));
  return notes.length > 0 ? { notes } : {};
}
