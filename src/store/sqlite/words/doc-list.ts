/** The documents that a segment brings, with their lengths in words, and those that its commits took away. */
import { ByteSink, ByteSource } from './byte-sink.ts';

export interface DocList {
  /** Ascending. */
  readonly keys: Uint32Array;
  /** `lengths[i]` belongs to `keys[i]`. */
  readonly lengths: Uint32Array;
  /** Ascending. */
  readonly removed: Uint32Array;
}

export function encodeDocs({ keys, lengths, removed }: DocList): Uint8Array {
  const sink = new ByteSink(16 + keys.length * 3 + removed.length * 2);
  sink.varint(keys.length);
  let before = 0;
  for (let i = 0; i < keys.length; i++) {
    sink.varint(keys[i]! - before);
    sink.varint(lengths[i]!);
    before = keys[i]!;
  }
  sink.varint(removed.length);
  before = 0;
  for (const key of removed) {
    sink.varint(key - before);
    before = key;
  }
  return sink.view().slice();
}

export function decodeDocs(bytes: Uint8Array): DocList {
  const source = new ByteSource(bytes);
  const count = source.varint();
  const keys = new Uint32Array(count);
  const lengths = new Uint32Array(count);
  let key = 0;
  for (let i = 0; i < count; i++) {
    key += source.varint();
    keys[i] = key;
    lengths[i] = source.varint();
  }
  const removed = new Uint32Array(source.varint());
  key = 0;
  for (let i = 0; i < removed.length; i++) {
    key += source.varint();
    removed[i] = key;
  }
  return { keys, lengths, removed };
}
