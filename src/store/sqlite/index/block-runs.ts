/** Keys in ascending order, cut where another block of a column begins. */
import { BLOCK_DOCS } from './column-block.ts';

/** Calls back with the number of a block and the keys that lie in it. */
export function eachRun(keys: Uint32Array, visit: (number: number, keys: Uint32Array) => void): void {
  for (let from = 0; from < keys.length; ) {
    const number = Math.floor(keys[from]! / BLOCK_DOCS);
    const end = (number + 1) * BLOCK_DOCS;
    let low = from + 1;
    let high = Math.min(keys.length, from + BLOCK_DOCS);
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (keys[middle]! < end) low = middle + 1;
      else high = middle;
    }
    visit(number, keys.subarray(from, low));
    from = low;
  }
}
