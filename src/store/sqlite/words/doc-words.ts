/** A document's words as the index takes them: by column, each a line of words parted by spaces. */
import { WORD_GAP } from '../../../query/words.ts';
import type { IndexedField } from '../index/field-registry.ts';
import { REST_COLUMN } from './postings.ts';

export interface DocWords {
  readonly key: number;
  /** Ascending columns. */
  readonly columns: readonly { readonly column: number; readonly line: string }[];
}

/** Text of no field of its own goes to the rest. */
export function docWords(
  key: number,
  words: Readonly<Record<string, string>>,
  fields: ReadonlyMap<string, IndexedField>,
): DocWords {
  const columns: { column: number; line: string }[] = [];
  const rest: string[] = [];
  for (const [name, line] of Object.entries(words)) {
    if (!line) continue;
    const column = fields.get(name)?.wordColumn;
    if (column === undefined) rest.push(line);
    else columns.push({ column, line });
  }
  columns.sort((a, b) => a.column - b.column);
  if (rest.length > 0) columns.push({ column: REST_COLUMN, line: rest.join(` ${WORD_GAP} `) });
  return { key, columns };
}
