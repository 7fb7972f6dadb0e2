/** Opens the configured back end: in threads of its own, or in this one. */
import { join } from 'node:path';
import { createFileBlobs } from './files/blobs.ts';
import type { GarnerStore, StoreSetup, StoreUpdate } from './index.ts';
import { openSqliteStore, updateSqliteStore } from './sqlite/open.ts';
import { openThreadedStore } from './threads/open.ts';

export interface StoreOptions {
  /** How many reader threads; 0 keeps everything in this thread, which is quicker for one question. */
  readonly threads: number;
  /** Hears how a store of an older version is brought up to date. */
  readonly onUpdate?: (update: StoreUpdate) => void;
}

export async function openStore(setup: StoreSetup, options: StoreOptions): Promise<GarnerStore> {
  if (options.onUpdate) await updateSqliteStore(setup, options.onUpdate);
  if (options.threads > 0) return openThreadedStore(setup, { readers: options.threads });
  return { ...openSqliteStore(setup), blobs: createFileBlobs(join(setup.folder, 'blobs')) };
}
