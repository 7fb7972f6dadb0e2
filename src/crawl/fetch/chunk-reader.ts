/** The chunked transfer coding (RFC 9112 §7.1) of an answer under way: tells where it ends. */

export interface ChunkReader {
  /** Body bytes in `input`; `rest` is what stands behind the end. */
  push(input: Buffer): { readonly parts: readonly Buffer[]; readonly rest?: Buffer };
  /** `raw`: what says it is chunked is not; `broken`: it was, up to here. */
  readonly verdict: () => 'chunked' | 'raw' | 'broken' | 'open';
}

const MAX_LINE = 4096;

export function createChunkReader(): ChunkReader {
  let state: 'size' | 'data' | 'data-end' | 'trailer' | 'done' | 'raw' = 'size';
  let pending: Buffer = Buffer.alloc(0);
  let left = 0;
  let chunks = 0;
  let trailerBytes = 0;

  const push = (bytes: Buffer): { parts: Buffer[]; rest?: Buffer } => {
    const parts: Buffer[] = [];
    let input = pending.length === 0 ? bytes : Buffer.concat([pending, bytes]);
    pending = Buffer.alloc(0);
    while (input.length > 0) {
      if (state === 'raw') {
        parts.push(input);
        return { parts };
      }
      if (state === 'data') {
        const part = input.subarray(0, left);
        parts.push(part);
        left -= part.length;
        input = input.subarray(part.length);
        if (left === 0) state = 'data-end';
        continue;
      }
      const end = input.indexOf(0x0a);
      if (end < 0 && input.length < MAX_LINE) {
        pending = input;
        return { parts };
      }
      const line = end < 0 ? undefined : input.toString('latin1', 0, end).trim();
      if (state === 'trailer') {
        trailerBytes += end + 1;
        if (line === undefined || line === '' || trailerBytes > MAX_LINE * 8) {
          state = 'done';
          return { parts, rest: input.subarray(end + 1) };
        }
        input = input.subarray(end + 1);
        continue;
      }
      if (state === 'data-end') {
        state = line === '' ? 'size' : 'raw';
        if (state === 'size') input = input.subarray(end + 1);
        continue;
      }
      const size = line === undefined ? null : /^([0-9a-f]{1,12})\s*(?:;.*)?$/i.exec(line);
      if (!size) {
        state = 'raw';
        continue;
      }
      chunks++;
      left = Number.parseInt(size[1] ?? '0', 16);
      state = left === 0 ? 'trailer' : 'data';
      input = input.subarray(end + 1);
    }
    return { parts };
  };
  return {
    push,
    verdict: () =>
      state === 'done' ? 'chunked' : state !== 'raw' ? 'open' : chunks === 0 ? 'raw' : 'broken',
  };
}
