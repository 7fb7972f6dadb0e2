/** Walks over the values of one column. */
import { BLOCK_DOCS, KIND_WIDTH, PLACE_MASK } from './column-block.ts';
import type { Column } from './columns.ts';
import { DocSet } from './doc-set.ts';

/**
 * Documents with any value that passes. `test` gets the column's numbers and where a value begins among
 * them; a value of a box takes four numbers, of a span two.
 */
export function selectDocs(
  column: Column | undefined,
  size: number,
  test: (numbers: ArrayLike<number>, at: number) => boolean,
): DocSet {
  const docs = new DocSet(size);
  if (!column) return docs;
  const width = KIND_WIDTH[column.kind];
  const ordinal = column.kind === 'ordinal';
  for (let number = 0; number < column.blocks.length; number++) {
    const block = column.blocks[number];
    if (!block) continue;
    const { count, offsets, values } = block;
    const base = number * BLOCK_DOCS;
    for (let place = 0; place < count; place++) {
      if (offsets) {
        for (let at = offsets[place]!; at < offsets[place + 1]!; at++) {
          if (!test(values, at * width)) continue;
          docs.add(base + place);
          break;
        }
      } else {
        const first = values[place * width]!;
        const missing = ordinal ? first === 0 : Number.isNaN(first);
        if (!missing && test(values, place * width)) docs.add(base + place);
      }
    }
  }
  return docs;
}

/** Calls back with every value of every document in the set, document by document. */
export function eachValue(
  column: Column | undefined,
  keys: Uint32Array,
  visit: (key: number, numbers: ArrayLike<number>, at: number) => void,
): void {
  if (!column) return;
  const width = KIND_WIDTH[column.kind];
  const ordinal = column.kind === 'ordinal';
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i]!;
    const block = column.blocks[key >>> 12];
    const place = key & PLACE_MASK;
    if (!block || place >= block.count) continue;
    const { offsets, values } = block;
    if (offsets) {
      for (let at = offsets[place]!; at < offsets[place + 1]!; at++) visit(key, values, at * width);
    } else {
      const first = values[place * width]!;
      if (ordinal ? first !== 0 : !Number.isNaN(first)) visit(key, values, place * width);
    }
  }
}

/** The first number of a document's first value; NaN when it has none. */
export function firstNumber(column: Column | undefined, key: number): number {
  const block = column?.blocks[key >>> 12];
  const place = key & PLACE_MASK;
  if (!column || !block || place >= block.count) return Number.NaN;
  const width = KIND_WIDTH[column.kind];
  if (block.offsets) {
    const from = block.offsets[place]!;
    return from === block.offsets[place + 1]! ? Number.NaN : block.values[from * width]!;
  }
  const first = block.values[place * width]!;
  return column.kind === 'ordinal' && first === 0 ? Number.NaN : first;
}
