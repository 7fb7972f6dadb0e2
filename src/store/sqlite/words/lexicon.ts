/**
 * The words that a writer has met lately, numbered, in typed arrays: a Map of strings took a quarter of all
 * indexing time. Also keeps them in order, so that a commit's words need not be sorted one by one.
 */
import { WORD_GAP } from '../../../query/words.ts';
import { ByteSink } from './byte-sink.ts';
import { compareBytes, decodeWord, encodeWord } from './word-bytes.ts';

/** Of what stands between values: the first word of all. */
export const GAP_ID = 0;
const SPACE = 0x20;
const SEED = 0x3c6ef372;
/** Numbers of a slot, in one line of the processor's cache: hash, id + 1, where the bytes begin, how many they are. */
const SLOT = 4;
/** Words kept before everything is forgotten. */
const MAX_WORDS = 1 << 17;

export class Lexicon {
  /** Number of words; their ids lie below. */
  size = 0;
  /** Ids given since `settleOrder`. */
  #fresh: number[] = [];
  /** Open addressing; a slot is free when its second number is 0. */
  #slots = new Int32Array(0);
  #mask = 0;
  /** Where each word's bytes begin; one more than words. */
  #starts = new Uint32Array(1);
  readonly #arena = new ByteSink(1 << 16);
  #order = new Uint32Array(0);
  #spare = new Uint32Array(0);

  constructor() {
    this.clear();
  }

  clear(): void {
    this.size = 0;
    this.#fresh = [];
    this.#arena.clear();
    this.#order = new Uint32Array(0);
    this.#spare = new Uint32Array(0);
    this.#allocate(1 << 13);
    this.#idOfBytes(encodeWord(WORD_GAP));
  }

  /** Whether it should be cleared before more words come. */
  get isFull(): boolean {
    return this.size > MAX_WORDS;
  }

  /** Ids of the words of a line, which are parted by single spaces. */
  readLine(line: string, take: (id: number) => void): void {
    const { length } = line;
    for (let start = 0; start < length; ) {
      let hash = SEED;
      let end = start;
      let code = 0;
      for (; end < length; end++) {
        code = line.charCodeAt(end);
        if (code === SPACE || code >= 0x80) break;
        hash = mix(hash, code);
      }
      if (code >= 0x80 && end < length) {
        while (end < length && line.charCodeAt(end) !== SPACE) end++;
        take(this.#idOfBytes(encodeWord(line.slice(start, end))));
      } else if (end > start) take(this.#idOfAscii(finish(hash), line, start, end));
      start = end + 1;
    }
  }

  wordOf(id: number): string {
    return decodeWord(this.#arena.bytes.subarray(this.#starts[id], this.#starts[id + 1]));
  }

  /** Bytes of all words; those of one lie from `startOf(id)` to `startOf(id + 1)`. */
  get arena(): Uint8Array {
    return this.#arena.bytes;
  }

  startOf(id: number): number {
    return this.#starts[id]!;
  }

  /** All ids in the order of their words; takes in those that are new since the last call. */
  settleOrder(): Uint32Array {
    if (this.#fresh.length > 0) {
      this.#fresh.sort((a, b) => this.#compare(a, b));
      const old = this.#order;
      const length = old.length + this.#fresh.length;
      const merged =
        this.#spare.buffer.byteLength >= length * 4
          ? new Uint32Array(this.#spare.buffer, 0, length)
          : new Uint32Array(new ArrayBuffer(length * 5), 0, length);
      let from = 0;
      let to = 0;
      for (const id of this.#fresh) {
        const place = this.#placeIn(old, id, from);
        merged.set(old.subarray(from, place), to);
        to += place - from;
        merged[to++] = id;
        from = place;
      }
      merged.set(old.subarray(from), to);
      this.#spare = old;
      this.#order = merged;
      this.#fresh = [];
    }
    return this.#order;
  }

  #placeIn(order: Uint32Array, id: number, from: number): number {
    let low = from;
    let high = order.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#compare(order[middle]!, id) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #compare(a: number, b: number): number {
    const { bytes } = this.#arena;
    const starts = this.#starts;
    return compareBytes(bytes, starts[a]!, starts[a + 1]!, bytes, starts[b]!, starts[b + 1]!);
  }

  #idOfAscii(hash: number, line: string, start: number, end: number): number {
    const { bytes } = this.#arena;
    const slots = this.#slots;
    const length = end - start;
    let slot = hash & this.#mask;
    for (; slots[slot * SLOT + 1] !== 0; slot = (slot + 1) & this.#mask) {
      const at = slot * SLOT;
      if (slots[at] !== hash || slots[at + 3] !== length) continue;
      const from = slots[at + 2]!;
      let i = 0;
      while (i < length && bytes[from + i] === line.charCodeAt(start + i)) i++;
      if (i === length) return slots[at + 1]! - 1;
    }
    const from = this.#arena.length;
    this.#arena.reserve(length);
    for (let i = start; i < end; i++) this.#arena.bytes[from + i - start] = line.charCodeAt(i);
    this.#arena.length += length;
    return this.#add(slot, hash, from);
  }

  #idOfBytes(word: Uint8Array): number {
    let hash = SEED;
    for (const byte of word) hash = mix(hash, byte);
    hash = finish(hash);
    const slots = this.#slots;
    let slot = hash & this.#mask;
    for (; slots[slot * SLOT + 1] !== 0; slot = (slot + 1) & this.#mask) {
      const at = slot * SLOT;
      const from = slots[at + 2]!;
      const to = from + slots[at + 3]!;
      if (slots[at] === hash && compareBytes(this.#arena.bytes, from, to, word, 0, word.length) === 0) {
        return slots[at + 1]! - 1;
      }
    }
    const from = this.#arena.length;
    this.#arena.append(word);
    return this.#add(slot, hash, from);
  }

  /** The word's bytes are the last of the arena. */
  #add(slot: number, hash: number, from: number): number {
    const id = this.size++;
    if (this.size >= this.#starts.length) {
      const starts = new Uint32Array(this.size * 2);
      starts.set(this.#starts);
      this.#starts = starts;
    }
    this.#starts[this.size] = this.#arena.length;
    this.#fill(slot, hash, id + 1, from, this.#arena.length - from);
    this.#fresh.push(id);
    if (this.size * 2 > this.#mask) this.#grow();
    return id;
  }

  #fill(slot: number, hash: number, number: number, from: number, length: number): void {
    const at = slot * SLOT;
    this.#slots[at] = hash;
    this.#slots[at + 1] = number;
    this.#slots[at + 2] = from;
    this.#slots[at + 3] = length;
  }

  #grow(): void {
    const old = this.#slots;
    this.#allocate((this.#mask + 1) * 2);
    for (let at = 0; at < old.length; at += SLOT) {
      if (old[at + 1] === 0) continue;
      let slot = old[at]! & this.#mask;
      while (this.#slots[slot * SLOT + 1] !== 0) slot = (slot + 1) & this.#mask;
      this.#fill(slot, old[at]!, old[at + 1]!, old[at + 2]!, old[at + 3]!);
    }
  }

  #allocate(slots: number): void {
    this.#mask = slots - 1;
    this.#slots = new Int32Array(slots * SLOT);
  }
}

function mix(hash: number, code: number): number {
  const mixed = Math.imul(hash ^ code, 0x85ebca6b);
  return (mixed << 13) | (mixed >>> 19);
}

function finish(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 15), 0xc2b2ae35);
  return mixed ^ (mixed >>> 13);
}
