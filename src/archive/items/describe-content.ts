/**
 * What a page says of itself, made for searching: each element from the places where pages state it, as far as
 * they may be believed. Values that may not are kept beside, with the reasons.
 */
import { hash } from 'node:crypto';
import type { JudgedElement, JudgedValues, WebCapture } from '../../formats/web-capture.ts';
import { foldValue, splitWords } from '../../query/words.ts';
import type { ContentReading, Extracted } from '../content/index.ts';
import { judgeClaim } from '../trust/judge.ts';
import { type JudgedPage, wordsOfText } from '../trust/judged-page.ts';

/** Of each kind of value. */
const MAX_VALUES = 50;
const MAX_VALUE_LENGTH = 4000;
/** Fewer words of description and keywords may be the same by chance. */
const LEAST_TAG_WORDS = 8;

type Description = Omit<WebCapture['described'], 'type'>;
type ListElement = Exclude<JudgedElement, 'title' | 'date'>;

export interface DescribedContent {
  readonly url: string;
  readonly capturedAt: number;
  readonly reading: ContentReading;
}

export function describeContent(content: DescribedContent): Description {
  const { reading } = content;
  const stated = readStatements(reading);
  const judging = new Judging({ ...content, text: wordsOfText(reading.text, reading.extracted.wordCount) });
  const title = judging.chooseOne('title', stated.titles, firstHeading(reading.extracted));
  const published = judging.keepOf('date', stated.published);
  const modified = judging.keepOf('date', stated.modified);
  const date = published[0] ?? judging.keepOf('date', stated.created)[0] ?? modified[0];
  const lists: { [Element in ListElement]?: readonly string[] } = {};
  for (const element of ['description', 'creator', 'publisher', 'subject', 'language'] as const) {
    const kept = judging.keepAll(element, stated[element]);
    if (kept.length > 0) lists[element] = kept;
  }
  const tagDigest = digestTags(stated.description, stated.subject);
  return {
    mediaType: reading.type.type,
    ...(title !== undefined && { title }),
    ...lists,
    ...(date !== undefined && { date }),
    ...(published.length > 0 && { published }),
    ...(modified.length > 0 && { modified }),
    ...(stated.rights.length > 0 && { rights: stated.rights }),
    ...(judging.judged.length > 0 && { judged: judging.judged }),
    ...(tagDigest !== undefined && { tagDigest }),
  };
}

class Judging {
  readonly #page: JudgedPage;
  readonly judged: JudgedValues[] = [];

  constructor(page: JudgedPage) {
    this.#page = page;
  }

  /** The first that may be believed; when there was one, but none may be, what takes their place. */
  chooseOne(
    element: JudgedElement,
    values: readonly string[],
    instead: string | undefined,
  ): string | undefined {
    for (const value of values) if (this.#isBelieved(element, [value])) return value;
    return values.length > 0 ? instead : undefined;
  }

  /** Each value is judged by itself. */
  keepOf(element: JudgedElement, values: readonly string[]): string[] {
    return values.filter((value) => this.#isBelieved(element, [value]));
  }

  /** All or none. */
  keepAll(element: JudgedElement, values: readonly string[]): readonly string[] {
    return this.#isBelieved(element, values) ? values : [];
  }

  #isBelieved(element: JudgedElement, values: readonly string[]): boolean {
    const known = this.judged.find(
      (one) => one.element === element && one.values.join('\n') === values.join('\n'),
    );
    const judged = known ?? judgeClaim({ element, values }, this.#page);
    if (judged && !known) this.judged.push(judged);
    return judged?.verdict !== 'doubtful';
  }
}

function readStatements({ extracted }: ContentReading) {
  const meta = (...names: string[]): string[] =>
    extracted.meta
      .filter(({ attribute, name }) => attribute === 'name' && names.includes(name.toLowerCase()))
      .map(({ content }) => content);
  const dc = (element: string): string[] =>
    extracted.dublinCore.filter((value) => value.element === element).map(({ value }) => value);
  const graph = (name: string): string[] =>
    extracted.openGraph.filter((value) => value.name === name).map(({ value }) => value);
  const cited = (name: string): string[] =>
    extracted.citation.filter((value) => value.name === name).map(({ value }) => value);
  const dates = (meaning: string): string[] =>
    distinct(extracted.dates.filter((date) => date.meaning === meaning).map(({ value }) => value));
  const info = (name: string): string[] =>
    (extracted.pdf?.info ?? []).filter((value) => value.name === name).map(({ value }) => value);
  return {
    titles: distinct([extracted.title ?? '', ...graph('og:title'), ...dc('title'), ...cited('title')]),
    description: distinct([
      ...meta('description', 'abstract'),
      ...dc('description'),
      ...graph('og:description'),
    ]),
    creator: distinct([...meta('author'), ...dc('creator'), ...cited('author'), ...info('Author')]),
    publisher: distinct([...dc('publisher'), ...cited('publisher'), ...graph('og:site_name')]),
    subject: distinct(
      [...meta('keywords'), ...dc('subject'), ...info('Keywords')].flatMap((words) => words.split(/[,;]/)),
    ),
    published: dates('published'),
    created: dates('created'),
    modified: dates('modified'),
    language: distinct(extracted.languages.map(({ value }) => value.toLowerCase())),
    rights: distinct([
      ...extracted.licences.flatMap(({ url, text }) => [url ?? text ?? '']),
      ...dc('rights'),
    ]),
  };
}

/** For a page whose title is none. */
const firstHeading = ({ headings }: Extracted): string | undefined =>
  headings.find(({ level }) => level === 1)?.text;

function distinct(values: readonly string[]): string[] {
  const trimmed = values.map((value) => value.replace(/\s+/g, ' ').trim().slice(0, MAX_VALUE_LENGTH));
  return [...new Set(trimmed)].filter((value) => value !== '').slice(0, MAX_VALUES);
}

function digestTags(description: readonly string[], subject: readonly string[]): string | undefined {
  const text = foldValue([...description, ...subject].join('\n'));
  return splitWords(text).length < LEAST_TAG_WORDS ? undefined : hash('sha256', text, 'hex').slice(0, 32);
}
