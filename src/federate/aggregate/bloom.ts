/** A set that may hold more than was put in, never less. All are of one size, so that they can be joined. */
const BITS = 16_384;
const HASHES = 4;

export class Bloom {
  readonly #bits: Uint8Array;
  /** When none is left, there is nothing more to put in. */
  #unset: number;

  constructor(bits: Uint8Array = new Uint8Array(BITS / 8)) {
    this.#bits = bits;
    this.#unset = countUnset(bits);
  }

  add(text: string): void {
    if (this.#unset === 0) return;
    const { first, step } = hash(text);
    for (let i = 0; i < HASHES; i++) {
      const bit = (first + i * step) % BITS;
      const mask = 1 << (bit & 7);
      if ((this.#bits[bit >>> 3]! & mask) !== 0) continue;
      this.#bits[bit >>> 3]! |= mask;
      this.#unset--;
    }
  }

  mayHave(text: string): boolean {
    const { first, step } = hash(text);
    for (let i = 0; i < HASHES; i++) {
      const bit = (first + i * step) % BITS;
      if ((this.#bits[bit >>> 3]! & (1 << (bit & 7))) === 0) return false;
    }
    return true;
  }

  join(other: Bloom): void {
    for (let i = 0; i < this.#bits.length; i++) this.#bits[i]! |= other.#bits[i]!;
    this.#unset = countUnset(this.#bits);
  }

  toString(): string {
    return Buffer.from(this.#bits).toString('base64');
  }

  /** Undefined when the text is no filter of this size. */
  static parse(text: string): Bloom | undefined {
    const bits = Uint8Array.from(Buffer.from(text, 'base64'));
    return bits.length === BITS / 8 ? new Bloom(bits) : undefined;
  }
}

function countUnset(bits: Uint8Array): number {
  let unset = 0;
  for (const byte of bits) for (let left = ~byte & 0xff; left !== 0; left &= left - 1) unset++;
  return unset;
}

/** Two FNV-1a hashes: where the first bit lies, and how far apart the others are. */
function hash(text: string): { first: number; step: number } {
  let one = 0x811c9dc5;
  let two = 0xc9dc5118;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    one = Math.imul(one ^ unit, 0x01000193);
    two = Math.imul(two ^ unit ^ (one >>> 15), 0x01000193);
  }
  return { first: one >>> 0, step: (two | 1) >>> 0 };
}
