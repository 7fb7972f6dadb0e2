/** A template's language is often left as it was. */
import type { TrustRule } from './judged-page.ts';
import { knowsLanguage, languagesOfText } from './language-of-text.ts';

export const languageMismatch: TrustRule = ({ element, values }, { reading }) => {
  if (element !== 'language') return undefined;
  const stated = values
    .flatMap((value) => value.split(/[,;\s]+/))
    .flatMap((tag) => tag.split(/[-_]/)[0] || []);
  // A page may be in several languages; one that cannot be recognised may be the one of the text.
  if (stated.length === 0 || !stated.every(knowsLanguage)) return undefined;
  const found = languagesOfText(reading.text);
  if (!found || found.some((language) => stated.includes(language))) return undefined;
  return {
    rule: 'language-mismatch',
    reason: `the text is written in ${found.length === 1 ? 'another language' : 'another script'} (${found[0]})`,
    weight: 0.6,
  };
};
