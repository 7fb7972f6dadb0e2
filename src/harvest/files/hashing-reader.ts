/** Reads an entry and knows the digest of all of it, even when whoever parses it stops early. */
import { createHash } from 'node:crypto';

export interface HashingReader extends AsyncIterable<Uint8Array> {
  /** Bytes read so far. */
  readonly size: () => number;
  /** Reads what is left and closes. Hex sha-256. */
  finish(): Promise<string>;
  close(): Promise<void>;
}

export function hashWhileReading(
  bytes: AsyncIterable<Uint8Array>,
  onBytes: (count: number) => void,
): HashingReader {
  const source = bytes[Symbol.asyncIterator]();
  const hash = createHash('sha256');
  let size = 0;
  const next = async () => {
    const result = await source.next();
    if (!result.done) {
      hash.update(result.value);
      size += result.value.length;
      onBytes(result.value.length);
    }
    return result;
  };
  return {
    // Without `return`: leaving a loop over it early must not close the source.
    [Symbol.asyncIterator]: () => ({ next }),
    size: () => size,
    finish: async () => {
      while (!(await next()).done);
      return hash.digest('hex');
    },
    close: async () => {
      await source.return?.();
    },
  };
}
