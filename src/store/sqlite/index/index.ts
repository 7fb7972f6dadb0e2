/** The index's face to the store. */
export { createSearchIndex } from './search.ts';
export { verifyIndex } from './verify.ts';
export { createIndexWriter } from './writer.ts';
