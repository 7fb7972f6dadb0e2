/** A search as an Atom feed (RFC 4287), newest first, in pages (RFC 5005) and with OpenSearch's numbers. */
import { itemPath } from '../../core/identifiers.ts';
import type { FieldValue } from '../../core/model.ts';
import { formatOai } from '../../core/time.ts';
import type { Hit } from '../../store/index.ts';
import { rawXml, xml } from '../../xml/write.ts';

export interface AtomFeed {
  readonly title: string;
  /** Without a slash at the end. */
  readonly baseUrl: string;
  readonly author: { readonly name: string; readonly email: string };
  readonly version: string;
  /** The address of a page of this feed, from 1. */
  readonly pageUrl: (page: number) => string;
  /** The same search in the portal. */
  readonly searchUrl: string;
  readonly page: number;
  readonly pageSize: number;
  readonly total: number;
  /** Pages behind this one cannot be asked for. */
  readonly lastPage: number;
  readonly hits: readonly Hit[];
}

export const ATOM_TYPE = 'application/atom+xml; charset=utf-8';

const SUMMARY_CHARACTERS = 600;
/** Of an empty feed: RFC 4287 wants some moment, and it should not change at every look. */
const NEVER = 0;

export function writeAtom(feed: AtomFeed): string {
  const { page, pageSize, total, hits, pageUrl } = feed;
  const lastPage = Math.max(1, Math.min(feed.lastPage, Math.ceil(total / pageSize)));
  const links = [
    link('self', pageUrl(page), ATOM_TYPE),
    link('alternate', feed.searchUrl, 'text/html'),
    link('first', pageUrl(1), ATOM_TYPE),
    ...(page > 1 ? [link('previous', pageUrl(page - 1), ATOM_TYPE)] : []),
    ...(page < lastPage ? [link('next', pageUrl(page + 1), ATOM_TYPE)] : []),
    link('last', pageUrl(lastPage), ATOM_TYPE),
  ];
  const updatedAt = hits.reduce((newest, hit) => Math.max(newest, hit.updatedAt), NEVER);
  return xml`<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/">
<id>${pageUrl(1)}</id>
<title>${feed.title}</title>
<updated>${formatOai(updatedAt)}</updated>
<author><name>${feed.author.name}</name><email>${feed.author.email}</email></author>
<generator version="${feed.version}">Garner</generator>
${rawXml(links.join('\n'))}
<opensearch:totalResults>${total}</opensearch:totalResults>
<opensearch:startIndex>${(page - 1) * pageSize + 1}</opensearch:startIndex>
<opensearch:itemsPerPage>${pageSize}</opensearch:itemsPerPage>
${rawXml(hits.map((hit) => writeEntry(hit, feed.baseUrl)))}</feed>
`;
}

const link = (rel: string, href: string, type: string): string =>
  xml`<link rel="${rel}" href="${href}" type="${type.split(';')[0]}"/>`;

function writeEntry(hit: Hit, baseUrl: string): string {
  const page = baseUrl + itemPath(hit.source, hit.identifier);
  const texts = (name: string): string[] => (hit.fields[name] ?? []).filter(isText).map(tidy).filter(Boolean);
  const description = texts('description')[0];
  const parts = [
    xml`<id>${hit.oaiIdentifier}</id>`,
    xml`<title>${tidy(hit.title ?? '') || hit.identifier}</title>`,
    xml`<updated>${formatOai(hit.updatedAt)}</updated>`,
    ...texts('creator').map((name) => xml`<author><name>${name}</name></author>`),
    link('alternate', page, 'text/html'),
    link('describedby', `${page}?format=oai_dc`, 'text/xml'),
    ...texts('subject').map((term) => xml`<category term="${term}"/>`),
    ...(description === undefined ? [] : [xml`<summary>${shorten(description)}</summary>`]),
  ];
  return `<entry>\n${parts.join('\n')}\n</entry>\n`;
}

const isText = (value: FieldValue): value is string => typeof value === 'string';

/** Line breaks in a title or a name mean nothing. */
const tidy = (text: string): string => text.replace(/\s+/g, ' ').trim();

function shorten(text: string): string {
  if (text.length <= SUMMARY_CHARACTERS) return text;
  const cut = text
    .slice(0, SUMMARY_CHARACTERS)
    .toWellFormed()
    .replace(/\uFFFD$/, '');
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), SUMMARY_CHARACTERS / 2))} …`;
}
