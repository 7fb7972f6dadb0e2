/** From extracted values and text to what the index takes: the same for every format and every test. */
import type { FieldSpec, Fields, IndexDocument } from '../core/model.ts';
import { joinWords } from './join-words.ts';

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
  const taken = new Set<string>();
  const texts = tokenisedValues(fields, specs);
  for (const values of texts.values()) for (const value of values) taken.add(plain(value));
  return { fields, words: joinAll(texts, joinWords(untaken(textNodes, taken))) };
}

/** The words of a document of which the fields and the words of the rest of its text are known. */
export function withFieldWords(
  fields: Fields,
  specs: readonly FieldSpec[],
  rest: string,
): Record<string, string> {
  return joinAll(tokenisedValues(fields, specs), rest);
}

function joinAll(texts: ReadonlyMap<string, readonly string[]>, rest: string): Record<string, string> {
  const words: Record<string, string> = {};
  for (const [name, values] of texts) {
    const line = joinWords(values);
    if (line) words[name] = line;
  }
  if (rest) words[''] = rest;
  return words;
}

function tokenisedValues(fields: Fields, specs: readonly FieldSpec[]): Map<string, readonly string[]> {
  const texts = new Map<string, readonly string[]>();
  for (const { name, tokenised } of specs) {
    if (!tokenised || texts.has(name) || !Object.hasOwn(fields, name)) continue;
    texts.set(name, fields[name]?.filter((value) => typeof value === 'string') ?? []);
  }
  return texts;
}

const untaken = (textNodes: Iterable<string>, taken: ReadonlySet<string>): string[] =>
  Array.from(textNodes).filter((node) => !taken.has(plain(node)));

/** Indented XML breaks lines inside values; the extractor may or may not have joined them. */
function plain(text: string): string {
  const trimmed = text.trim();
  return /\s\s|[\n\r\t]/.test(trimmed) ? trimmed.replace(/\s+/g, ' ') : trimmed;
}
