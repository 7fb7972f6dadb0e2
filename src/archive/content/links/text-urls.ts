/** Addresses that are written out in running text: a guess where they end, and marked so. */
const URL_IN_TEXT = /\bhttps?:\/\/[^\s<>"'«»“”‘’{}|\\^`[\]]{3,2000}/gi;
/** Full stops, brackets and commas after an address belong to the sentence. */
const TRAILING = /[.,;:!?)\]]+$/;

export function listTextUrls(text: string, limit: number): string[] {
  const urls = new Set<string>();
  for (const [match] of text.matchAll(URL_IN_TEXT)) {
    if (urls.size >= limit) break;
    const open = match.includes('(');
    const cut = match.replace(open ? /[.,;:!?\]]+$/ : TRAILING, '');
    if (URL.canParse(cut)) urls.add(cut);
  }
  return Array.from(urls);
}
