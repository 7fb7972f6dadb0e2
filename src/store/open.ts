/** Opens the configured back end: in threads of its own, or in this one. */
import { join } from 'node:path';
import { createFileBlobs } from './files/blobs.ts';
import type { GarnerStore, StoreSetup } from './index.ts';
import { openSqliteStore } from './sqlite/open.ts';
import { openThreadedStore } from './threads/open.ts';

/** `threads`: how many reader threads; 0 keeps everything in this thread, which is quicker for one question. */
export async function openStore(setup: StoreSetup, options: { threads: number }): Promise<GarnerStore> {
  if (options.threads > 0) return openThreadedStore(setup, { readers: options.threads });
  return { ...openSqliteStore(setup), blobs: createFileBlobs(join(setup.folder, 'blobs')) };
}
