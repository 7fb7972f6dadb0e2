/** MODS 3.7 of a captured web site and of its pages: the elements that libraries use for them, and no others. */
import { rawXml, xml } from '../xml/write.ts';
import type { CataloguedElement } from './catalogued.ts';
import { bibliographicCode } from './language-codes.ts';

export const MODS = {
  namespace: 'http://www.loc.gov/mods/v3',
  schema: 'http://www.loc.gov/standards/mods/v3/mods-3-7.xsd',
  version: '3.7',
} as const;

/** What may be said of either; mostly by people. */
export interface ModsStatements {
  readonly abstracts?: readonly string[];
  readonly topics?: readonly string[];
  readonly places?: readonly string[];
  readonly names?: readonly string[];
  readonly publishers?: readonly string[];
  /** Beside `Web site` or `Web page`. */
  readonly genres?: readonly string[];
  /** ISO 8601. */
  readonly issued?: readonly string[];
  /** Language tags (BCP 47). */
  readonly languages?: readonly string[];
  readonly rights?: readonly string[];
  readonly notes?: readonly ModsNote[];
  /** The name of the list that a value was taken from. */
  readonly authorityOf?: (element: CataloguedElement, value: string) => string | undefined;
}

export interface ModsNote {
  readonly type: string;
  readonly text: string;
}

export interface SiteDescription extends ModsStatements {
  readonly title: string;
  /** `Web site`, or what else is described as a whole. */
  readonly genre: string;
  /** First and last capture. */
  readonly captured?: { readonly startAt: number; readonly endAt: number };
  readonly mediaTypes: readonly string[];
  /** The collection that it is a part of. */
  readonly host?: { readonly title: string; readonly uri: string };
  /** Where it can be seen. */
  readonly archived?: string;
}

export interface PageDescription extends ModsStatements {
  readonly title: string;
  readonly capturedAt: number;
  readonly url: string;
  /** Bytes. */
  readonly size?: number;
}

/** ISO 8601 in its basic form, as in the names of captures. */
const basicTime = (at: number): string => new Date(at).toISOString().replace(/[-:]|\.\d+/g, '');
const basicDay = (at: number): string => basicTime(at).slice(0, 8);

/** One element without namespace declarations; the prefix `mods` must be bound. */
export function writeSiteMods(site: SiteDescription): string {
  const { captured, mediaTypes, host, archived } = site;
  return wrap([
    writeTitle(site.title),
    writeNames(site),
    xml`<mods:genre>${site.genre}</mods:genre>`,
    writeGenres(site),
    captured ? writeOrigin(captured.startAt, captured.endAt) : '',
    writePublication(site),
    writeLanguages(site),
    mediaTypes.length === 0
      ? ''
      : xml`<mods:physicalDescription>${rawXml(mediaTypes.map((type) => xml`<mods:internetMediaType>${type}</mods:internetMediaType>`))}</mods:physicalDescription>`,
    writeContents(site),
    host
      ? xml`<mods:relatedItem type="host">${rawXml(writeTitle(host.title))}<mods:identifier type="uri">${host.uri}</mods:identifier></mods:relatedItem>`
      : '',
    archived === undefined
      ? ''
      : xml`<mods:identifier displayLabel="Archived site" type="uri">${archived}</mods:identifier>`,
    writeRightsAndNotes(site),
  ]);
}

/** One element without namespace declarations; the prefix `mods` must be bound. */
export function writePageMods(page: PageDescription): string {
  const { title, capturedAt, url, size } = page;
  return wrap([
    writeTitle(title),
    writeNames(page),
    xml`<mods:originInfo><mods:dateCaptured encoding="iso8601">${basicTime(capturedAt)}</mods:dateCaptured></mods:originInfo>`,
    xml`<mods:identifier type="uri">${url}</mods:identifier>`,
    size === undefined
      ? ''
      : xml`<mods:physicalDescription><mods:extent>${size} bytes</mods:extent></mods:physicalDescription>`,
    '<mods:genre>Web page</mods:genre>',
    writeGenres(page),
    writePublication(page),
    writeLanguages(page),
    writeContents(page),
    writeRightsAndNotes(page),
  ]);
}

/** The element as a document of its own. */
export const modsDocument = (element: string): string =>
  element.replace(
    /^<mods:mods/,
    `$& xmlns:mods="${MODS.namespace}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="${MODS.namespace} ${MODS.schema}"`,
  );

const wrap = (parts: readonly string[]): string =>
  `<mods:mods version="${MODS.version}">${parts.join('')}</mods:mods>`;

const writeTitle = (title: string): string =>
  xml`<mods:titleInfo><mods:title>${title}</mods:title></mods:titleInfo>`;

function writeOrigin(startAt: number, endAt: number): string {
  const [start, end] = [basicDay(startAt), basicDay(endAt)];
  const date = (day: string, point: string): string =>
    `<mods:dateCaptured encoding="iso8601"${point}>${day}</mods:dateCaptured>`;
  return `<mods:originInfo>${
    start === end ? date(start, '') : date(start, ' point="start"') + date(end, ' point="end"')
  }</mods:originInfo>`;
}

const authorityAttribute = (
  { authorityOf }: ModsStatements,
  element: CataloguedElement,
  value: string,
): string => {
  const authority = authorityOf?.(element, value);
  return authority === undefined ? '' : xml` authority="${authority}"`;
};

const writeNames = (said: ModsStatements): string =>
  (said.names ?? [])
    .map(
      (name) =>
        xml`<mods:name${rawXml(authorityAttribute(said, 'creator', name))}><mods:namePart>${name}</mods:namePart><mods:role><mods:roleTerm type="code" authority="marcrelator">cre</mods:roleTerm></mods:role></mods:name>`,
    )
    .join('');

const writeGenres = (said: ModsStatements): string =>
  (said.genres ?? [])
    .map((genre) => xml`<mods:genre${rawXml(authorityAttribute(said, 'genre', genre))}>${genre}</mods:genre>`)
    .join('');

function writePublication({ publishers = [], issued = [] }: ModsStatements): string {
  if (publishers.length + issued.length === 0) return '';
  return xml`<mods:originInfo>${rawXml(
    publishers.map((name) => xml`<mods:publisher>${name}</mods:publisher>`),
    issued.map((date) => xml`<mods:dateIssued encoding="w3cdtf">${date}</mods:dateIssued>`),
  )}</mods:originInfo>`;
}

const writeLanguages = ({ languages = [] }: ModsStatements): string => languages.map(writeLanguage).join('');

function writeContents(said: ModsStatements): string {
  const { abstracts = [], topics = [], places = [] } = said;
  const term = (name: 'topic' | 'geographic', element: CataloguedElement, text: string): string =>
    xml`<mods:${rawXml(name)}${rawXml(authorityAttribute(said, element, text))}>${text}</mods:${rawXml(name)}>`;
  return [
    ...abstracts.map((text) => xml`<mods:abstract>${text}</mods:abstract>`),
    topics.length + places.length === 0
      ? ''
      : xml`<mods:subject>${rawXml(
          topics.map((topic) => term('topic', 'subject', topic)),
          places.map((place) => term('geographic', 'place', place)),
        )}</mods:subject>`,
  ].join('');
}

const writeRightsAndNotes = ({ rights = [], notes = [] }: ModsStatements): string =>
  [
    ...rights.map(
      (text) => xml`<mods:accessCondition type="use and reproduction">${text}</mods:accessCondition>`,
    ),
    ...notes.map(({ type, text }) => xml`<mods:note type="${type}">${text}</mods:note>`),
  ].join('');

function writeLanguage(tag: string): string {
  const code = bibliographicCode(tag);
  return xml`<mods:language><mods:languageTerm type="code" authority="${code ? 'iso639-2b' : 'rfc5646'}">${code ?? tag}</mods:languageTerm></mods:language>`;
}
