/** The SQLite store with its index, in the thread that calls. */
import type { StoreSetup } from '../admin.ts';
import { assembleStore, type IndexParts, type OpenOptions, type SqliteStore } from './assemble.ts';
import { createIndexWriter, createSearchIndex, verifyIndex } from './index/index.ts';

const INDEX: IndexParts = {
  createWriter: createIndexWriter,
  createSearch: createSearchIndex,
  verify: verifyIndex,
};

export function openSqliteStore(setup: StoreSetup, options: OpenOptions = {}): SqliteStore {
  return assembleStore(setup, options, INDEX);
}
