import type { IndexedField } from './field-registry.ts';

/** c0…c31 and the rest of the text. */
const WORD_COLUMNS = 33;

/** How much a hit weighs, by column of words; the rest of the text weighs 1. */
export function wordWeights(fields: Iterable<IndexedField>): number[] {
  const weights = new Array<number>(WORD_COLUMNS).fill(1);
  for (const { wordColumn, spec } of fields) if (wordColumn !== undefined) weights[wordColumn] = spec.weight;
  return weights;
}
