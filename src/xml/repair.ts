/**
 * Mends what is often wrong in records that were glued together by hand: bytes of another encoding,
 * characters that XML does not have, references to nothing, loose ampersands and angle brackets, inner
 * XML declarations. Tags are never made up: a record whose elements do not close stays broken.
 */
import { isUtf8 } from 'node:buffer';

export interface Repaired {
  readonly bytes: Uint8Array;
  /** What was done, in words; empty when there was nothing to do. */
  readonly repairs: readonly string[];
}

/** Named references of HTML that turn up in metadata; XML itself knows five. */
const HTML_NAMES: ReadonlyMap<string, string> = new Map(
  `nbsp \u00a0, iexcl ¡, cent ¢, pound £, yen ¥, sect §, uml ¨, copy ©, laquo «, not ¬, shy \u00ad,
   reg ®, deg °, plusmn ±, sup2 ², sup3 ³, acute ´, micro µ, para ¶, middot ·, sup1 ¹, raquo »,
   frac14 ¼, frac12 ½, frac34 ¾, iquest ¿, Agrave À, Aacute Á, Acirc Â, Atilde Ã, Auml Ä, Aring Å,
   AElig Æ, Ccedil Ç, Egrave È, Eacute É, Ecirc Ê, Euml Ë, Igrave Ì, Iacute Í, Icirc Î, Iuml Ï,
   Ntilde Ñ, Ograve Ò, Oacute Ó, Ocirc Ô, Otilde Õ, Ouml Ö, times ×, Oslash Ø, Ugrave Ù, Uacute Ú,
   Ucirc Û, Uuml Ü, Yacute Ý, szlig ß, agrave à, aacute á, acirc â, atilde ã, auml ä, aring å,
   aelig æ, ccedil ç, egrave è, eacute é, ecirc ê, euml ë, igrave ì, iacute í, icirc î, iuml ï,
   ntilde ñ, ograve ò, oacute ó, ocirc ô, otilde õ, ouml ö, divide ÷, oslash ø, ugrave ù, uacute ú,
   ucirc û, uuml ü, yacute ý, yuml ÿ, ndash –, mdash —, lsquo ‘, rsquo ’, ldquo “, rdquo ”, bull •,
   hellip …, euro €, trade ™, minus −, le ≤, ge ≥, alpha α, beta β, gamma γ, delta δ, lambda λ,
   mu μ, sigma σ, omega ω, rarr →`
    .split(/,\s+/)
    .map((pair) => [pair.slice(0, pair.indexOf(' ')), pair.slice(pair.indexOf(' ') + 1)] as const),
);

const isXmlCharacter = (code: number): boolean =>
  code === 9 ||
  code === 10 ||
  code === 13 ||
  (code >= 0x20 && code <= 0xd7ff) ||
  (code >= 0xe000 && code <= 0xfffd) ||
  (code >= 0x10000 && code <= 0x10ffff);

const FORBIDDEN =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
const REFERENCE = /&(?:#([0-9]+);|#[xX]([0-9a-fA-F]+);|([A-Za-z][A-Za-z0-9]*);|)/g;
const PREDEFINED: ReadonlySet<string> = new Set(['amp', 'lt', 'gt', 'quot', 'apos']);
/** A `<` that starts no tag, comment, CDATA section or instruction. */
const LOOSE_LT = /<(?![A-Za-z_:/!?\u0080-\uffff])/g;
const DECLARATION = /<\?xml(?=[\s?])[^>]*\?>/gi;
const DOCTYPE = /<!DOCTYPE\s[^[>]*(?:\[[^\]]*\]\s*)?>/gi;

export function repairXml(bytes: Uint8Array): Repaired {
  const done = new Map<string, number>();
  const note = (what: string) => done.set(what, (done.get(what) ?? 0) + 1);
  const text = outsideCdata(decodeLeniently(bytes, note), (part, isCdata) => {
    const clean = part.replace(FORBIDDEN, () => {
      note('forbidden characters removed');
      return '';
    });
    return isCdata ? clean : mendMarkup(clean, note);
  });
  if (done.size === 0) return { bytes, repairs: [] };
  return {
    bytes: Buffer.from(text),
    repairs: Array.from(done, ([what, times]) => (times === 1 ? what : `${what} (${times} times)`)),
  };
}

function mendMarkup(part: string, note: (what: string) => void): string {
  const replaceAll = (text: string, pattern: RegExp, what: string, by: string) =>
    text.replace(pattern, () => {
      note(what);
      return by;
    });
  // A declaration at the very beginning is in its place.
  const declared = /^\s*<\?xml\s[^>]*\?>/.exec(part)?.[0] ?? '';
  let text = part.slice(declared.length);
  text = replaceAll(text, DECLARATION, 'inner XML declaration removed', '');
  text = replaceAll(text, DOCTYPE, 'DOCTYPE removed', '');
  text = replaceAll(text, LOOSE_LT, 'loose < escaped', '&lt;');
  return (
    declared +
    text.replace(REFERENCE, (whole, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) {
        if (PREDEFINED.has(name)) return whole;
        note('named reference resolved');
        return HTML_NAMES.get(name) ?? `&amp;${name};`;
      }
      if (decimal === undefined && hex === undefined) {
        note('loose & escaped');
        return '&amp;';
      }
      const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
      if (isXmlCharacter(code)) return whole;
      note('reference to a forbidden character removed');
      return '';
    })
  );
}

function outsideCdata(text: string, change: (part: string, isCdata: boolean) => string): string {
  return text
    .split(/(<!\[CDATA\[[\s\S]*?\]\]>)/)
    .map((part, index) => change(part, index % 2 === 1))
    .join('');
}

/** UTF-8 where it is that; single bytes that are not are taken for windows-1252, which they mostly are. */
function decodeLeniently(bytes: Uint8Array, note: (what: string) => void): string {
  const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });
  if (isUtf8(bytes)) return utf8.decode(bytes);
  const western = new TextDecoder('windows-1252');
  let text = '';
  let from = 0;
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceLength(bytes, at);
    if (length > 0) {
      at += length;
      continue;
    }
    note('bytes that are not UTF-8 read as windows-1252');
    text += utf8.decode(bytes.subarray(from, at)) + western.decode(bytes.subarray(at, at + 1));
    at++;
    from = at;
  }
  return text + utf8.decode(bytes.subarray(from));
}

/** Of the well-formed UTF-8 sequence (RFC 3629 §4) that starts here; 0 when none does. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return 1;
  const length =
    first >= 0xc2 && first < 0xe0
      ? 2
      : first >= 0xe0 && first < 0xf0
        ? 3
        : first >= 0xf0 && first < 0xf5
          ? 4
          : 0;
  return length > 0 && at + length <= bytes.length && isUtf8(bytes.subarray(at, at + length)) ? length : 0;
}
