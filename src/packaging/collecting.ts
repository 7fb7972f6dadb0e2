/** Contents may be as large as an archive: what has passed of them must not wait to be forgotten. */
import { collectYoung } from '../core/heap.ts';

const COLLECTED_BYTES = 4 * 2 ** 20;

export async function* collecting(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let passed = 0;
  for await (const chunk of bytes) {
    yield chunk;
    passed += chunk.length;
    if (passed < COLLECTED_BYTES) continue;
    passed = 0;
    collectYoung();
  }
}
