/** The pages of the demo web, as `demo/web/*.yaml` has them: one file for each host. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';

const pageSchema = z.strictObject({
  path: z.string().startsWith('/'),
  title: z.string(),
  /** Paragraphs with a few marks of Markdown; see `page-html.ts`. */
  text: z.string(),
  kind: z.enum(['html', 'pdf', 'png']).default('html'),
  lang: z.string().default('en'),
  authors: z.array(z.string()).default([]),
  /** Engines still know it, but it leads there … */
  redirect: z.string().exactOptional(),
  /** … or nowhere. */
  gone: z.boolean().default(false),
});

const siteSchema = z.strictObject({
  host: z.string(),
  name: z.string(),
  colour: z.string(),
  robots: z.string().exactOptional(),
  pages: z.array(pageSchema),
});

export type Site = z.output<typeof siteSchema>;

export interface WebPage extends z.output<typeof pageSchema> {
  readonly url: string;
  readonly site: Site;
  /** Whole addresses, each once: those of its text, and the home page that its header leads to. */
  readonly links: readonly string[];
}

export interface DemoWeb {
  readonly sites: readonly Site[];
  readonly pages: readonly WebPage[];
}

const judgementsSchema = z.strictObject({
  relevant: z.record(z.string(), z.array(z.string())),
  marks: z.strictObject({ good: z.array(z.string()), bad: z.array(z.string()) }),
});

const JUDGEMENTS = 'judgements.yaml';

export function readDemoWeb(folder: string): DemoWeb {
  const sites = globSync('*.yaml', { cwd: folder })
    .filter((name) => name !== JUDGEMENTS)
    .sort()
    .map((name) => siteSchema.parse(parse(readFileSync(join(folder, name), 'utf8'))));
  return { sites, pages: sites.flatMap((site) => site.pages.map((page) => webPage(site, page))) };
}

/** Which pages are relevant, and which of all the demo's curator marks. */
export function readJudgements(folder: string) {
  const { relevant, marks } = judgementsSchema.parse(parse(readFileSync(join(folder, JUDGEMENTS), 'utf8')));
  return {
    relevant: Object.entries(relevant).flatMap(([host, paths]) =>
      paths.map((path) => `http://${host}${path}`),
    ),
    marks,
  };
}

/** `[label](address)`, with `!` before it for pictures. */
export const LINK = /(!?)\[([^\]]*)\]\(([^)\s]+)\)/g;

function webPage(site: Site, page: Site['pages'][number]): WebPage {
  const url = `http://${site.host}${page.path}`;
  const links = [...page.text.matchAll(LINK)].map(([, , , address = '']) => new URL(address, url).href);
  if (page.kind === 'html' && hasHome(site)) links.push(`http://${site.host}/`);
  return { ...page, url, site, links: [...new Set(links)].filter((link) => link !== url) };
}

export const hasHome = (site: Site): boolean => site.pages.some(({ path }) => path === '/');

/** Without marks of Markdown. */
export const plainText = (text: string): string => text.replace(LINK, '$2').replace(/^(?:#+|-) /gm, '');
