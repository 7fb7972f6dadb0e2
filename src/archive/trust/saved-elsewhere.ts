/** A page that was saved from another site and changed keeps that site's tags. */
import { type JudgedPage, shareInText, siteOf, type TrustRule } from './judged-page.ts';

interface OtherAddress {
  readonly url: string;
  readonly told: string;
  readonly weight: number;
}

/** Words that the page itself has are its own, wherever it was saved from. */
const FITTING = 0.5;
const WEIGHT_WHEN_FITTING = 0.2;

export const savedElsewhere: TrustRule = ({ element, values }, page) => {
  // Dates and languages need no words; a page of one's own may be saved as often as one likes.
  const [found] = otherAddresses(page);
  if (!found) return undefined;
  const share = element === 'date' || element === 'language' ? 0 : shareInText(values, page.text);
  return {
    rule: 'saved-elsewhere',
    reason: `${found.told} ${found.url}`,
    weight: share !== undefined && share >= FITTING ? WEIGHT_WHEN_FITTING : found.weight,
  };
};

const TOLD: Readonly<Record<string, { readonly told: string; readonly weight: number }>> = {
  'comment saved from': { told: 'a remark in the page says that it was saved from', weight: 0.55 },
  'comment mirrored from': { told: 'a remark in the page says that it was mirrored from', weight: 0.35 },
  base: { told: 'its links are resolved as if it were at', weight: 0.35 },
};

/** The gravest first; those of the same site are no others. */
function otherAddresses({ url, reading }: JudgedPage): OtherAddress[] {
  const site = siteOf(url);
  const { savedFrom, openGraph } = reading.extracted;
  const told: OtherAddress[] = [
    ...savedFrom.flatMap(({ value, origin }) => (TOLD[origin] ? [{ url: value, ...TOLD[origin] }] : [])),
    ...reading.links
      .filter(({ kind }) => kind === 'canonical')
      .map((link) => ({ url: link.url, told: 'it names as its own address', weight: 0.35 })),
    ...openGraph
      .filter(({ name }) => name === 'og:url')
      .map(({ value }) => ({ url: value, told: 'its og:url is', weight: 0.35 })),
  ];
  return told
    .filter((other) => site !== undefined && (siteOf(other.url) ?? site) !== site)
    .toSorted((a, b) => b.weight - a.weight);
}
