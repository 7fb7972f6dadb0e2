/** Finds equal keys among millions in bounded memory: keys are kept as numbers, and compared bucket by bucket. */

/** Of 16 bytes each; what comes later is not looked at, and the report says so. */
const MAX_KEYS = 8_000_000;
const BUCKETS = 256;

export interface EqualKeys {
  /** Items that share a key; a hash may lie, so whoever shows them compares the keys themselves. */
  readonly items: readonly number[];
}

export class DuplicateFinder {
  /** Hash and item in turn. */
  readonly #buckets: number[][] = Array.from({ length: BUCKETS }, () => []);
  #count = 0;
  #complete = true;

  /** Whether all keys were looked at. */
  get complete(): boolean {
    return this.#complete;
  }

  add(key: string, item: number): void {
    if (this.#count >= MAX_KEYS) {
      this.#complete = false;
      return;
    }
    this.#count++;
    const hash = hashOf(key);
    this.#buckets[hash % BUCKETS]?.push(hash, item);
  }

  /** Each bucket is small enough to be sorted without anybody noticing; between two of them others may work. */
  async *groups(): AsyncGenerator<EqualKeys> {
    for (const bucket of this.#buckets) {
      yield* equalIn(bucket);
      bucket.length = 0;
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
    }
  }
}

function* equalIn(bucket: readonly number[]): Generator<EqualKeys> {
  const byHash = new Map<number, number[]>();
  for (let i = 0; i < bucket.length; i += 2) {
    const hash = bucket[i] ?? 0;
    const item = bucket[i + 1] ?? 0;
    const known = byHash.get(hash);
    if (!known) byHash.set(hash, [item]);
    else if (known.at(-1) !== item) known.push(item);
  }
  for (const items of byHash.values()) if (items.length > 1) yield { items };
}

/** 53 bits: two rounds of multiplication and mixing over the UTF-16 units. */
function hashOf(text: string): number {
  let high = 0x9e3779b9;
  let low = 0x85ebca6b;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    high = Math.imul(high ^ unit, 0xcc9e2d51);
    low = Math.imul(low ^ unit, 0x1b873593);
  }
  high = Math.imul(high ^ (high >>> 15), 0x2c1b3c6d) ^ Math.imul(low ^ (low >>> 13), 0x297a2d39);
  low = Math.imul(low ^ (low >>> 15), 0x2c1b3c6d) ^ Math.imul(high ^ (high >>> 13), 0x297a2d39);
  return (high & 0x1fffff) * 2 ** 32 + (low >>> 0);
}
