/**
 * The index of Common Crawl, which knows addresses and no words: the addresses of the given domains that
 * have a word of the query in them. Most words first, then the shorter; the index itself has no ranking.
 */
import { GarnerError } from '../../core/errors.ts';
import { type JsonObject, nonsense, textAt } from './answer-json.ts';
import type { Ask, CreateEngine, EngineAnswer, EngineResult, EngineSettings } from './engine.ts';
import { addressOf } from './paged.ts';
import { resultOf } from './result.ts';

const COLLECTIONS = 'https://index.commoncrawl.org/collinfo.json';
/** Captures asked for of one domain: many are of the same address. */
const CAPTURES = 5000;
/** Shorter words are in every second address. */
const LEAST_LETTERS = 4;

export const commonCrawl: CreateEngine = (settings) => ({
  async *search(query: string, count: number, ask: Ask): AsyncGenerator<readonly EngineResult[]> {
    const words = wordsOf(query);
    if (words.length === 0) return;
    const api = await findIndex(settings, ask);
    const found = new Map<string, EngineResult>();
    for (const domain of settings.domains ?? []) {
      const url = addressOf(
        api,
        {
          url: `*.${domain}`,
          output: 'json',
          fl: 'url,mime-detected,status',
          filter: `~url:(?i).*(${words.join('|')}).*`,
          limit: CAPTURES,
        },
        settings,
      );
      for (const result of readLines(await ask({ url, emptyStatus: 404 }))) found.set(result.url, result);
    }
    const ranked = [...found.values()]
      .map((result) => ({ result, hits: countWords(result.url, words) }))
      .sort(
        (a, b) => b.hits - a.hits || a.result.url.length - b.result.url.length || compare(a.result, b.result),
      );
    if (ranked.length > 0) yield ranked.slice(0, count).map(({ result }) => result);
  },
});

const compare = (a: EngineResult, b: EngineResult): number => (a.url < b.url ? -1 : 1);

const wordsOf = (query: string): string[] =>
  [...new Set((query.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => word.toLowerCase()))].filter(
    (word) => word.length >= LEAST_LETTERS,
  );

const countWords = (url: string, words: readonly string[]): number => {
  const text = url.toLowerCase();
  return words.filter((word) => text.includes(word)).length;
};

/** The newest crawl comes first in the list of all. */
async function findIndex({ url, index }: EngineSettings, ask: Ask): Promise<string> {
  if (index !== undefined)
    return `${url ? new URL(url).origin : 'https://index.commoncrawl.org'}/${index}-index`;
  const answer = await ask({ url: url ?? COLLECTIONS });
  const text = new TextDecoder().decode(answer.bytes);
  let collections: unknown;
  try {
    collections = JSON.parse(text);
  } catch (cause) {
    throw nonsense(answer.url, text, cause);
  }
  const newest = textAt(Array.isArray(collections) ? collections[0] : undefined, 'cdx-api');
  if (newest === undefined) throw nonsense(answer.url, text);
  return newest;
}

function readLines(answer: EngineAnswer): EngineResult[] {
  const lines = new TextDecoder().decode(answer.bytes).split('\n').filter(Boolean);
  return lines.flatMap((line) => {
    let capture: JsonObject;
    try {
      capture = JSON.parse(line) as JsonObject;
    } catch (cause) {
      throw new GarnerError('source.answer', `${answer.url} gave a line that is no JSON`, { cause });
    }
    // A domain that the crawl does not have is told as a line with a message.
    const status = textAt(capture, 'status');
    if (status !== undefined && !status.startsWith('2')) return [];
    return resultOf({ url: textAt(capture, 'url'), mediaType: textAt(capture, 'mime-detected') });
  });
}
