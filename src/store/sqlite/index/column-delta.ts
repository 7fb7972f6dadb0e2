/**
 * What one commit changed in the doc-value columns: the changed keys and, per column, one block whose
 * places are the positions of those keys. A row of `column_delta` holds one or more such frames, since
 * the bytes of a second call in the same commit are simply appended.
 */
import { GarnerError } from '../../../core/errors.ts';
import { type ColumnBlock, decodeBlock, encodeBlock } from './column-block.ts';

export interface ColumnDelta {
  readonly keys: Uint32Array;
  /** By column id. A column that is absent has no value for any of the keys. */
  readonly columns: ReadonlyMap<number, ColumnBlock>;
}

/** Frame length, number of keys, number of columns, unused: 32 bits each. */
const FRAME_HEADER = 16;
/** Column id and length: 32 bits each. */
const COLUMN_HEADER = 8;

export function encodeDelta(delta: ColumnDelta, seq: number): Uint8Array {
  const parts = [...delta.columns].map(([id, block]) => ({ id, bytes: encodeBlock(block, seq) }));
  const keyBytes = (delta.keys.byteLength + 7) & ~7;
  const length = parts.reduce(
    (sum, { bytes }) => sum + COLUMN_HEADER + bytes.length,
    FRAME_HEADER + keyBytes,
  );
  const frame = new Uint8Array(length);
  const view = new DataView(frame.buffer);
  view.setUint32(0, length, true);
  view.setUint32(4, delta.keys.length, true);
  view.setUint32(8, parts.length, true);
  frame.set(new Uint8Array(delta.keys.buffer, delta.keys.byteOffset, delta.keys.byteLength), FRAME_HEADER);
  let at = FRAME_HEADER + keyBytes;
  for (const { id, bytes } of parts) {
    view.setInt32(at, id, true);
    view.setUint32(at + 4, bytes.length, true);
    frame.set(bytes, at + COLUMN_HEADER);
    at += COLUMN_HEADER + bytes.length;
  }
  return frame;
}

export function decodeDeltas(data: Uint8Array): ColumnDelta[] {
  const bytes = data.byteOffset % 8 === 0 ? data : data.slice();
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const deltas: ColumnDelta[] = [];
  for (let start = 0; start < bytes.byteLength; ) {
    const length = start + FRAME_HEADER <= bytes.byteLength ? view.getUint32(start, true) : 0;
    if (length < FRAME_HEADER || start + length > bytes.byteLength) {
      throw new GarnerError('store.corrupt', 'a doc-value delta is damaged: cut short');
    }
    deltas.push(decodeFrame(bytes.subarray(start, start + length)));
    start += length;
  }
  return deltas;
}

function decodeFrame(frame: Uint8Array): ColumnDelta {
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength);
  const keys = new Uint32Array(frame.buffer, frame.byteOffset + FRAME_HEADER, view.getUint32(4, true));
  const columns = new Map<number, ColumnBlock>();
  let at = FRAME_HEADER + ((keys.byteLength + 7) & ~7);
  for (let left = view.getUint32(8, true); left > 0; left--) {
    const length = view.getUint32(at + 4, true);
    columns.set(
      view.getInt32(at, true),
      decodeBlock(frame.subarray(at + COLUMN_HEADER, at + COLUMN_HEADER + length)),
    );
    at += COLUMN_HEADER + length;
  }
  return { keys, columns };
}
