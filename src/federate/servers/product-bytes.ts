/** Forms of products whose bytes are all there. */
import { createHash } from 'node:crypto';
import type { ProductForm } from './product.ts';

export function bytesForm(bytes: Uint8Array): Required<Pick<ProductForm, 'size' | 'tag' | 'open'>> {
  return {
    size: bytes.length,
    tag: createHash('sha256').update(bytes).digest('hex').slice(0, 32),
    async *open(range) {
      yield range ? bytes.subarray(range.start, range.end) : bytes;
    },
  };
}

/** Made only when somebody wants it. */
export function madeForm(make: () => Uint8Array): Pick<ProductForm, 'make' | 'open'> {
  return {
    make,
    async *open() {
      yield make();
    },
  };
}
