/** A set that may hold more than was put in, never less. All are of one size, so that they can be joined. */
const BITS = 16_384;
const HASHES = 4;

export class Bloom {
  readonly #bits: Uint8Array;

  constructor(bits: Uint8Array = new Uint8Array(BITS / 8)) {
    this.#bits = bits;
  }

  add(text: string): void {
    for (const bit of places(text)) this.#bits[bit >>> 3]! |= 1 << (bit & 7);
  }

  mayHave(text: string): boolean {
    return places(text).every((bit) => (this.#bits[bit >>> 3]! & (1 << (bit & 7))) !== 0);
  }

  join(other: Bloom): void {
    for (let i = 0; i < this.#bits.length; i++) this.#bits[i]! |= other.#bits[i]!;
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

/** Two FNV-1a hashes, combined. */
function places(text: string): number[] {
  let one = 0x811c9dc5;
  let two = 0xc9dc5118;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    one = Math.imul(one ^ unit, 0x01000193);
    two = Math.imul(two ^ unit ^ (one >>> 15), 0x01000193);
  }
  const step = (two | 1) >>> 0;
  return Array.from({ length: HASHES }, (_, i) => ((one >>> 0) + i * step) % BITS);
}
