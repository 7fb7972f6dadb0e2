/** A thread that owns one SQLite connection pair: the writer of this process, or one of its readers. */
import { parentPort, workerData } from 'node:worker_threads';
import { GarnerError } from '../../core/errors.ts';
import { shrinkHeapAfterStart } from '../../core/heap.ts';
import { serveCalls } from '../../core/worker-rpc.ts';
import type { StoreSetup } from '../admin.ts';
import { openSqliteStore } from '../sqlite/open.ts';

export interface StoreWorkerData {
  readonly setup: StoreSetup;
  readonly readOnly: boolean;
}

/** Threads load their code while another one still prepares the store; then the parent has them open it. */
export interface StoreLifecycle {
  open(): Promise<void>;
  close(): Promise<void>;
}

if (!parentPort) throw new GarnerError('internal.bug', 'store-worker runs as a worker thread only');
const { setup, readOnly } = workerData as StoreWorkerData;

const port = parentPort;
let opened: ReturnType<typeof openSqliteStore> | undefined;

function open(): void {
  opened = openSqliteStore(setup, { readOnly });
  serveCalls(port, opened.items, 'items');
  serveCalls(port, opened.harvest, 'harvest');
  serveCalls(port, opened.runs, 'runs');
  serveCalls(port, opened.search, 'search');
  serveCalls(port, opened.captures, 'captures');
  serveCalls(port, opened.admin, 'admin');
}

serveCalls<StoreLifecycle>(
  port,
  {
    open: async () => open(),
    close: async () => {
      await opened?.close();
    },
  },
  'lifecycle',
);
shrinkHeapAfterStart();
