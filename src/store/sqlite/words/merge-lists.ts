/** The lists of one word from several segments as one list, without stale documents. */
import { type ByteRange, ByteSink } from './byte-sink.ts';
import { MORE_COLUMNS, SEVERAL, type Validity } from './postings.ts';

export interface WordList {
  readonly postings: Uint8Array;
  readonly positions: Uint8Array;
  readonly base: number;
  readonly validity: Validity;
}

export interface MergedList {
  df: number;
  /** The last document, from the base. */
  last: number;
  readonly postings: ByteSink;
  readonly positions: ByteSink;
}

export function createMergedList(): MergedList {
  return { df: 0, last: 0, postings: new ByteSink(1 << 14), positions: new ByteSink(1 << 14) };
}

export function clearMerged(into: MergedList): void {
  into.postings.clear();
  into.positions.clear();
  into.df = 0;
  into.last = 0;
}

/**
 * Adds a list of which all documents count and come behind those that are there: only its first gap changes.
 * `last`: of its last document, from its own base; -1 when it has only one. `base` is that of the merged list.
 */
export function joinList(
  into: MergedList,
  base: number,
  list: { readonly base: number; readonly df: number; readonly last: number },
  postings: ByteRange,
  positions: ByteRange,
): void {
  const [gap, at] = readGap(postings.bytes, postings.from);
  const first = list.base + gap - base;
  into.postings.varint(first - into.last);
  into.postings.append(postings.bytes, at, postings.to);
  into.positions.append(positions.bytes, positions.from, positions.to);
  into.df += list.df;
  into.last = list.last < 0 ? first : list.base + list.last - base;
}

/** Any lists: document by document, the lowest of all next. */
export function mergeLists(lists: readonly WordList[], base: number, into: MergedList): void {
  clearMerged(into);
  let before = base;
  const cursors = lists.map((list) => new ListCursor(list));
  for (;;) {
    let lowest = cursors[0]!;
    for (const cursor of cursors) if (cursor.doc < lowest.doc) lowest = cursor;
    if (lowest.doc === Number.POSITIVE_INFINITY) break;
    into.postings.varint(lowest.doc - before);
    into.postings.append(lowest.columns.bytes, lowest.columns.from, lowest.columns.to);
    into.positions.append(lowest.places.bytes, lowest.places.from, lowest.places.to);
    into.df++;
    before = lowest.doc;
    lowest.next();
  }
  into.last = before - base;
}

/** Documents that count, with the bytes of their columns and places. */
class ListCursor {
  doc: number;
  readonly columns: { bytes: Uint8Array; from: number; to: number };
  readonly places: { bytes: Uint8Array; from: number; to: number };
  readonly #validity: Validity;
  #last: number;

  constructor({ postings, positions, base, validity }: WordList) {
    this.doc = base;
    this.#last = base;
    this.#validity = validity;
    this.columns = { bytes: postings, from: 0, to: 0 } satisfies ByteRange;
    this.places = { bytes: positions, from: 0, to: 0 } satisfies ByteRange;
    this.next();
  }

  next(): void {
    const { columns, places } = this;
    const { generations, first, last } = this.#validity;
    for (;;) {
      if (columns.to >= columns.bytes.length) {
        this.doc = Number.POSITIVE_INFINITY;
        return;
      }
      const [gap, at] = readGap(columns.bytes, columns.to);
      this.#last += gap;
      columns.from = at;
      let to = at;
      let count = 0;
      let code: number;
      do {
        code = columns.bytes[to++]!;
        let times = 1;
        if (code & SEVERAL) [times, to] = readGap(columns.bytes, to);
        count += times;
      } while (code & MORE_COLUMNS);
      columns.to = to;
      places.from = places.to;
      let end = places.from;
      for (; count > 0 && end < places.bytes.length; end++) if (places.bytes[end]! < 0x80) count--;
      places.to = end;
      const generation = generations[this.#last] ?? 0;
      if (generation >= first && generation <= last) {
        this.doc = this.#last;
        return;
      }
    }
  }
}

function readGap(bytes: Uint8Array, start: number): [gap: number, at: number] {
  let at = start;
  let byte = bytes[at++]!;
  let gap = byte & 0x7f;
  for (let shift = 7; byte & 0x80; shift += 7) {
    byte = bytes[at++]!;
    gap |= (byte & 0x7f) << shift;
  }
  return [gap >>> 0, at];
}
