/**
 * Doc values of one field for up to 4,096 neighbouring documents, as one typed array that is read from
 * disk without parsing. A document's place is `key % BLOCK_DOCS`. Blocks never change; a changed
 * document makes a new block.
 */
import { GarnerError } from '../../../core/errors.ts';

export const BLOCK_DOCS = 4096;
/** A key's place in its block. */
export const PLACE_MASK = BLOCK_DOCS - 1;

/**
 * ordinal: dictionary numbers (from 1); number: one float; span: start and end instants of a date or an
 * interval, open ends infinite; box: west, south, east, north.
 */
export const COLUMN_KINDS = ['ordinal', 'number', 'span', 'box'] as const;
export type ColumnKind = (typeof COLUMN_KINDS)[number];

export const KIND_WIDTH: Readonly<Record<ColumnKind, number>> = { ordinal: 1, number: 1, span: 2, box: 4 };

export interface ColumnBlock {
  readonly kind: ColumnKind;
  /** Documents at places from here on have no value. */
  readonly count: number;
  /**
   * Document at place p has the values from offsets[p] to offsets[p + 1], counted in values. Absent when
   * every place has one slot, whose first number is 0 (ordinal) or NaN when the document has no value.
   */
  readonly offsets: Uint32Array | undefined;
  readonly values: Uint32Array | Float64Array;
}

/** Where the values of one place stand; `from === to` when there is none. */
export function valueBounds(block: ColumnBlock, place: number): readonly [from: number, to: number] {
  if (place >= block.count) return [0, 0];
  if (block.offsets) return [block.offsets[place]!, block.offsets[place + 1]!];
  const first = block.values[place * KIND_WIDTH[block.kind]]!;
  return isMissing(block.kind, first) ? [0, 0] : [place, place + 1];
}

export function isMissing(kind: ColumnKind, first: number): boolean {
  return kind === 'ordinal' ? first === 0 : Number.isNaN(first);
}

/** `lists[place]`: the document's values as flat numbers; absent or empty when it has none. */
export function buildBlock(kind: ColumnKind, lists: ArrayLike<ArrayLike<number> | undefined>): ColumnBlock {
  const width = KIND_WIDTH[kind];
  let count = 0;
  let numbers = 0;
  let several = false;
  for (let place = 0; place < lists.length; place++) {
    const length = lists[place]?.length ?? 0;
    if (length === 0) continue;
    count = place + 1;
    numbers += length;
    if (length > width) several = true;
  }
  if (!several) {
    const values =
      kind === 'ordinal' ? new Uint32Array(count) : new Float64Array(count * width).fill(Number.NaN);
    for (let place = 0; place < count; place++) {
      const list = lists[place];
      if (list) for (let i = 0; i < list.length; i++) values[place * width + i] = list[i]!;
    }
    return { kind, count, offsets: undefined, values };
  }
  const offsets = new Uint32Array(count + 1);
  const values = kind === 'ordinal' ? new Uint32Array(numbers) : new Float64Array(numbers);
  let next = 0;
  for (let place = 0; place < count; place++) {
    const list = lists[place];
    if (list) for (let i = 0; i < list.length; i++) values[next++] = list[i]!;
    offsets[place + 1] = next / width;
  }
  return { kind, count, offsets, values };
}

/** A document's new values: those at a place of another block, or none. */
export interface NewValues {
  readonly block: ColumnBlock | undefined;
  readonly place: number;
}

/** The same block with the documents at some places replaced. */
export function replacePlaces(
  kind: ColumnKind,
  old: ColumnBlock | undefined,
  changes: ReadonlyMap<number, NewValues>,
): ColumnBlock {
  const base = old?.kind === kind ? old : undefined;
  let count = base?.count ?? 0;
  let single = base?.offsets === undefined;
  for (const [place, { block, place: row }] of changes) {
    count = Math.max(count, place + 1);
    if (single && block) single = countValues(block, row) <= 1;
  }
  return single ? replaceSingle(kind, base, changes, count) : replaceSeveral(kind, base, changes, count);
}

function countValues(block: ColumnBlock, place: number): number {
  const [from, to] = valueBounds(block, place);
  return to - from;
}

function newArray(kind: ColumnKind, length: number): Uint32Array | Float64Array {
  return kind === 'ordinal' ? new Uint32Array(length) : new Float64Array(length);
}

function replaceSingle(
  kind: ColumnKind,
  base: ColumnBlock | undefined,
  changes: ReadonlyMap<number, NewValues>,
  count: number,
): ColumnBlock {
  const width = KIND_WIDTH[kind];
  const missing = kind === 'ordinal' ? 0 : Number.NaN;
  const values = newArray(kind, count * width);
  if (base) values.set(base.values);
  values.fill(missing, (base?.count ?? 0) * width);
  for (const [place, change] of changes) {
    const [from, to] = change.block?.kind === kind ? valueBounds(change.block, change.place) : NOTHING;
    if (from === to) values.fill(missing, place * width, (place + 1) * width);
    else values.set(change.block!.values.subarray(from * width, to * width), place * width);
  }
  return { kind, count, offsets: undefined, values };
}

const NOTHING = [0, 0] as const;

function replaceSeveral(
  kind: ColumnKind,
  base: ColumnBlock | undefined,
  changes: ReadonlyMap<number, NewValues>,
  count: number,
): ColumnBlock {
  const width = KIND_WIDTH[kind];
  const offsets = new Uint32Array(count + 1);
  for (let place = 0; place < count; place++) {
    const change = changes.get(place);
    const block = change ? change.block : base;
    const length = block?.kind === kind ? countValues(block, change?.place ?? place) : 0;
    offsets[place + 1] = offsets[place]! + length;
  }
  const values = newArray(kind, offsets[count]! * width);
  for (let place = 0; place < count; place++) {
    if (offsets[place] === offsets[place + 1]) continue;
    const change = changes.get(place);
    const block = (change ? change.block : base)!;
    let [from] = valueBounds(block, change?.place ?? place);
    from *= width;
    for (let to = offsets[place]! * width; to < offsets[place + 1]! * width; to++)
      values[to] = block.values[from++]!;
  }
  return { kind, count, offsets, values };
}

const MAGIC = 0x47434231;
/** Magic, kind, count, whether there are offsets (32 bits each), and the commit that wrote it (64). */
const HEADER_BYTES = 24;

export function encodeBlock(block: ColumnBlock, seq: number): Uint8Array {
  const offsetBytes = block.offsets ? align(block.offsets.byteLength) : 0;
  const bytes = new Uint8Array(align(HEADER_BYTES + offsetBytes + block.values.byteLength));
  const header = new DataView(bytes.buffer);
  header.setUint32(0, MAGIC, true);
  header.setUint32(4, COLUMN_KINDS.indexOf(block.kind), true);
  header.setUint32(8, block.count, true);
  header.setUint32(12, block.offsets ? 1 : 0, true);
  header.setFloat64(16, seq, true);
  if (block.offsets) bytes.set(asBytes(block.offsets), HEADER_BYTES);
  bytes.set(asBytes(block.values), HEADER_BYTES + offsetBytes);
  return bytes;
}

/** The commit up to which a stored block holds the changes; needs only its first bytes. */
export function blockSeq(bytes: Uint8Array): number {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getFloat64(16, true);
}

/** Enough of a stored block for `blockSeq`. */
export const BLOCK_HEADER_BYTES = HEADER_BYTES;

export function decodeBlock(bytes: Uint8Array): ColumnBlock {
  if (bytes.byteLength < HEADER_BYTES) throw damaged('too short');
  // Typed arrays need aligned memory; bytes from the database nearly always are.
  const aligned = bytes.byteOffset % 8 === 0 ? bytes : bytes.slice();
  const header = new DataView(aligned.buffer, aligned.byteOffset, aligned.byteLength);
  const kind = COLUMN_KINDS[header.getUint32(4, true)];
  if (header.getUint32(0, true) !== MAGIC || !kind) throw damaged('not a column block');
  const count = header.getUint32(8, true);
  let at = HEADER_BYTES;
  let offsets: Uint32Array | undefined;
  let length = count;
  if (header.getUint32(12, true) === 1) {
    if (at + (count + 1) * 4 > aligned.byteLength) throw damaged('cut short');
    offsets = new Uint32Array(aligned.buffer, aligned.byteOffset + at, count + 1);
    at += align(offsets.byteLength);
    length = offsets[count]!;
  }
  length *= KIND_WIDTH[kind];
  if (at + length * (kind === 'ordinal' ? 4 : 8) > aligned.byteLength) throw damaged('cut short');
  const start = aligned.byteOffset + at;
  const values =
    kind === 'ordinal'
      ? new Uint32Array(aligned.buffer, start, length)
      : new Float64Array(aligned.buffer, start, length);
  return { kind, count, offsets, values };
}

function damaged(why: string): GarnerError {
  return new GarnerError('store.corrupt', `a doc-value block is damaged: ${why}`);
}

function align(length: number): number {
  return (length + 7) & ~7;
}

function asBytes(array: Uint32Array | Float64Array): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}
