/** Random numbers that are the same every time (mulberry32), for archives that are made up. */
export interface Random {
  /** From 0 to less than 1. */
  next(): number;
  /** A whole number, both ends included. */
  whole(min: number, max: number): number;
  pick<T>(choices: readonly T[]): T;
  /** With so many digits behind the point. */
  decimal(min: number, max: number, digits: number): string;
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    next,
    whole: (min, max) => min + Math.floor(next() * (max - min + 1)),
    pick: (choices) => choices[Math.floor(next() * choices.length)]!,
    decimal: (min, max, digits) => (min + next() * (max - min)).toFixed(digits),
  };
}
