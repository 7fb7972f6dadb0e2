/** From extracted values and text to what the index takes: the same for every format and every test. */
import type { FieldSpec, Fields, IndexDocument } from '../core/model.ts';
import { joinWords } from './words.ts';

/**
 * The words of tokenised fields go under their names, in the order of their values; all other text nodes
 * go under `''`. A text node that is, but for white space, a value of a tokenised field is not counted
 * a second time.
 */
export function makeIndexDocument(
  fields: Fields,
  specs: readonly FieldSpec[],
  textNodes: Iterable<string>,
): IndexDocument {
  const words: Record<string, string> = {};
  const taken = new Set<string>();
  for (const spec of specs) {
    if (!spec.tokenised || Object.hasOwn(words, spec.name)) continue;
    const values = Object.hasOwn(fields, spec.name) ? fields[spec.name] : undefined;
    if (!values) continue;
    const texts: string[] = [];
    for (const value of values) {
      if (typeof value !== 'string') continue;
      texts.push(value);
      taken.add(plain(value));
    }
    const line = joinWords(texts);
    if (line) words[spec.name] = line;
  }
  const rest = joinWords(untaken(textNodes, taken));
  if (rest) words[''] = rest;
  return { fields, words };
}

function* untaken(textNodes: Iterable<string>, taken: ReadonlySet<string>): Generator<string> {
  for (const node of textNodes) if (!taken.has(plain(node))) yield node;
}

/** Indented XML breaks lines inside values; the extractor may or may not have joined them. */
function plain(text: string): string {
  const trimmed = text.trim();
  return /\s\s|[\n\r\t]/.test(trimmed) ? trimmed.replace(/\s+/g, ' ') : trimmed;
}
