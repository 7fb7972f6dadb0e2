/** Phrases: words in order, near each other, inside one value. All words of a document are in one segment. */
import { WORD_GAP } from '../../../query/words.ts';
import { PostingCursor } from './postings.ts';
import { encodeWord } from './word-bytes.ts';
import type { OpenSegment } from './word-reader.ts';

export interface Phrase {
  readonly column: number | undefined;
  /** For each place any of these words. */
  readonly steps: readonly (readonly Uint8Array[])[];
  /** Other words that may stand in between altogether. */
  readonly slop: number;
}

const GAP = encodeWord(WORD_GAP);
/** Factor of the column in a place. */
const COLUMN_PLACE = 2 ** 32;

/** Every document with the phrase, ascending, and how often it has it, weighed by column. */
export function matchPhrase(
  { segment, cursor, validity }: OpenSegment,
  { column, steps, slop }: Phrase,
  weights: Float32Array,
  found: (doc: number, frequency: number) => void,
): void {
  const open = (word: Uint8Array): PostingCursor[] =>
    cursor.find(word)
      ? [new PostingCursor(segment.postings(cursor), segment.positions(cursor), segment.row.base)]
      : [];
  const cursors: PostingCursor[][] = [];
  for (const words of steps) {
    const alternatives = words.flatMap(open);
    if (alternatives.length === 0) return;
    cursors.push(alternatives);
  }
  // Without slop no gap can stand between: it takes a place itself.
  const gaps = slop > 0 ? open(GAP) : [];
  const { generations, first, last } = validity;
  for (
    let doc = advanceAll(cursors, 0);
    doc !== Number.POSITIVE_INFINITY;
    doc = advanceAll(cursors, doc + 1)
  ) {
    const generation = generations[doc]!;
    if (generation < first || generation > last) continue;
    const places = cursors.map((alternatives) => placesIn(alternatives, doc, column));
    const gapPlaces = placesIn(gaps, doc, column);
    let frequency = 0;
    let times = 0;
    for (const start of places[0]!) {
      if (!stands(places, start, slop, gapPlaces)) continue;
      times++;
      frequency += weights[Math.floor(start / COLUMN_PLACE)]!;
    }
    if (times > 0) found(doc, frequency);
  }
}

/** The first document from this one on that has a word for every step. */
function advanceAll(steps: readonly (readonly PostingCursor[])[], from: number): number {
  let doc = from;
  for (let agreeing = 0; agreeing < steps.length && doc !== Number.POSITIVE_INFINITY; ) {
    agreeing = 0;
    for (const alternatives of steps) {
      let lowest = Number.POSITIVE_INFINITY;
      for (const cursor of alternatives) {
        cursor.advance(doc);
        if (cursor.doc < lowest) lowest = cursor.doc;
      }
      if (lowest > doc) {
        doc = lowest;
        break;
      }
      agreeing++;
    }
  }
  return doc;
}

function placesIn(cursors: readonly PostingCursor[], doc: number, column: number | undefined): number[] {
  const places: number[] = [];
  let lists = 0;
  for (const cursor of cursors) {
    cursor.advance(doc);
    if (cursor.doc !== doc) continue;
    cursor.readPlaces(column, places);
    lists++;
  }
  return lists > 1 ? places.sort((a, b) => a - b) : places;
}

/** From a fixed start, taking each next word as early as possible leaves the fewest others in between. */
function stands(
  steps: readonly (readonly number[])[],
  start: number,
  slop: number,
  gaps: readonly number[],
): boolean {
  let place = start;
  let left = slop;
  for (let i = 1; i < steps.length; i++) {
    const next = firstAfter(steps[i]!, place);
    // Of another column, a place is 2³² away.
    left -= next - place - 1;
    if (left < 0) return false;
    place = next;
  }
  return gaps.length === 0 || firstAfter(gaps, start) > place;
}

function firstAfter(places: readonly number[], place: number): number {
  let low = 0;
  let high = places.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (places[middle]! <= place) low = middle + 1;
    else high = middle;
  }
  return places[low] ?? Number.POSITIVE_INFINITY;
}
