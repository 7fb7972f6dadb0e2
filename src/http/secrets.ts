/** Comparison that takes the same time whatever is shown. */
import { createHash, timingSafeEqual } from 'node:crypto';

/** Digests make the lengths equal, which timingSafeEqual asks for. */
export function equalSecrets(shown: string, known: string): boolean {
  return timingSafeEqual(digest(shown), digest(known));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
