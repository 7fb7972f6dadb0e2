/**
 * A list of postings: for each document the gap to the one before it (varint), then for each column that
 * has the word one byte: the column, whether the word stands there several times (the count follows as a
 * varint) and whether another column follows. The places of the word stand in the same order in a list of
 * their own: for each document and column the first, then the gaps between them.
 */

/** Bits of the byte. */
export const SEVERAL = 0x40;
export const MORE_COLUMNS = 0x80;
const COLUMN = 0x3f;

/** c0…c31 and the rest of the text. */
export const COLUMN_COUNT = 33;
export const REST_COLUMN = COLUMN_COUNT - 1;

/** Which documents of a segment count: those whose words are of one of its generations. */
export interface Validity {
  readonly generations: Uint32Array;
  readonly first: number;
  readonly last: number;
}

/**
 * Documents that have the word (in that column, if one is given), with how often, weighed by column.
 * Writes them behind the first `count` entries, and returns how many there are then.
 */
export function readPostings(
  bytes: Uint8Array,
  base: number,
  { generations, first, last }: Validity,
  column: number | undefined,
  weights: Float32Array,
  docs: Uint32Array,
  frequencies: Float32Array,
  count: number,
): number {
  let found = count;
  let doc = base;
  const { length } = bytes;
  for (let at = 0; at < length; ) {
    let byte = bytes[at++]!;
    let gap = byte & 0x7f;
    for (let shift = 7; byte & 0x80; shift += 7) {
      byte = bytes[at++]!;
      gap |= (byte & 0x7f) << shift;
    }
    doc += gap >>> 0;
    let frequency = 0;
    let has = false;
    let code: number;
    do {
      code = bytes[at++]!;
      let times = 1;
      if (code & SEVERAL) {
        byte = bytes[at++]!;
        times = byte & 0x7f;
        for (let shift = 7; byte & 0x80; shift += 7) {
          byte = bytes[at++]!;
          times |= (byte & 0x7f) << shift;
        }
      }
      if (column === undefined || column === (code & COLUMN)) {
        has = true;
        frequency += weights[code & COLUMN]! * times;
      }
    } while (code & MORE_COLUMNS);
    const generation = generations[doc]!;
    if (has && generation >= first && generation <= last) {
      docs[found] = doc;
      frequencies[found++] = frequency;
    }
  }
  return found;
}

/** Goes through a list document by document, with the places of the word. */
export class PostingCursor {
  /** -1 before the first, Infinity behind the last. */
  doc = -1;
  readonly #postings: Uint8Array;
  readonly #positions: Uint8Array;
  readonly #base: number;
  #at = 0;
  /** Where the columns of this document begin in the postings. */
  #columnsAt = 0;
  #placesAt = 0;
  /** Places of earlier documents that were not read. */
  #behind = 0;
  /** Places of this document. */
  #count = 0;

  constructor(postings: Uint8Array, positions: Uint8Array, base: number) {
    this.#postings = postings;
    this.#positions = positions;
    this.#base = base;
  }

  /** To the first document that is not before this one. */
  advance(doc: number): void {
    while (this.doc < doc) this.#next();
  }

  /** Adds column × 2³² + place for every place of the word in this document (and column, if given). */
  readPlaces(column: number | undefined, places: number[]): void {
    this.#skip();
    let at = this.#columnsAt;
    let placesAt = this.#placesAt;
    let code: number;
    do {
      code = this.#postings[at++]!;
      let times = 1;
      if (code & SEVERAL) [times, at] = readVarint(this.#postings, at);
      const here = code & COLUMN;
      for (let place = 0; times > 0; times--) {
        let gap: number;
        [gap, placesAt] = readVarint(this.#positions, placesAt);
        place += gap;
        if (column === undefined || column === here) places.push(here * 2 ** 32 + place);
      }
    } while (code & MORE_COLUMNS);
  }

  #next(): void {
    const bytes = this.#postings;
    if (this.#at >= bytes.length) {
      this.doc = Number.POSITIVE_INFINITY;
      return;
    }
    this.#behind += this.#count;
    this.#count = 0;
    let byte = bytes[this.#at++]!;
    let gap = byte & 0x7f;
    for (let shift = 7; byte & 0x80; shift += 7) {
      byte = bytes[this.#at++]!;
      gap |= (byte & 0x7f) << shift;
    }
    this.doc = (this.doc < 0 ? this.#base : this.doc) + (gap >>> 0);
    this.#columnsAt = this.#at;
    let code: number;
    do {
      code = bytes[this.#at++]!;
      let times = 1;
      if (code & SEVERAL) [times, this.#at] = readVarint(bytes, this.#at);
      this.#count += times;
    } while (code & MORE_COLUMNS);
  }

  /** Every place ends with a byte below 128. */
  #skip(): void {
    const bytes = this.#positions;
    let at = this.#placesAt;
    for (let left = this.#behind; left > 0; at++) if (bytes[at]! < 0x80) left--;
    this.#placesAt = at;
    this.#behind = 0;
  }
}

function readVarint(bytes: Uint8Array, start: number): [value: number, at: number] {
  let at = start;
  let byte = bytes[at++]!;
  let value = byte & 0x7f;
  for (let shift = 7; byte & 0x80; shift += 7) {
    byte = bytes[at++]!;
    value |= (byte & 0x7f) << shift;
  }
  return [value >>> 0, at];
}

/** Every place of a word in every document; returns how many documents the list has, -1 when it does not add up. */
export function walkList(
  postings: Uint8Array,
  positions: Uint8Array,
  base: number,
  visit: (doc: number, column: number, place: number) => void,
): number {
  let doc = base;
  let df = 0;
  let placesAt = 0;
  for (let at = 0; at < postings.length; df++) {
    let gap: number;
    [gap, at] = readVarint(postings, at);
    if (gap === 0 && df > 0) return -1;
    doc += gap;
    let code: number;
    do {
      code = postings[at++]!;
      let times = 1;
      if (code & SEVERAL) [times, at] = readVarint(postings, at);
      for (let place = 0; times > 0; times--) {
        if (placesAt >= positions.length) return -1;
        [gap, placesAt] = readVarint(positions, placesAt);
        place += gap;
        visit(doc, code & COLUMN, place);
      }
    } while (code & MORE_COLUMNS);
  }
  return placesAt === positions.length ? df : -1;
}
