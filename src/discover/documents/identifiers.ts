/** Identifiers in texts: DOI, arXiv, ORCID, ISBN and Handle, each checked as far as it can be. */
import { doiUrl } from '../doi.ts';

export const IDENTIFIER_KINDS = ['doi', 'arxiv', 'orcid', 'isbn', 'handle'] as const;
export type IdentifierKind = (typeof IDENTIFIER_KINDS)[number];

export interface FoundIdentifier {
  readonly kind: IdentifierKind;
  readonly value: string;
  /** Where it leads; an ISBN leads nowhere. */
  readonly url?: string;
}

interface Finder {
  readonly kind: IdentifierKind;
  /** The first group is the identifier. */
  readonly pattern: RegExp;
  /** In its one spelling; undefined when it is none. */
  readonly normalise: (written: string) => string | undefined;
  readonly url?: (value: string) => string;
}

const FINDERS: readonly Finder[] = [
  {
    kind: 'doi',
    // Old ones have an angle bracket in them: `10.1175/1520-0477(1999)080<2261:AIUCFI>2.0.CO;2`.
    pattern: /\b(10\.\d{4,9}\/(?:[^\s"'<>{}|\\^`\u201c\u201d\u2019]|<\d{1,6}:[A-Za-z0-9]{1,12}>)+)/g,
    normalise: (written) => {
      const value = withoutEnd(decode(written)).toLowerCase();
      return /^10\.\d{4,9}\/[^/].*/.test(value) ? value : undefined;
    },
    url: doiUrl,
  },
  {
    kind: 'arxiv',
    // The scheme of 2007 and the one before.
    pattern:
      /\barxiv(?:\.org\/(?:abs|pdf)\/|:\s?)(\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?\/\d{7})(?:v\d+)?(?!\d)/gi,
    normalise: (written) => written.toLowerCase(),
    url: (value) => `https://arxiv.org/abs/${value}`,
  },
  {
    kind: 'orcid',
    pattern: /(?<![\d-])(\d{4}-\d{4}-\d{4}-\d{3}[\dXx])(?![\d-])/g,
    normalise: (written) => {
      const value = written.toUpperCase();
      return isOrcid(value) ? value : undefined;
    },
    url: (value) => `https://orcid.org/${value}`,
  },
  {
    kind: 'isbn',
    pattern: /\bISBN(?:-1[03])?:?\s*((?:97[89][\s-]?)?\d[\d\s-]{7,12}[\dXx])(?!\d)/g,
    normalise: (written) => {
      const digits = written.replace(/[\s-]/g, '').toUpperCase();
      return isIsbn(digits) ? digits : undefined;
    },
  },
  {
    kind: 'handle',
    pattern: /\b(?:hdl:|hdl\.handle\.net\/)(\d+(?:\.\d+)*\/[^\s"'<>{}|\\^`]+)/gi,
    normalise: (written) => withoutEnd(decode(written)),
    url: (value) => `https://hdl.handle.net/${encodeURI(value)}`,
  },
];

/** Each once, in the order of kinds and then of the text. */
export function findIdentifiers(text: string): FoundIdentifier[] {
  const found = new Map<string, FoundIdentifier>();
  for (const { kind, pattern, normalise, url } of FINDERS)
    for (const [, written = ''] of text.matchAll(pattern)) {
      const value = normalise(written);
      if (value === undefined || found.has(`${kind} ${value}`)) continue;
      found.set(`${kind} ${value}`, { kind, value, ...(url && { url: url(value) }) });
    }
  return [...found.values()];
}

/** In addresses of links. */
function decode(written: string): string {
  try {
    return decodeURIComponent(written);
  } catch (error) {
    if (error instanceof URIError) return written;
    throw error;
  }
}

const CLOSING: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

/** Without what belongs to the sentence: stops, and brackets that were opened before the identifier. */
function withoutEnd(text: string): string {
  let end = text.length;
  for (; end > 0; end--) {
    const last = text[end - 1] ?? '';
    const opening = CLOSING[last];
    if (opening !== undefined) {
      const inside = text.slice(0, end);
      if (countOf(inside, opening) >= countOf(inside, last)) break;
    } else if (!/[.,;:!?*†‡…]/.test(last)) break;
  }
  return text.slice(0, end);
}

const countOf = (text: string, letter: string): number => text.split(letter).length - 1;

/** ISO 7064 MOD 11-2. */
function isOrcid(value: string): boolean {
  const digits = value.replaceAll('-', '');
  let total = 0;
  for (const digit of digits.slice(0, -1)) total = (total + Number(digit)) * 2;
  const check = (12 - (total % 11)) % 11;
  return digits.at(-1) === (check === 10 ? 'X' : String(check));
}

/** ISO 2108: weights 10 to 1 modulo 11, or 1 and 3 in turns modulo 10. */
function isIsbn(digits: string): boolean {
  const value = (digit: string) => (digit === 'X' ? 10 : Number(digit));
  if (/^\d{9}[\dX]$/.test(digits))
    return [...digits].reduce((sum, digit, i) => sum + (10 - i) * value(digit), 0) % 11 === 0;
  if (!/^97[89]\d{10}$/.test(digits)) return false;
  return [...digits].reduce((sum, digit, i) => sum + (i % 2 === 0 ? 1 : 3) * value(digit), 0) % 10 === 0;
}
