/** Bytes that no XML document may hold, replaced while they pass by, and counted. */
import type { EscapeTally } from '../../xml/write.ts';

const REPLACEMENT = Buffer.from('\ufffd');

/** Control characters are single bytes in UTF-8, and part of no other character. */
const isIllegal = (byte: number): boolean => byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d;

export async function* replaceIllegal(
  chunks: AsyncIterable<Uint8Array>,
  tally: EscapeTally,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    let done = 0;
    for (let at = 0; at < chunk.length; at++) {
      if (!isIllegal(chunk[at] ?? 0x20)) continue;
      if (at > done) yield chunk.subarray(done, at);
      yield REPLACEMENT;
      tally.replaced++;
      done = at + 1;
    }
    if (done < chunk.length) yield done === 0 ? chunk : chunk.subarray(done);
  }
}
