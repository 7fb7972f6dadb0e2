import type { MetadataFormat } from './format.ts';
import { compilePointer, followPointer } from './json-pointer.ts';

/** What of a record is searched beside its fields. */
export function* searchedTexts({ texts }: Pick<MetadataFormat, 'texts'>, record: unknown): Generator<string> {
  if (!texts) yield* jsonTexts(record);
  else for (const path of texts) yield* jsonTexts(followPointer(compilePointer(path), record));
}

/** Every text in a JSON document, for the full-text index: values, not keys. */
export function* jsonTexts(value: unknown): Generator<string> {
  if (typeof value === 'string') {
    const text = value.trim();
    if (text !== '') yield text;
  } else if (typeof value === 'number') yield String(value);
  else if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values(value)) yield* jsonTexts(inner);
  }
}
