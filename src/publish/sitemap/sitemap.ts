/** /sitemap.xml: the pages of all items that anybody may read, for search engines (sitemaps.org). */
import { ANONYMOUS } from '../../core/access.ts';
import { itemPath } from '../../core/identifiers.ts';
import { formatOai } from '../../core/time.ts';
import type { HarvestStore } from '../../store/index.ts';
import { escapeText } from '../../xml/write.ts';
import { cutWindows, type MeasuredWindow, measureWindow, type WantedList } from '../listing/cut-windows.ts';
import { encodeTexts, type ListDocument, newestOf, tagOf, XML_TYPE } from '../listing/document.ts';
import { listItems } from '../listing/list-records.ts';
import { closedAfter, EVERYTHING, parseWindow, writeWindow } from '../listing/window.ts';

/** Of one file; the protocol allows no more. */
const MOST_PAGES = 50_000;

const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9';
const FILE = /^sitemap(?:_([^_]+))?\.xml$/;

export interface SitemapParts {
  readonly harvest: HarvestStore;
  /** Without a slash at the end. */
  readonly baseUrl: string;
  readonly mostPages?: number | undefined;
}

/** By the name of its file; undefined when there is none of that name. */
export async function openSitemap(
  { harvest, baseUrl, mostPages = MOST_PAGES }: SitemapParts,
  file: string,
): Promise<ListDocument | undefined> {
  const match = FILE.exec(file);
  const window = match?.[1] === undefined ? EVERYTHING : parseWindow(match[1]);
  if (!match || !window) return undefined;
  // Search engines show to everybody what they find.
  const list: WantedList = { harvest, scope: {}, viewer: ANONYMOUS };
  const limits = { records: mostPages };
  const extent = await measureWindow(list, window, limits);
  if (extent.more) return openIndex();
  const frozen = closedAfter(window, extent.completeUntilAt);
  return documentOf([{ window, extent }], baseUrl, writePages());

  async function openIndex(): Promise<ListDocument> {
    const parts: MeasuredWindow[] = [];
    for await (const part of cutWindows(list, window ?? EVERYTHING, limits)) parts.push(part);
    return documentOf(parts, baseUrl, [
      openRoot('sitemapindex'),
      ...parts.map((part) =>
        writeEntry(
          'sitemap',
          `${baseUrl}/sitemap_${writeWindow(part.window)}.xml`,
          part.extent.last?.datestampAt,
        ),
      ),
      '</sitemapindex>\n',
    ]);
  }

  async function* writePages(): AsyncGenerator<string> {
    yield openRoot('urlset');
    for await (const { source, identifier, status, datestampAt } of listItems(list, frozen))
      if (status === 'live') yield writeEntry('url', baseUrl + itemPath(source, identifier), datestampAt);
    yield '</urlset>\n';
  }
}

function documentOf(
  windows: readonly MeasuredWindow[],
  baseUrl: string,
  texts: AsyncIterable<string> | Iterable<string>,
): ListDocument {
  const lastModifiedAt = newestOf(windows);
  return {
    mediaType: XML_TYPE,
    etag: tagOf(windows, baseUrl),
    ...(lastModifiedAt !== undefined && { lastModifiedAt }),
    pieces: () => encodeTexts(texts),
  };
}

const openRoot = (name: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<${name} xmlns="${NAMESPACE}">\n`;

function writeEntry(element: string, loc: string, changedAt: number | undefined): string {
  const lastmod = changedAt === undefined ? '' : `<lastmod>${formatOai(changedAt)}</lastmod>`;
  return `<${element}><loc>${escapeText(loc)}</loc>${lastmod}</${element}>\n`;
}
