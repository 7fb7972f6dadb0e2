/**
 * The one way to understand a capture: what it is, what it links to, what it says of itself, and its text.
 * Never throws for what the content is: what cannot be read is a problem in the answer.
 */
import { asGarnerError } from '../../core/errors.ts';
import type { RecordProblem } from '../../core/model.ts';
import { headerValue, headerValues } from '../read/header-list.ts';
import type { CaptureContent } from './capture-content.ts';
import { type Charset, detectCharset, type TextKind } from './charset.ts';
import { describeImage } from './image/describe-image.ts';
import { readImage } from './image/read-image.ts';
import { CONTENT_LIMITS, type ContentLimits } from './limits.ts';
import type { Link, LinkKind } from './link.ts';
import { addCssLinks } from './links/css-links.ts';
import { listHeaderLinks } from './links/header-links.ts';
import { addJsonLinks, jsonKindOf } from './links/json-links.ts';
import { LinkList } from './links/link-list.ts';
import { parseUrl } from './links/resolve.ts';
import { addScriptLinks } from './links/script-links.ts';
import { listSwfUrls } from './links/swf-links.ts';
import { openPageText } from './markup/page-text.ts';
import { type SourceText, sourceOf } from './markup/source-text.ts';
import { isCssType, isHtmlType, isJsonType, isScriptType, isXhtmlType, isXmlType } from './media-type.ts';
import {
  type ContentReading,
  type Extracted,
  type FoundDate,
  type FoundValue,
  NOTHING_EXTRACTED,
} from './metadata/extracted.ts';
import { dateOfUrl, foundDate } from './metadata/found-dates.ts';
import { countWords } from './metadata/plain-text.ts';
import type { PdfReader } from './pdf/pdf-reader.ts';
import { readXml } from './read-feed.ts';
import { type PageReading, readHtml } from './read-html.ts';
import { readHtmlLinks } from './read-links.ts';
import { describePdf } from './read-pdf.ts';
import { parseRobotsHeaders } from './robots-directives.ts';
import { sniffType } from './sniff.ts';

export interface ContentReader {
  /** Absent: PDF files are known and archived, but not read. */
  readonly pdf?: PdfReader;
  readonly limits?: ContentLimits;
  /** Neither metadata nor text of pages. */
  readonly linksOnly?: boolean;
}

export async function readContent(
  content: CaptureContent,
  reader: ContentReader = {},
): Promise<ContentReading> {
  const limits = reader.limits ?? CONTENT_LIMITS;
  const { headers = [] } = content;
  const declared = headerValue(headers, 'content-type');
  const type = sniffType(content.bytes, declared, content.url);
  let charset: Charset | undefined;
  let reading: PageReading;
  if (type.type === 'application/pdf') reading = await readPdf(content, reader.pdf);
  else {
    const kind = textKindOf(type.type);
    if (kind) charset = detectCharset(content.bytes, kind, declared);
    reading = charset
      ? readText(content, type.type, charset, limits, reader.linksOnly === true)
      : readBinary(content, type.type, limits);
  }
  const links = [...listHeaderLinks(content), ...reading.links];
  return {
    type,
    ...(charset && { charset }),
    links,
    robots: [...parseRobotsHeaders(headerValues(headers, 'x-robots-tag')), ...reading.robots],
    extracted: reader.linksOnly === true ? reading.extracted : withOutside(reading.extracted, content, links),
    text: reading.text,
    ...(reading.mainText !== undefined && { mainText: reading.mainText }),
    problems: reading.problems,
  };
}

function textKindOf(type: string): TextKind | undefined {
  if (isHtmlType(type)) return 'html';
  if (isXmlType(type)) return 'xml';
  if (isCssType(type)) return 'css';
  return isScriptType(type) || isJsonType(type) || type.startsWith('text/') ? 'text' : undefined;
}

const EMPTY: PageReading = { links: [], robots: [], extracted: NOTHING_EXTRACTED, text: '', problems: [] };

function readText(
  content: CaptureContent,
  type: string,
  charset: Charset,
  limits: ContentLimits,
  linksOnly: boolean,
): PageReading {
  const problems: RecordProblem[] = [];
  if (content.bytes.length > limits.bytes)
    problems.push({ code: 'content.cut', message: `only the first ${limits.bytes} bytes were read` });
  if (charset.refused !== undefined)
    problems.push({ code: 'content.charset', message: `unknown encoding "${charset.refused}"` });
  const page = openPageText(content.bytes.subarray(0, limits.bytes), charset.encoding);
  const { url } = content;
  const readMarkup = linksOnly ? readHtmlLinks : readHtml;
  const found = isHtmlType(type)
    ? readMarkup(page, url, limits)
    : isXhtmlType(type) || type === 'image/svg+xml'
      ? readMarkup(page, url, limits, true)
      : isXmlType(type)
        ? readXml(page, url, limits)
        : readPlain(sourceOf(page), url, type, limits);
  return { ...found, problems: [...problems, ...found.problems] };
}

/** Style sheets, scripts, JSON, and text without any marks. */
function readPlain(source: SourceText, url: string, type: string, limits: ContentLimits): PageReading {
  const list = new LinkList(url, limits.links);
  if (isCssType(type)) addCssLinks(list, source);
  else if (isScriptType(type)) addScriptLinks(list, source);
  else if (isJsonType(type)) addJsonLinks(list, source, jsonKindOf(type));
  else {
    const text = source.text.replace(/^\ufeff/, '').slice(0, limits.text);
    return { ...EMPTY, extracted: { ...NOTHING_EXTRACTED, wordCount: countWords(text) }, text };
  }
  return {
    ...EMPTY,
    links: list.finish(),
    problems: list.cut
      ? [{ code: 'content.cut', message: `only the first ${limits.links} links are listed` }]
      : [],
  };
}

function readBinary(content: CaptureContent, type: string, limits: ContentLimits): PageReading {
  const image = readImage(content.bytes, type);
  if (image)
    return {
      ...EMPTY,
      extracted: describeImage(image.properties),
      problems: image.problem === undefined ? [] : [{ code: 'content.unreadable', message: image.problem }],
    };
  return type === 'application/x-shockwave-flash' ? readFlash(content, limits) : EMPTY;
}

function readFlash({ bytes, url: base }: CaptureContent, limits: ContentLimits): PageReading {
  const { urls, problem } = listSwfUrls(bytes);
  const links = urls.slice(0, limits.links).flatMap(({ written, kind, rel }): Link[] => {
    const url = parseUrl(written, base);
    if (!url) return [];
    url.hash = '';
    return [{ url: url.href, written, kind, ...(rel !== undefined && { rel }), heuristic: true }];
  });
  return {
    ...EMPTY,
    links,
    problems: problem === undefined ? [] : [{ code: 'content.unreadable', message: problem }],
  };
}

async function readPdf({ bytes, url }: CaptureContent, pdf: PdfReader | undefined): Promise<PageReading> {
  if (!pdf) return EMPTY;
  try {
    return describePdf(await pdf.read(bytes), url);
  } catch (cause) {
    const { code, message } = asGarnerError(cause);
    return { ...EMPTY, problems: [{ code, message }] };
  }
}

/** What the address and the headers add: dates and language; and the count of all links. */
function withOutside(
  extracted: Extracted,
  { url, headers = [] }: CaptureContent,
  links: readonly Link[],
): Extracted {
  const linkCounts: Partial<Record<LinkKind, number>> = {};
  for (const { kind } of links) linkCounts[kind] = (linkCounts[kind] ?? 0) + 1;
  const modified = headerValue(headers, 'last-modified');
  const dates: (FoundDate | undefined)[] = [
    modified === undefined ? undefined : foundDate(modified, 'modified', 'header last-modified'),
    dateOfUrl(url),
  ];
  const languages: FoundValue[] = headerValues(headers, 'content-language').map((value) => ({
    value: value.slice(0, 100),
    origin: 'header content-language',
  }));
  return {
    ...extracted,
    linkCounts,
    dates: [...extracted.dates, ...dates.filter((date) => date !== undefined)],
    languages: [...extracted.languages, ...languages],
  };
}
