/** SQLite cannot be interrupted and has no pauses: what takes seconds is done in a thread of its own. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { GarnerError } from '../../core/errors.ts';
import { workerUrl } from '../../core/worker-url.ts';

/** `path` of a model whose captures are all in, and which nobody has open. */
export async function resolveInThread(path: string): Promise<void> {
  const worker = new Worker(workerUrl(import.meta.url, './resolve-worker'), { workerData: path });
  const [code] = await once(worker, 'exit');
  if (code !== 0) throw new GarnerError('internal.bug', `a site model could not be finished (${code})`);
}
