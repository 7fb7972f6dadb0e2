import { foldValue, splitWords } from '../../../query/words.ts';

/** So many characters decide. */
const LENGTH = 200;

/** What titles and other running texts are sorted and compared by: their folded words. */
export function titleKey(text: string): string {
  return (splitWords(text).join(' ') || foldValue(text)).slice(0, LENGTH);
}
