/** What describes a page speaks of what can be read in it. */
import { contentWords, shareInText, type TrustRule } from './judged-page.ts';

/** So many words must say something before their absence does; and what that weighs. */
const DEMANDS: Readonly<
  Record<string, { readonly words: number; readonly share: number; readonly weight: number }>
> = {
  // A site's name need not stand in its text.
  title: { words: 2, share: 0, weight: 0.35 },
  description: { words: 5, share: 0.15, weight: 0.6 },
  subject: { words: 5, share: 0.15, weight: 0.6 },
};

export const fitsText: TrustRule = ({ element, values }, { text }) => {
  const demand = DEMANDS[element];
  const share = demand && shareInText(values, text);
  if (share === undefined || demand === undefined || share > demand.share) return undefined;
  const words = contentWords(values).length;
  if (words < demand.words) return undefined;
  return {
    rule: 'fits-text',
    reason: `${share === 0 ? 'none' : `only ${Math.round(share * words)}`} of its ${words} words can be read in the page`,
    weight: demand.weight,
  };
};
