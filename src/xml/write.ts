/** Writing XML: strings with everything escaped. All XML that leaves Garner is written with these functions. */
import { GarnerError } from '../core/errors.ts';

/** Counts characters that XML 1.0 cannot hold and that were replaced by U+FFFD. */
export interface EscapeTally {
  replaced: number;
}

// With the u flag only surrogates without a partner match as such.
const TEXT_SPECIALS = /[&<>\r\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]/gu;
const ATTRIBUTE_SPECIALS = /[&<>"'\t\n\r\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]/gu;

/** Line breaks and tabs in attributes, and carriage returns anywhere, only survive a parser as references. */
const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

function replaceSpecials(text: string, specials: RegExp, tally: EscapeTally | undefined): string {
  return text.replace(specials, (character) => {
    const escaped = ESCAPES[character];
    if (escaped !== undefined) return escaped;
    if (tally) tally.replaced++;
    return '\ufffd';
  });
}

export function escapeText(text: string, tally?: EscapeTally): string {
  return replaceSpecials(text, TEXT_SPECIALS, tally);
}

/** For values in single or double quotes. */
export function escapeAttribute(text: string, tally?: EscapeTally): string {
  return replaceSpecials(text, ATTRIBUTE_SPECIALS, tally);
}

/** Markup that is put into a template as it is. */
export class RawXml {
  readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }
}

/** For markup that our own code wrote; never for anything that came from outside. */
export function rawXml(...pieces: readonly (string | readonly string[])[]): RawXml {
  return new RawXml(pieces.flat().join(''));
}

export type XmlValue = string | number | boolean | RawXml | undefined | null;

type Place = 'text' | 'attribute' | 'tag';

/** The places of a template's values depend on its literal parts only: worked out once per template. */
const placesByTemplate = new WeakMap<TemplateStringsArray, readonly Place[]>();

function findPlaces(literals: TemplateStringsArray): readonly Place[] {
  let inTag = false;
  let quote = '';
  return literals.map((literal) => {
    for (const character of literal) {
      if (!inTag) inTag = character === '<';
      else if (quote !== '') quote = character === quote ? '' : quote;
      else if (character === '>') inTag = false;
      else if (character === '"' || character === "'") quote = character;
    }
    return !inTag ? 'text' : quote === '' ? 'tag' : 'attribute';
  });
}

function writeValue(value: XmlValue, place: Place | undefined): string {
  if (value === undefined || value === null) return '';
  if (value instanceof RawXml) return value.markup;
  if (place === 'text') return escapeText(String(value));
  if (place === 'attribute') return escapeAttribute(String(value));
  throw new GarnerError('internal.bug', 'a value stands in a tag of an XML template without quotes');
}

/** `xml\`<a b="${value}">${text}</a>\``: values are escaped by where they stand; absent ones leave nothing. */
export function xml(literals: TemplateStringsArray, ...values: readonly XmlValue[]): string {
  let places = placesByTemplate.get(literals);
  if (!places) {
    places = findPlaces(literals);
    placesByTemplate.set(literals, places);
  }
  let written = literals[0] ?? '';
  for (let i = 0; i < values.length; i++)
    written += writeValue(values[i], places[i]) + (literals[i + 1] ?? '');
  return written;
}
