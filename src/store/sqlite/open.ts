/** The SQLite store with its index, in the thread that calls. */
import type { StoreSetup, StoreUpdate } from '../admin.ts';
import { assembleStore, type IndexParts, type OpenOptions, type SqliteStore } from './assemble.ts';
import { createIndexWriter, createSearchIndex, verifyIndex } from './index/index.ts';
import { updateFile } from './prepare-file.ts';

const INDEX: IndexParts = {
  createWriter: createIndexWriter,
  createSearch: createSearchIndex,
  verify: verifyIndex,
};

export function openSqliteStore(setup: StoreSetup, options: OpenOptions = {}): SqliteStore {
  return assembleStore(setup, options, INDEX);
}

/** Brings the store of an older version up to date before it is opened. */
export function updateSqliteStore(setup: StoreSetup, onUpdate: (update: StoreUpdate) => void): Promise<void> {
  return updateFile(setup, INDEX.createWriter, onUpdate);
}
