/** A store without an index, for tests of the items alone. */
import { GarnerError } from '../../core/errors.ts';
import type { IndexParts } from './assemble.ts';

const unused = async (): Promise<never> => {
  throw new GarnerError('internal.bug', 'this store has no index');
};

export const NO_INDEX: IndexParts = {
  createWriter: () => ({ apply() {}, restoreWords() {}, reset() {}, optimise() {} }),
  createSearch: () => ({ search: unused, suggest: unused, listSimilar: unused }),
  verify: () => [],
};
