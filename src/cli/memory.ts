/** Long work that streams makes garbage faster than V8 cares to collect: this keeps the process small. */
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { STARTED_MS, shrinkHeap } from '../core/heap.ts';

const NURSERY_BYTES = 16 * 2 ** 20;
/** Half of a nursery of threads that are started later; their largest stands where they are started. */
const THREAD_HALF_MB = 8;

/**
 * V8 lets the heap of every thread grow to a multiple of what is in use, and the nursery of the first one to
 * 64 MB and more. Here it begins anew once the start is over; nurseries may grow at first, but not on and on,
 * and old objects are collected before they are twice as many. Not at the very start, when all that is made is
 * kept: collections would find nothing, and cost a fifth of the time until the first answer.
 */
export function holdHeaps(): void {
  const watchNursery = (): void => {
    const nursery = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
    // A largest size can be set only before a process starts; that it grows no further, at any time.
    if (nursery && nursery.space_size >= NURSERY_BYTES) setFlagsFromString('--semi-space-growth-factor=1');
    else setTimeout(watchNursery, 100).unref();
  };
  const begin = (): void => {
    setFlagsFromString('--heap-growing-percent=50');
    shrinkHeap();
    watchNursery();
  };
  // Threads begin at their largest: what grows no further would stay as small as it began, and cost 7 % of a harvest.
  setFlagsFromString(`--min-semi-space-size=${THREAD_HALF_MB}`);
  setTimeout(begin, STARTED_MS).unref();
}
