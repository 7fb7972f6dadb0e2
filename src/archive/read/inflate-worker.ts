/**
 * A thread that inflates the members of a gzip file ahead of the one that parses them. It does the easy
 * ones only (small, whole, with a right checksum) and stops at the first other: that one is read by
 * `gzipPieces`, which knows what to do.
 */
import { closeSync, openSync, readSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { GarnerError } from '../../core/errors.ts';
import { type InflatedBatch, type InflateWorkerData, STOPPED, TAKEN } from './inflate-batch.ts';
import { inflateMember } from './inflate-member.ts';

const BATCH_BYTES = 2 << 20;
const WINDOW_BYTES = 2 << 20;
const LOW_BYTES = 256 * 1024;
/** So many batches may wait for the parser. */
const AHEAD = 4;

/** Of its own, since it is handed over. */
function newBatch(): Buffer<ArrayBuffer> {
  return Buffer.allocUnsafeSlow(BATCH_BYTES);
}

function inflateFile(
  { path, size, start, shared }: InflateWorkerData,
  post: (batch: InflatedBatch) => void,
): void {
  const counters = new Int32Array(shared);
  const file = openSync(path, 'r');
  let window: Buffer = Buffer.alloc(0);
  let base = start;
  let at = 0;
  let posted = 0;
  let output = newBatch();
  let used = 0;
  let members: number[] = [];

  const refill = (): void => {
    const kept = window.subarray(at);
    const next = Buffer.allocUnsafeSlow(kept.length + Math.min(WINDOW_BYTES, size - base - window.length));
    kept.copy(next);
    const read = readSync(file, next, kept.length, next.length - kept.length, base + window.length);
    base += at;
    at = 0;
    window = next.subarray(0, kept.length + read);
  };
  const flush = (last: boolean): void => {
    post({ bytes: output.buffer, members: new Float64Array(members), next: base + at, last });
    posted++;
    if (!last) output = newBatch();
    used = 0;
    members = [];
    while (!last && Atomics.load(counters, STOPPED) === 0) {
      const taken = Atomics.load(counters, TAKEN);
      if (posted - taken < AHEAD) break;
      Atomics.wait(counters, TAKEN, taken);
    }
  };

  try {
    while (Atomics.load(counters, STOPPED) === 0) {
      if (window.length - at < LOW_BYTES && base + window.length < size) refill();
      const member = at < window.length ? inflateMember(window, at, BATCH_BYTES) : undefined;
      if (!member) break;
      if (used + member.bytes.length > BATCH_BYTES) flush(false);
      output.set(member.bytes, used);
      members.push(base + at, member.length, used, member.bytes.length);
      used += member.bytes.length;
      at += member.length;
    }
    flush(true);
  } finally {
    closeSync(file);
  }
}

if (!parentPort) throw new GarnerError('internal.bug', 'inflate-worker runs as a worker thread only');
const port = parentPort;
inflateFile(workerData as InflateWorkerData, (batch) =>
  port.postMessage(batch, [batch.bytes, batch.members.buffer]),
);
