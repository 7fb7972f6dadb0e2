/** A thread that owns one SQLite connection pair: the writer of this process, or one of its readers. */
import { parentPort, workerData } from 'node:worker_threads';
import { GarnerError } from '../../core/errors.ts';
import { serveCalls } from '../../core/worker-rpc.ts';
import type { StoreSetup } from '../admin.ts';
import { openSqliteStore } from '../sqlite/open.ts';
import { packHarvest } from './packed-harvest.ts';

export interface StoreWorkerData {
  readonly setup: StoreSetup;
  readonly readOnly: boolean;
}

/** Lets the parent wait until the store is open, and close it cleanly. */
export interface StoreLifecycle {
  ready(): Promise<void>;
  close(): Promise<void>;
}

if (!parentPort) throw new GarnerError('internal.bug', 'store-worker runs as a worker thread only');
const { setup, readOnly } = workerData as StoreWorkerData;

let opened: ReturnType<typeof openSqliteStore> | undefined;
let failure: unknown;
try {
  opened = openSqliteStore(setup, { readOnly });
  serveCalls(parentPort, opened.items, 'items');
  serveCalls(parentPort, packHarvest(opened.harvest), 'harvest');
  serveCalls(parentPort, opened.runs, 'runs');
  serveCalls(parentPort, opened.search, 'search');
  serveCalls(parentPort, opened.captures, 'captures');
  serveCalls(parentPort, opened.admin, 'admin');
} catch (error) {
  failure = error;
}

serveCalls<StoreLifecycle>(
  parentPort,
  {
    ready: async () => {
      if (failure !== undefined) throw failure;
    },
    close: async () => {
      await opened?.close();
    },
  },
  'lifecycle',
);
