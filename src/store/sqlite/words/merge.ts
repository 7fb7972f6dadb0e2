/**
 * Merging of segments, in steps that any process can go on with: what a step wrote and the word to go on
 * with stand in the row of the new segment, which takes the place of its inputs when it is complete. Only
 * neighbours are merged, so that a segment always covers generations without a gap.
 */

import { type ByteRange, emptyRange, setRange } from './byte-sink.ts';
import { decodeDocs, encodeDocs } from './doc-list.ts';
import {
  clearMerged,
  createMergedList,
  joinList,
  type MergedList,
  mergeLists,
  type WordList,
} from './merge-lists.ts';
import { DictionaryCursor, Segment } from './segment.ts';
import type { MergeRow, SegmentRow, SegmentStore } from './segment-store.ts';
import { SegmentWriter } from './segment-writer.ts';
import { compareBytes } from './word-bytes.ts';
import type { WordDocs } from './word-docs.ts';

interface Input {
  readonly cursor: DictionaryCursor;
  readonly row: SegmentRow;
}

const NO_WORD = new Uint8Array();

/** Notes the merge; the steps do the work. */
export function beginMerge(store: SegmentStore, inputs: readonly SegmentRow[]): void {
  const row: SegmentRow = {
    id: store.nextIds().id,
    first: inputs[0]!.first,
    last: inputs.at(-1)!.last,
    // Of one without documents it means nothing.
    base: Math.min(...inputs.map(({ base, postings }) => (postings > 0 ? base : Number.MAX_SAFE_INTEGER))),
    postings: 0,
    positions: 0,
  };
  store.put(row, NO_WORD, new Uint8Array(), new Uint8Array());
}

/** Merges until about so many bytes are written; returns how many were. `docs` must be up to date. */
export function stepMerge(store: SegmentStore, merge: MergeRow, docs: WordDocs, budget: number): number {
  const rows = store.list().filter(({ first, last }) => first >= merge.first && last <= merge.last);
  const isPlain = canJoin(store, rows, docs);
  const writer = SegmentWriter.resume(store, merge);
  const began = writer.bytes;
  const merged = createMergedList();
  const inputs: Input[] = [];
  for (const row of rows) {
    const cursor = new DictionaryCursor(new Segment(store, row));
    if (cursor.seek(merge.resume)) inputs.push({ cursor, row });
  }
  const ranges = { word: emptyRange(), postings: emptyRange(), positions: emptyRange() };
  const group: Input[] = [];
  while (inputs.length > 0) {
    takeLowest(inputs, group);
    const { word } = group[0]!.cursor;
    if (writer.bytes - began > budget) {
      writer.pause(word.view().slice());
      return writer.bytes - began;
    }
    if (isPlain) joinGroup(group, merge.base, merged, ranges);
    else
      mergeLists(
        group.map((input) => listOf(input, docs)),
        merge.base,
        merged,
      );
    if (merged.df > 0) {
      writer.add(
        setRange(ranges.word, word),
        merged.df,
        merged.last,
        setRange(ranges.postings, merged.postings),
        setRange(ranges.positions, merged.positions),
      );
    }
    for (const input of group) if (!input.cursor.next()) inputs.splice(inputs.indexOf(input), 1);
  }
  writer.finish(mergeDocs(store, rows, docs));
  for (const { id } of rows) store.drop(id);
  return writer.bytes - began;
}

/** Fills the group with those that stand at the lowest word, in the order of their generations. */
function takeLowest(inputs: readonly Input[], group: Input[]): void {
  group.length = 0;
  for (const input of inputs) {
    const first = group[0]?.cursor.word;
    const { bytes, length } = input.cursor.word;
    const order = first ? compareBytes(bytes, 0, length, first.bytes, 0, first.length) : 0;
    if (order < 0) group.length = 0;
    if (order <= 0) group.push(input);
  }
}

function joinGroup(
  group: readonly Input[],
  base: number,
  merged: MergedList,
  { postings, positions }: { postings: ByteRange; positions: ByteRange },
): void {
  clearMerged(merged);
  for (const { cursor, row } of group) {
    cursor.segment.locatePostings(cursor, postings);
    cursor.segment.locatePositions(cursor, positions);
    joinList(merged, base, { base: row.base, df: cursor.df, last: cursor.last }, postings, positions);
  }
}

function listOf({ cursor, row: { base, first, last } }: Input, { generations }: WordDocs): WordList {
  return {
    postings: cursor.segment.postings(cursor),
    positions: cursor.segment.positions(cursor),
    base,
    validity: { generations, first, last },
  };
}

/** Whether no document of the inputs is stale and their keys do not interleave. */
function canJoin(store: SegmentStore, rows: readonly SegmentRow[], { generations }: WordDocs): boolean {
  let highest = -1;
  for (const { id, first, last } of rows) {
    const { keys } = decodeDocs(store.docs(id));
    if (keys.length === 0) continue;
    if (keys[0]! <= highest) return false;
    highest = keys.at(-1)!;
    for (const key of keys) if (generations[key]! < first || generations[key]! > last) return false;
  }
  return true;
}

/** Before the first generation there is nothing that could be removed. */
function mergeDocs(store: SegmentStore, rows: readonly SegmentRow[], { generations }: WordDocs): Uint8Array {
  const lists = rows.map(({ id, first, last }) => ({ ...decodeDocs(store.docs(id)), first, last }));
  // Key and length in one number, to be sorted together; every document counts in one segment only.
  const counted = new Float64Array(lists.reduce((sum, { keys }) => sum + keys.length, 0));
  let count = 0;
  for (const { keys, lengths, first, last } of lists) {
    for (let i = 0; i < keys.length; i++) {
      const generation = generations[keys[i]!]!;
      if (generation >= first && generation <= last) counted[count++] = keys[i]! * 2 ** 32 + lengths[i]!;
    }
  }
  const sorted = counted.subarray(0, count).sort();
  const isFirst = store.list()[0]?.id === rows[0]?.id;
  return encodeDocs({
    keys: Uint32Array.from(sorted, (number) => Math.floor(number / 2 ** 32)),
    lengths: Uint32Array.from(sorted, (number) => number % 2 ** 32),
    removed: isFirst ? new Uint32Array() : uniteRemoved(lists, generations),
  });
}

/** Those that no later commit brought back. */
function uniteRemoved(lists: readonly { removed: Uint32Array }[], generations: Uint32Array): Uint32Array {
  const removed = new Set<number>();
  for (const list of lists) for (const key of list.removed) if (generations[key] === 0) removed.add(key);
  return Uint32Array.from(removed).sort();
}
