/** A set of documents (item keys) as one bit each: what every part of a query evaluates to. */
export class DocSet {
  /** Keys lie below this. */
  readonly size: number;
  readonly bits: Uint32Array;

  constructor(size: number, bits = new Uint32Array((size + 31) >>> 5)) {
    this.size = size;
    this.bits = bits;
  }

  static of(size: number, keys: Iterable<number>): DocSet {
    const set = new DocSet(size);
    for (const key of keys) set.add(key);
    return set;
  }

  add(key: number): void {
    if (key < this.size) this.bits[key >>> 5]! |= 1 << (key & 31);
  }

  has(key: number): boolean {
    return key < this.size && (this.bits[key >>> 5]! & (1 << (key & 31))) !== 0;
  }

  and(other: DocSet): DocSet {
    const bits = new Uint32Array(this.bits.length);
    for (let i = 0; i < bits.length; i++) bits[i] = this.bits[i]! & other.bits[i]!;
    return new DocSet(this.size, bits);
  }

  or(other: DocSet): DocSet {
    const bits = new Uint32Array(this.bits.length);
    for (let i = 0; i < bits.length; i++) bits[i] = this.bits[i]! | other.bits[i]!;
    return new DocSet(this.size, bits);
  }

  without(other: DocSet): DocSet {
    const bits = new Uint32Array(this.bits.length);
    for (let i = 0; i < bits.length; i++) bits[i] = this.bits[i]! & ~other.bits[i]!;
    return new DocSet(this.size, bits);
  }

  count(): number {
    let total = 0;
    for (let i = 0; i < this.bits.length; i++) {
      // Population count of 32 bits, in parallel halves.
      let word = this.bits[i]!;
      if (word === 0) continue;
      word -= (word >>> 1) & 0x55555555;
      word = (word & 0x33333333) + ((word >>> 2) & 0x33333333);
      total += (((word + (word >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
    }
    return total;
  }

  /** Ascending. */
  keys(): Uint32Array {
    const keys = new Uint32Array(this.count());
    let next = 0;
    for (let i = 0; i < this.bits.length; i++) {
      let word = this.bits[i]!;
      while (word !== 0) {
        const low = word & -word;
        keys[next++] = (i << 5) + 31 - Math.clz32(low);
        word ^= low;
      }
    }
    return keys;
  }
}
