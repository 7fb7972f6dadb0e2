/**
 * CRC-32 of two parts after one another, from those of the parts: the first is multiplied by x to the power of the
 * number of bits that follow, modulo the polynomial of the CRC, and the second is added.
 */

/** Polynomials are written with the lowest power in the highest bit, as the CRC itself is; of this one x³² is left out. */
const POLYNOMIAL = 0xedb88320;
const ONE = 0x80000000;
const X = 0x40000000;

export function combineCrc32(first: number, second: number, secondLength: number): number {
  return (multiply(powerOfX(secondLength * 8), first) ^ second) >>> 0;
}

function multiply(left: number, right: number): number {
  let product = 0;
  let shifted = right;
  for (let bit = ONE; bit !== 0; bit >>>= 1) {
    if (left & bit) product ^= shifted;
    shifted = shifted & 1 ? (shifted >>> 1) ^ POLYNOMIAL : shifted >>> 1;
  }
  return product;
}

/** By squares; the exponent may have more than 32 bits. */
function powerOfX(exponent: number): number {
  let power = ONE;
  let square = X;
  for (let left = exponent; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) power = multiply(power, square);
    square = multiply(square, square);
  }
  return power;
}
