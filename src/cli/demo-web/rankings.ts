/**
 * Three ways to rank the demo web, each good at something else and each with its own blind spot: the first is taken
 * in by pages that repeat themselves and still knows some that are gone, the second by short titles, the third by
 * whoever is famous.
 */
import { plainText, type WebPage } from './pages.ts';

export type Ranking = (query: string) => readonly WebPage[];

export interface Rankings {
  /** How often the words stand in a page. */
  readonly words: Ranking;
  /** How many of them are in the title; of equal ones the shorter title. */
  readonly titles: Ranking;
  /** Who is linked to by most pages of other hosts, of those that have at least two of the words. */
  readonly links: Ranking;
}

interface Indexed {
  readonly page: WebPage;
  readonly counts: ReadonlyMap<string, number>;
  readonly title: readonly string[];
  readonly linkedFrom: number;
}

type Score = (one: Indexed, words: readonly string[]) => number;

export function createRankings(pages: readonly WebPage[]): Rankings {
  const links = countLinks(pages);
  const index = pages.map((page) => indexPage(page, links.get(page.url) ?? 0));
  const rankBy =
    (score: Score): Ranking =>
    (query) => {
      const words = [...new Set(wordsOf(query))];
      return index
        .map((one) => ({ page: one.page, score: score(one, words) }))
        .filter((one) => one.score > 0)
        .sort((a, b) => b.score - a.score || (a.page.url < b.page.url ? -1 : 1))
        .map(({ page }) => page);
    };
  return { words: rankBy(scoreWords), titles: rankBy(scoreTitle), links: rankBy(scoreLinks) };
}

const scoreWords: Score = ({ counts }, words) =>
  words.reduce((sum, word) => sum + Math.log(1 + (counts.get(word) ?? 0)), 0);

const scoreTitle: Score = ({ page, title }, words) => {
  const had = words.filter((word) => title.includes(word)).length;
  return had === 0 || page.gone ? 0 : had + 1 / (title.length + 1);
};

const scoreLinks: Score = ({ page, counts, linkedFrom }, words) => {
  const had = words.filter((word) => counts.has(word)).length;
  return had < 2 || page.gone ? 0 : linkedFrom + had / (words.length + 1);
};

function indexPage(page: WebPage, linkedFrom: number): Indexed {
  const counts = new Map<string, number>();
  for (const word of wordsOf(isClosed(page) ? page.title : `${page.title} ${plainText(page.text)}`))
    counts.set(word, (counts.get(word) ?? 0) + 1);
  return { page, counts, title: wordsOf(page.title), linkedFrom };
}

/** Engines obey robots.txt as well: of such a page they know only what others call it. */
const isClosed = ({ site, path }: WebPage): boolean =>
  [...(site.robots ?? '').matchAll(/^Disallow: (.+)$/gm)].some(([, prefix = '']) => path.startsWith(prefix));

/** Pages of other hosts that link there. */
function countLinks(pages: readonly WebPage[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { links, site } of pages)
    for (const link of links)
      if (new URL(link).hostname !== site.host) counts.set(link, (counts.get(link) ?? 0) + 1);
  return counts;
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
