/** The store's public face: the ports, gathered. Which back end serves them is decided in `app.ts`. */
import type { StoreAdmin } from './admin.ts';
import type { BlobStore } from './blobs.ts';
import type { CaptureIndex } from './captures.ts';
import type { HarvestStore } from './harvest.ts';
import type { ItemStore } from './items.ts';
import type { RunStore } from './runs.ts';
import type { SearchIndex } from './search.ts';

export type * from './admin.ts';
export type * from './blobs.ts';
export type * from './captures.ts';
export * from './each-record.ts';
export type * from './harvest.ts';
export type * from './items.ts';
export type * from './losses.ts';
export * from './runs.ts';
export type * from './search.ts';

export interface GarnerStore {
  readonly items: ItemStore;
  readonly harvest: HarvestStore;
  readonly runs: RunStore;
  readonly search: SearchIndex;
  readonly captures: CaptureIndex;
  readonly admin: StoreAdmin;
  readonly blobs: BlobStore;
  close(): Promise<void>;
}
