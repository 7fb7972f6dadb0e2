/** Which links a crawl follows. */
import { getDomain } from 'tldts';
import { isRequisite, type Link } from '../../archive/content/index.ts';
import { GarnerError } from '../../core/errors.ts';
import type { CrawlScope, CrawlSettings } from '../settings.ts';

/** How a URL came into the crawl. */
export type UrlRole = 'seed' | 'link' | 'requisite' | 'sitemap';

/** Where a URL stands in the crawl. */
export interface UrlPlace {
  readonly role: UrlRole;
  /** Links from a seed. */
  readonly depth: number;
  /** Of those, the ones in a row that led out of the scope. */
  readonly hopsOff: number;
  /** Requisites of requisites: style sheets that import others. */
  readonly chain: number;
  /** Redirects in a row. */
  readonly redirects: number;
  /** One of them set a cookie. */
  readonly wall?: true;
}

export const SEED: UrlPlace = { role: 'seed', depth: 0, hopsOff: 0, chain: 0, redirects: 0 };

const MAX_REDIRECTS = 10;
const MAX_CHAIN = 6;

export type Judgement = { readonly place: UrlPlace } | { readonly reason: string };

export interface Scope {
  addSeed(url: URL): void;
  judgeLink(
    link: Pick<Link, 'kind' | 'heuristic' | 'rel'>,
    target: URL,
    from: URL,
    place: UrlPlace,
  ): Judgement | undefined;
  judgeRedirect(target: URL, place: UrlPlace, setsCookies?: boolean): Judgement;
  judgeSeed(target: URL): Judgement;
  /** Pages that a site map names: as seeds, but of its own host or of the scope only. */
  judgeListed(target: URL, sitemap: URL): Judgement;
}

export function createScope(settings: CrawlSettings): Scope {
  const include = settings.include.map(compilePattern);
  const exclude = settings.exclude.map(compilePattern);
  const areas = new Set<string>();
  const inArea = (url: URL): boolean =>
    settings.scope === 'any' || areasOf(settings.scope, url).some((area) => areas.has(area));
  const isExcluded = (url: URL) => exclude.some((pattern) => pattern.test(url.href));
  const isIncluded = (url: URL) => include.length === 0 || include.some((pattern) => pattern.test(url.href));
  const EXCLUDED: Judgement = { reason: 'exclude' };

  const asLink = (target: URL, place: UrlPlace): Judgement => {
    const depth = place.depth + 1;
    if (settings.scope === 'page' || depth > settings.depth) return { reason: 'depth' };
    if (!isIncluded(target)) return { reason: 'include' };
    const hopsOff = inArea(target) ? 0 : place.hopsOff + 1;
    if (hopsOff > settings.hopsOff) return { reason: 'scope' };
    return { place: { role: 'link', depth, hopsOff, chain: 0, redirects: 0 } };
  };

  return {
    addSeed: (url) => {
      for (const area of areasOf(settings.scope, url).slice(0, 1)) areas.add(area);
    },
    judgeLink(link, target, from, place) {
      if (isExcluded(target)) return EXCLUDED;
      if (isRequisite(link)) {
        if (!settings.requisites) return undefined;
        // What only looks like a link is believed where it costs nobody else anything.
        if (link.heuristic && target.host !== from.host) return undefined;
        if (place.chain >= MAX_CHAIN) return { reason: 'requisite-chain' };
        const { depth, hopsOff, chain } = place;
        return { place: { role: 'requisite', depth, hopsOff, chain: chain + 1, redirects: 0 } };
      }
      if (link.kind === 'form' || link.kind === 'data' || (link.heuristic && target.host !== from.host))
        return undefined;
      // Images and scripts lead on to nothing but their own requisites; pages in frames do.
      if (place.role === 'requisite' && !inArea(from)) return undefined;
      return asLink(target, place);
    },
    judgeRedirect(target, place, setsCookies = false) {
      if (isExcluded(target)) return EXCLUDED;
      const redirects = place.redirects + 1;
      if (redirects > MAX_REDIRECTS) return { reason: 'redirects' };
      // Where a seed or a requisite lives now is where it is wanted.
      if (place.role === 'link' && !inArea(target) && place.hopsOff === 0 && settings.hopsOff === 0)
        return { reason: 'scope' };
      return { place: { ...place, redirects, ...(setsCookies && { wall: true }) } };
    },
    judgeSeed(target) {
      if (isExcluded(target)) return EXCLUDED;
      return { place: SEED };
    },
    judgeListed(target, sitemap) {
      if (isExcluded(target)) return EXCLUDED;
      if (!isIncluded(target)) return { reason: 'include' };
      return target.host === sitemap.host || inArea(target) ? { place: SEED } : { reason: 'scope' };
    },
  };
}

/** The areas that a URL lies in; of a seed, the first is the one that it opens. */
function areasOf(scope: CrawlScope, url: URL): string[] {
  const host = url.host.replace(/^www\d*\./, '');
  switch (scope) {
    case 'page':
    case 'any':
      return [];
    case 'host':
      return [host];
    case 'domain':
      return [getDomain(url.hostname, { allowPrivateDomains: true }) ?? url.hostname];
    case 'path': {
      const folders = url.pathname.split('/').slice(0, -1);
      return folders.map((_, i) => `${host}${folders.slice(0, folders.length - i).join('/')}/`);
    }
  }
}

function compilePattern(source: string): RegExp {
  try {
    return new RegExp(source);
  } catch (cause) {
    throw new GarnerError('usage.invalid', `not a regular expression: ${source}`, { cause });
  }
}
