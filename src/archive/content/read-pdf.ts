/** A PDF file: its properties, the text of its pages, and the links in both. */
import type { RecordProblem } from '../../core/model.ts';
import { normaliseDate } from '../../core/time.ts';
import type { Link } from './link.ts';
import { parseUrl } from './links/resolve.ts';
import { listTextUrls } from './links/text-urls.ts';
import { type FoundDate, type NamedValue, NOTHING_EXTRACTED } from './metadata/extracted.ts';
import { countWords } from './metadata/plain-text.ts';
import type { PdfReading } from './pdf/pdf-reading.ts';
import type { PageReading } from './read-html.ts';

const MAX_TEXT_URLS = 5_000;

export function describePdf(pdf: PdfReading, url: string): PageReading {
  const text = pdf.pages.map((page) => page.trimEnd()).join('\f');
  const { properties } = pdf;
  const title = named(properties.xmp, 'dc:title') ?? named(properties.info, 'Title');
  const problems: RecordProblem[] = pdf.problems.map((message) => ({ code: 'content.unreadable', message }));
  if (pdf.cut) problems.push({ code: 'content.cut', message: 'not all pages of the PDF were read' });
  const licence = named(properties.xmp, 'xmpRights:WebStatement') ?? named(properties.xmp, 'cc:license');
  return {
    links: listLinks(pdf, text, url),
    robots: [],
    extracted: {
      ...NOTHING_EXTRACTED,
      ...(title !== undefined && { title }),
      languages: values(properties.xmp, 'dc:language').map((value) => ({ value, origin: 'xmp dc:language' })),
      dates: [
        ...datesOf(properties.info, 'CreationDate', 'created', 'info'),
        ...datesOf(properties.info, 'ModDate', 'modified', 'info'),
        ...datesOf(properties.xmp, 'xmp:CreateDate', 'created', 'xmp'),
        ...datesOf(properties.xmp, 'xmp:ModifyDate', 'modified', 'xmp'),
        ...datesOf(properties.xmp, 'dc:date', 'published', 'xmp'),
      ],
      licences: licence === undefined ? [] : [{ url: licence, origin: 'xmp' }],
      wordCount: countWords(text),
      pdf: properties,
    },
    text,
    problems,
  };
}

const values = (list: readonly NamedValue[], name: string): string[] =>
  list.filter((one) => one.name === name).map((one) => one.value);
const named = (list: readonly NamedValue[], name: string): string | undefined => values(list, name)[0];

function datesOf(
  list: readonly NamedValue[],
  name: string,
  meaning: FoundDate['meaning'],
  origin: string,
): FoundDate[] {
  return values(list, name).flatMap((written) => {
    const value = parsePdfDate(written) ?? normaliseDate(written);
    return value === undefined ? [] : [{ value, written, meaning, origin: `${origin} ${name}` }];
  });
}

/** ISO 32000-1 §7.9.4: `D:20040506070809+02'00'`, cut anywhere after the year. */
const PDF_DATE = /^D:(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:(Z|[+-])(\d\d)?'?(\d\d)?'?)?/;

export function parsePdfDate(text: string): string | undefined {
  const match = PDF_DATE.exec(text.trim());
  if (!match) return undefined;
  const [, year, month, day, hour, minute = '00', second = '00', sign, zoneHours = '00', zoneMinutes = '00'] =
    match;
  const date = [year, month, day].filter(Boolean).join('-');
  if (hour === undefined) return normaliseDate(date);
  const zone = sign === undefined || sign === 'Z' ? 'Z' : `${sign}${zoneHours}:${zoneMinutes}`;
  return normaliseDate(`${date}T${hour}:${minute}:${second}${zone}`);
}

function listLinks(pdf: PdfReading, text: string, base: string): Link[] {
  const links: Link[] = [];
  const seen = new Set<string>();
  const add = (written: string, rel: string, heuristic: boolean) => {
    const url = parseUrl(written.trim(), base);
    if (!url) return;
    url.hash = '';
    if (heuristic && seen.has(url.href)) return;
    seen.add(url.href);
    links.push({ url: url.href, written, kind: 'page', rel, ...(heuristic && { heuristic: true }) });
  };
  for (const { url, page } of pdf.links) add(url, `page ${page}`, false);
  for (const url of listTextUrls(text, MAX_TEXT_URLS)) add(url, 'text', true);
  return links;
}
