/**
 * How far a page may be believed in what it says of itself. Each rule is asked about each claim; what the doubts
 * weigh is multiplied, so that several slight ones count as much as a grave one.
 */
import type { JudgedValues } from '../../formats/web-capture.ts';
import { fitsText } from './fits-text.ts';
import { generatorDefaults } from './generator-defaults.ts';
import { implausibleDate } from './implausible-date.ts';
import type { Claim, JudgedPage, TrustRule } from './judged-page.ts';
import { keywordStuffing } from './keyword-stuffing.ts';
import { languageMismatch } from './language-mismatch.ts';
import { savedElsewhere } from './saved-elsewhere.ts';

const RULES: readonly TrustRule[] = [
  generatorDefaults,
  savedElsewhere,
  fitsText,
  keywordStuffing,
  implausibleDate,
  languageMismatch,
];

/** Below it, values are kept, but nothing is called by them. */
const TRUSTED_FROM = 0.5;

/** Undefined when nothing is to be said against it. */
export function judgeClaim(claim: Claim, page: JudgedPage): JudgedValues | undefined {
  const doubts = claim.values.length === 0 ? [] : RULES.flatMap((rule) => rule(claim, page) ?? []);
  if (doubts.length === 0) return undefined;
  const score = doubts.reduce((left, { weight }) => left * (1 - weight), 1);
  return {
    ...claim,
    score: Number(score.toFixed(2)),
    verdict: score < TRUSTED_FROM ? 'doubtful' : 'noted',
    doubts: doubts.map(({ rule, reason }) => ({ rule, reason })),
  };
}
