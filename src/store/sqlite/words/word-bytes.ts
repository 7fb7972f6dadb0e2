/** Words as UTF-8, in the order of their bytes: the order of every dictionary of the index. */

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export const encodeWord = (word: string): Uint8Array => encoder.encode(word);

export const decodeWord = (bytes: Uint8Array): string => decoder.decode(bytes);

/** Negative, 0 or positive, as `a` comes before, is or comes after `b`. */
export function compareBytes(
  a: Uint8Array,
  aFrom: number,
  aTo: number,
  b: Uint8Array,
  bFrom: number,
  bTo: number,
): number {
  const common = Math.min(aTo - aFrom, bTo - bFrom);
  for (let i = 0; i < common; i++) {
    const difference = a[aFrom + i]! - b[bFrom + i]!;
    if (difference !== 0) return difference;
  }
  return aTo - aFrom - (bTo - bFrom);
}
