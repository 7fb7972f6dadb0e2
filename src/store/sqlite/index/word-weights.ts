import { COLUMN_COUNT } from '../words/postings.ts';
import type { IndexedField } from './field-registry.ts';

/** How much a hit weighs, by column of words; the rest of the text weighs 1. */
export function wordWeights(fields: Iterable<IndexedField>): number[] {
  const weights = new Array<number>(COLUMN_COUNT).fill(1);
  for (const { wordColumn, spec } of fields) if (wordColumn !== undefined) weights[wordColumn] = spec.weight;
  return weights;
}
