/** Dates that a capture tells of itself, each with its origin. Which of them to believe is for others to say. */
import { normaliseDate } from '../../../core/time.ts';
import type { FoundDate, JsonObject, JsonValue, MetaTag } from './extracted.ts';

type Meaning = FoundDate['meaning'];

export function foundDate(written: string, meaning: Meaning, origin: string): FoundDate | undefined {
  const value = normaliseDate(written);
  return value === undefined ? undefined : { value, written: written.trim().slice(0, 64), meaning, origin };
}

const MEANING_BY_META: Readonly<Record<string, Meaning>> = {
  'article:published_time': 'published',
  'article:modified_time': 'modified',
  'og:updated_time': 'modified',
  'og:published_time': 'published',
  date: 'published',
  pubdate: 'published',
  publishdate: 'published',
  'publication-date': 'published',
  publication_date: 'published',
  datepublished: 'published',
  datemodified: 'modified',
  datecreated: 'created',
  created: 'created',
  'creation-date': 'created',
  creation_date: 'created',
  'last-modified': 'modified',
  lastmodified: 'modified',
  modified: 'modified',
  revised: 'modified',
  'dc.date': 'published',
  'dc.date.created': 'created',
  'dc.date.issued': 'published',
  'dc.date.modified': 'modified',
  'dcterms.created': 'created',
  'dcterms.issued': 'published',
  'dcterms.date': 'published',
  'dcterms.modified': 'modified',
  'dcterms.available': 'published',
  citation_date: 'published',
  citation_publication_date: 'published',
  citation_online_date: 'published',
  'sailthru.date': 'published',
};

export function dateOfMeta({ attribute, name, content }: MetaTag): FoundDate | undefined {
  const key = name
    .trim()
    .toLowerCase()
    .replace(/^(dc|dcterms|dct):/, '$1.')
    .replace(/^dct\./, 'dcterms.');
  const meaning = Object.hasOwn(MEANING_BY_META, key) ? MEANING_BY_META[key] : undefined;
  return (
    meaning && foundDate(content, meaning, `${attribute === 'http-equiv' ? 'http-equiv' : 'meta'} ${name}`)
  );
}

const MEANING_BY_PROPERTY: Readonly<Record<string, Meaning>> = {
  datePublished: 'published',
  dateModified: 'modified',
  dateCreated: 'created',
  uploadDate: 'published',
};

export function datesOfJsonLd(object: JsonObject): FoundDate[] {
  const dates: FoundDate[] = [];
  for (const [name, meaning] of Object.entries(MEANING_BY_PROPERTY)) {
    const value: JsonValue | undefined = Object.hasOwn(object, name) ? object[name] : undefined;
    const date = typeof value === 'string' ? foundDate(value, meaning, `json-ld ${name}`) : undefined;
    if (date) dates.push(date);
  }
  return dates;
}

/** A `time` element says what it means only by its neighbours: `itemprop`, or the old `pubdate`. */
export function dateOfTime(
  written: string,
  itemprop: string | undefined,
  pubdate: boolean,
): FoundDate | undefined {
  const named = itemprop !== undefined && Object.hasOwn(MEANING_BY_PROPERTY, itemprop);
  const meaning = named ? MEANING_BY_PROPERTY[itemprop] : pubdate ? 'published' : 'mentioned';
  return foundDate(written, meaning ?? 'mentioned', named ? `time ${itemprop}` : 'time');
}

/** `/2004/05/06/` and `/2004-05-06-title` in a path are the day of a post. */
const DAY_IN_PATH = /[/_-](19[89]\d|20\d\d)([/-])(0[1-9]|1[0-2])\2(0[1-9]|[12]\d|3[01])(?=[/_.-]|$)/;
const MONTH_IN_PATH = /\/(19[89]\d|20\d\d)\/(0[1-9]|1[0-2])(?=\/)/;

export function dateOfUrl(url: string): FoundDate | undefined {
  const path = URL.parse(url)?.pathname.slice(0, 2000) ?? '';
  const day = DAY_IN_PATH.exec(path);
  if (day) return foundDate(`${day[1]}-${day[3]}-${day[4]}`, 'published', 'url');
  const month = MONTH_IN_PATH.exec(path);
  return month ? foundDate(`${month[1]}-${month[2]}`, 'published', 'url') : undefined;
}
