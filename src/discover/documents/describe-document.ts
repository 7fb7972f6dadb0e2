/** What a page or a paper says of itself: title, authors, abstract, identifiers, references. */
import type { ContentReading, Extracted } from '../../archive/content/index.ts';
import { fold } from '../../query/words.ts';
import { type FoundIdentifier, findIdentifiers } from './identifiers.ts';
import { findReferences, type Reference, withoutReferences } from './references.ts';

export interface AuthorPage {
  readonly url: string;
  readonly name?: string;
}

export interface DocumentFacts {
  readonly title?: string;
  readonly authors: readonly string[];
  readonly abstract?: string;
  /** Of the document itself, by its metadata. */
  readonly identifiers: readonly FoundIdentifier[];
  /** That it speaks of outside of its references. */
  readonly mentioned: readonly FoundIdentifier[];
  readonly references: readonly Reference[];
  readonly authorPages: readonly AuthorPage[];
}

const MOST_AUTHORS = 50;
const MOST_MENTIONED = 500;
const LONGEST_ABSTRACT = 5000;
/** A PDF without a title of its own begins with it. */
const HEAD_LINES = 12;

export function describeDocument(reading: ContentReading): DocumentFacts {
  const { extracted, links, text } = reading;
  const head = extracted.pdf ? readHead(text) : {};
  const title = usable(citation(extracted, 'title')[0]) ?? usable(extracted.title) ?? head.title;
  const authors = authorsOf(extracted);
  const names = authors.length > 0 ? authors : (head.authors ?? []);
  const abstract = abstractOf(reading);
  const identifiers = findIdentifiers(ownTexts(extracted).join('\n'));
  const own = new Set(identifiers.map(({ value }) => value));
  const said = [withoutReferences(text), ...links.map(({ url }) => url)].join('\n');
  const references = findReferences(text);
  const cited = new Set(references.flatMap((reference) => reference.identifiers.map(({ value }) => value)));
  return {
    ...(title !== undefined && { title }),
    authors: names,
    ...(abstract !== undefined && { abstract }),
    identifiers,
    mentioned: findIdentifiers(said)
      .filter(({ value }) => !own.has(value) && !cited.has(value))
      .slice(0, MOST_MENTIONED),
    references,
    authorPages: authorPagesOf(links, names),
  };
}

const citation = ({ citation: tags }: Extracted, name: string): string[] =>
  tags.filter((tag) => tag.name === name).map(({ value }) => value);

/** What word processors write for lack of a title. */
const JUNK_TITLE =
  /^(?:microsoft word\s*-|untitled|document\d*$|slide 1$|powerpoint|.*\.(?:docx?|tex|dvi|pdf|indd|qxd)$)/i;

function usable(title: string | undefined): string | undefined {
  const text = title?.replace(/\s+/g, ' ').trim();
  return text === undefined || text.length < 3 || JUNK_TITLE.test(text) ? undefined : text;
}

function ownTexts(extracted: Extracted): string[] {
  const meta = extracted.meta.filter(({ name }) =>
    /^(?:doi|dc\.identifier|prism\.doi|bepress_citation_doi)$/i.test(name),
  );
  const xmp = (extracted.pdf?.xmp ?? []).filter(({ name }) => /(?:doi|identifier)$/i.test(name));
  return [
    ...['doi', 'arxiv_id', 'isbn', 'author_orcid'].flatMap((name) =>
      citation(extracted, name).map(
        (value) => `${name === 'arxiv_id' ? 'arXiv:' : name === 'isbn' ? 'ISBN ' : ''}${value}`,
      ),
    ),
    ...extracted.dublinCore.filter(({ element }) => element === 'identifier').map(({ value }) => value),
    ...meta.map(({ content }) => content),
    ...xmp.map(({ value }) => value),
    ...extracted.jsonLd.flatMap((node) => textsOf(node.identifier)),
  ];
}

/** Of JSON-LD: a text, a list of them, or a node with a value or name. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsOf);
  if (typeof value !== 'object' || value === null) return [];
  if ('name' in value) return textsOf(value.name);
  return 'value' in value ? textsOf(value.value) : [];
}

function authorsOf(extracted: Extracted): string[] {
  const meta = extracted.meta.filter(({ name }) => /^(?:author|dc\.creator)$/i.test(name));
  const info = (extracted.pdf?.info ?? []).filter(({ name }) => name === 'Author');
  const xmp = (extracted.pdf?.xmp ?? []).filter(({ name }) => name === 'dc:creator');
  const written = [
    ...citation(extracted, 'author'),
    ...citation(extracted, 'authors'),
    ...extracted.dublinCore.filter(({ element }) => element === 'creator').map(({ value }) => value),
    ...meta.map(({ content }) => content),
    ...extracted.jsonLd.flatMap((node) => [...textsOf(node.author), ...textsOf(node.creator)]),
    ...xmp.map(({ value }) => value),
    ...info.map(({ value }) => value),
  ];
  return distinct(written.flatMap(splitNames)).slice(0, MOST_AUTHORS);
}

/** `Ann Lee and Bo Chen`, `Lee, A.; Chen, B.`, `Ann Lee, Bo Chen`; `Lee, Ann` is one name. */
export function splitNames(text: string): string[] {
  const parts = text.split(/;|\s+and\s+|\s*&\s*/).flatMap((part) => {
    const names = part.split(/,\s*/).filter((name) => name.trim() !== '');
    return names.length > 1 && names.every((name) => /\S\s+\S/.test(name.trim())) ? names : [part];
  });
  return parts.map((part) => part.replace(/[\s\d*†‡§¶,]+$/, '').trim()).filter((part) => part.length > 1);
}

/** Same names in other spellings of case are one. */
function distinct(names: readonly string[]): string[] {
  const byFold = new Map<string, string>();
  for (const name of names) if (!byFold.has(fold(name))) byFold.set(fold(name), name);
  return [...byFold.values()];
}

const NAME = /^(?:\p{Lu}[\p{L}'’.-]*\s+){1,3}\p{Lu}[\p{L}'’-]+$/u;

/** The first lines of a paper: its title, and below it the names. */
function readHead(text: string): { title?: string; authors?: string[] } {
  const lines = text
    .split(/[\n\f]+/, HEAD_LINES * 3)
    .map((line) => line.replace(/\s+/g, ' ').trim())
    .filter((line) => line !== '')
    .slice(0, HEAD_LINES);
  const at = lines.findIndex(
    (line) => line.split(' ').length >= 3 && /\p{L}{3}/u.test(line) && !/https?:|@|^\d/.test(line),
  );
  const title = usable(lines[at]);
  if (at < 0 || title === undefined) return {};
  for (const line of lines.slice(at + 1, at + 4)) {
    const names = splitNames(line);
    if (names.length > 0 && names.every((name) => NAME.test(name))) return { title, authors: names };
  }
  return { title };
}

function abstractOf({ extracted, text }: ContentReading): string | undefined {
  const described = [
    ...citation(extracted, 'abstract'),
    ...extracted.meta
      .filter(({ name }) => /^(?:abstract|description)$/i.test(name))
      .map(({ content }) => content),
    ...extracted.dublinCore
      .filter(({ element }) => element === 'description' || element === 'abstract')
      .map(({ value }) => value),
    ...extracted.openGraph.filter(({ name }) => name === 'og:description').map(({ value }) => value),
  ];
  const written =
    /(?:^|\n)\s*abstract\s*[.:—–-]?\s*\n?([\s\S]*?)(?=\n\s*(?:\d\.?\s*)?(?:introduction|key\s?words|index terms)\b|\f|$)/i.exec(
      text.slice(0, 20_000),
    )?.[1];
  const abstract = [
    ...(written === undefined || written.trim().length < 80 ? [] : [written]),
    ...described,
  ].find((one) => one.trim().length > 0);
  return abstract?.replace(/\s+/g, ' ').trim().slice(0, LONGEST_ABSTRACT);
}

function authorPagesOf(links: ContentReading['links'], names: readonly string[]): AuthorPage[] {
  const wanted = new Map(names.map((name) => [fold(name), name]));
  const pages = new Map<string, AuthorPage>();
  for (const { url, kind, rel, anchor } of links) {
    if (kind !== 'page' || !/^https?:/.test(url)) continue;
    const name = wanted.get(fold(anchor ?? '').trim());
    const isAuthor = name !== undefined || /(?:^|\s)author(?:\s|$)/i.test(rel ?? '');
    if (isAuthor && !pages.has(url)) pages.set(url, { url, ...(name !== undefined && { name }) });
  }
  return [...pages.values()].slice(0, MOST_AUTHORS);
}
