/** The elements of ResourceSync documents (ANSI/NISO Z39.99-2017): sitemaps with `rs:md` and `rs:ln`. */
import { escapeAttribute, escapeText } from '../../xml/write.ts';

type Attributes = Readonly<Record<string, string | number | undefined>>;

const OPEN_ROOT = (root: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" ` +
  'xmlns:rs="http://www.openarchives.org/rs/terms/">\n';

function writeEmpty(name: string, attributes: Attributes): string {
  let written = `<${name}`;
  for (const [attribute, value] of Object.entries(attributes))
    if (value !== undefined) written += ` ${attribute}="${escapeAttribute(String(value))}"`;
  return `${written}/>`;
}

export const writeMd = (attributes: Attributes): string => writeEmpty('rs:md', attributes);

export const writeLn = (rel: string, href: string, type?: string): string =>
  writeEmpty('rs:ln', { rel, href, type });

export interface EntryParts {
  readonly loc: string;
  readonly lastmod?: string | undefined;
  readonly md?: Attributes;
  /** Written links. */
  readonly links?: string;
}

export function writeEntry({ loc, lastmod, md, links = '' }: EntryParts, element = 'url'): string {
  return (
    `<${element}><loc>${escapeText(loc)}</loc>` +
    (lastmod === undefined ? '' : `<lastmod>${lastmod}</lastmod>`) +
    `${md ? writeMd(md) : ''}${links}</${element}>\n`
  );
}

/** The beginning of a document up to its first entry. `urlset` holds resources, `sitemapindex` other lists. */
export function openDocument(
  root: 'urlset' | 'sitemapindex',
  md: Attributes,
  links: readonly string[],
): string {
  return `${OPEN_ROOT(root)}${links.join('\n')}${links.length > 0 ? '\n' : ''}${writeMd(md)}\n`;
}
