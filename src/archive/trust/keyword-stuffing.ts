/** Keywords that are there for search engines. */
import { splitWords } from '../../query/words.ts';
import type { TrustRule } from './judged-page.ts';

const MANY_KEYWORDS = 40;
const LONGEST_KEYWORD = 12;
const OFTEN = 3;
/** Of words that stand there a second time. */
const REPEATED_SHARE = 0.25;
const FEW_WORDS = 12;
/** Nobody needs that to say what a page is about, however few words there are. */
const TOO_OFTEN = 6;

export const keywordStuffing: TrustRule = ({ element }, { reading }) => {
  if (element !== 'subject') return undefined;
  // As written: the claim has every keyword once.
  const written = reading.extracted.meta
    .filter(({ attribute, name }) => attribute === 'name' && name.toLowerCase() === 'keywords')
    .map(({ content }) => content);
  const reason = describeStuffing(written);
  return reason === undefined ? undefined : { rule: 'keyword-stuffing', reason, weight: 0.6 };
};

function describeStuffing(written: readonly string[]): string | undefined {
  const keywords = written
    .flatMap((content) => content.split(/[,;]/))
    .filter((keyword) => keyword.trim() !== '');
  if (keywords.length > MANY_KEYWORDS) return `there are ${keywords.length} keywords`;
  const counts = keywords.map((keyword) => splitWords(keyword).length);
  const longest = Math.max(0, ...counts);
  if (longest > LONGEST_KEYWORD) return `one keyword has ${longest} words`;
  const words = splitWords(written.join(' ')).filter((word) => word.length > 3);
  const times = Map.groupBy(words, (word) => word);
  const [most] = [...times].toSorted(([, a], [, b]) => b.length - a.length);
  if (most === undefined || most[1].length <= OFTEN) return undefined;
  if (words.length < FEW_WORDS && most[1].length < TOO_OFTEN) return undefined;
  const repeated = words.length - times.size;
  return repeated / words.length > REPEATED_SHARE
    ? `${repeated} of the ${words.length} words of the keywords are repeated, "${most[0]}" ${most[1].length} times`
    : undefined;
}
