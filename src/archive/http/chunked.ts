/**
 * The chunked transfer coding (RFC 9112 §7.1), undone piece by piece. Archives hold messages that say
 * `chunked` over a body that is not, or whose chunks break off: what does not parse is passed on as it is.
 */

/** Longer than any size line with sensible extensions. */
const LINE_LIMIT = 4096;
const SIZE_LINE = /^\s*([0-9a-f]{1,12})\s*(?:;[^\n]*)?$/i;

export interface Dechunker {
  push(bytes: Buffer): Buffer[];
  /** What is left when the body ends, and how it went. */
  end(): { readonly rest: Buffer[]; readonly verdict: ChunkVerdict };
}

/** `false`: the body was not chunked at all; `broken`: chunks to begin with, then something else or nothing. */
export type ChunkVerdict = 'chunked' | 'false' | 'broken';

type State = 'size' | 'data' | 'data-end' | 'trailer' | 'raw';

export function createDechunker(): Dechunker {
  let state: State = 'size';
  let pending: Buffer = Buffer.alloc(0);
  let remaining = 0;
  let chunks = 0;
  let verdict: ChunkVerdict | undefined;

  const giveUp = (): void => {
    verdict = chunks === 0 ? 'false' : 'broken';
    state = 'raw';
  };

  const push = (bytes: Buffer): Buffer[] => {
    const out: Buffer[] = [];
    let input = pending.length > 0 ? Buffer.concat([pending, bytes]) : bytes;
    pending = Buffer.alloc(0);
    while (input.length > 0) {
      if (state === 'raw') {
        out.push(input);
        return out;
      }
      if (state === 'trailer') return out;
      if (state === 'data') {
        const part = input.subarray(0, remaining);
        out.push(part);
        remaining -= part.length;
        input = input.subarray(part.length);
        if (remaining === 0) state = 'data-end';
        continue;
      }
      if (state === 'data-end') {
        const skipped = input[0] === 0x0a ? 1 : input[0] === 0x0d && input[1] === 0x0a ? 2 : 0;
        if (skipped === 0 && input.length === 1 && input[0] === 0x0d) {
          pending = input;
          return out;
        }
        if (skipped === 0) {
          giveUp();
          continue;
        }
        input = input.subarray(skipped);
        state = 'size';
        continue;
      }
      const lineEnd = input.indexOf(0x0a);
      if (lineEnd < 0 && input.length < LINE_LIMIT) {
        pending = input;
        return out;
      }
      const size = lineEnd < 0 ? null : SIZE_LINE.exec(input.toString('latin1', 0, lineEnd));
      if (!size) {
        giveUp();
        continue;
      }
      remaining = Number.parseInt(size[1] ?? '0', 16);
      chunks++;
      input = input.subarray(lineEnd + 1);
      if (remaining === 0) verdict = 'chunked';
      state = remaining === 0 ? 'trailer' : 'data';
    }
    return out;
  };

  const end = (): { rest: Buffer[]; verdict: ChunkVerdict } => {
    const rest = pending.length > 0 && state === 'size' ? [pending] : [];
    return { rest: chunks === 0 ? rest : [], verdict: verdict ?? (chunks === 0 ? 'false' : 'broken') };
  };
  return { push, end };
}
