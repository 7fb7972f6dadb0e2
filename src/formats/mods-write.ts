/** MODS 3.7 of a captured web site and of its pages: the elements that libraries use for them, and no others. */
import { rawXml, xml } from '../xml/write.ts';
import { bibliographicCode } from './language-codes.ts';

export const MODS = {
  namespace: 'http://www.loc.gov/mods/v3',
  schema: 'http://www.loc.gov/standards/mods/v3/mods-3-7.xsd',
  version: '3.7',
} as const;

export interface SiteDescription {
  readonly title: string;
  /** `Web site`, or what else is described as a whole. */
  readonly genre: string;
  /** First and last capture. */
  readonly captured?: { readonly startAt: number; readonly endAt: number };
  /** Language tags (BCP 47). */
  readonly languages: readonly string[];
  readonly mediaTypes: readonly string[];
  readonly abstracts: readonly string[];
  readonly topics: readonly string[];
  readonly places: readonly string[];
  /** The collection that it is a part of. */
  readonly host?: { readonly title: string; readonly uri: string };
  /** Where it can be seen. */
  readonly archived?: string;
}

export interface PageDescription {
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
  const { captured, languages, mediaTypes, topics, places, host, archived } = site;
  return wrap([
    writeTitle(site.title),
    xml`<mods:genre>${site.genre}</mods:genre>`,
    captured ? writeOrigin(captured.startAt, captured.endAt) : '',
    ...languages.map(writeLanguage),
    mediaTypes.length === 0
      ? ''
      : xml`<mods:physicalDescription>${rawXml(mediaTypes.map((type) => xml`<mods:internetMediaType>${type}</mods:internetMediaType>`))}</mods:physicalDescription>`,
    ...site.abstracts.map((text) => xml`<mods:abstract>${text}</mods:abstract>`),
    topics.length + places.length === 0
      ? ''
      : xml`<mods:subject>${rawXml(topics.map((topic) => xml`<mods:topic>${topic}</mods:topic>`))}${rawXml(places.map((place) => xml`<mods:geographic>${place}</mods:geographic>`))}</mods:subject>`,
    host
      ? xml`<mods:relatedItem type="host">${rawXml(writeTitle(host.title))}<mods:identifier type="uri">${host.uri}</mods:identifier></mods:relatedItem>`
      : '',
    archived === undefined
      ? ''
      : xml`<mods:identifier displayLabel="Archived site" type="uri">${archived}</mods:identifier>`,
  ]);
}

/** One element without namespace declarations; the prefix `mods` must be bound. */
export function writePageMods({ title, capturedAt, url, size }: PageDescription): string {
  return wrap([
    writeTitle(title),
    xml`<mods:originInfo><mods:dateCaptured encoding="iso8601">${basicTime(capturedAt)}</mods:dateCaptured></mods:originInfo>`,
    xml`<mods:identifier type="uri">${url}</mods:identifier>`,
    size === undefined
      ? ''
      : xml`<mods:physicalDescription><mods:extent>${size} bytes</mods:extent></mods:physicalDescription>`,
    '<mods:genre>Web page</mods:genre>',
  ]);
}

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

function writeLanguage(tag: string): string {
  const code = bibliographicCode(tag);
  return xml`<mods:language><mods:languageTerm type="code" authority="${code ? 'iso639-2b' : 'rfc5646'}">${code ?? tag}</mods:languageTerm></mods:language>`;
}
