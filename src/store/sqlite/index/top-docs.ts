/** The first few of many documents in some order, by a heap of just that many. */

/**
 * Of the numbers 0 to `size` - 1, those that come first by `before`, a strict total order; in that order.
 * `backwards` looks at the highest first, which saves work when they tend to come first.
 */
export function takeFirst(
  size: number,
  count: number,
  before: (a: number, b: number) => boolean,
  backwards = false,
): number[] {
  if (count <= 0) return [];
  // The last of the kept ones is at the root, to be replaced by any that comes before it.
  const heap: number[] = [];
  for (let seen = 0; seen < size; seen++) {
    const i = backwards ? size - 1 - seen : seen;
    if (heap.length < count) {
      heap.push(i);
      siftUp(heap, before);
    } else if (before(i, heap[0]!)) {
      heap[0] = i;
      siftDown(heap, before);
    }
  }
  return heap.sort((a, b) => (a === b ? 0 : before(a, b) ? -1 : 1));
}

function siftUp(heap: number[], before: (a: number, b: number) => boolean): void {
  let at = heap.length - 1;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (!before(heap[parent]!, heap[at]!)) return;
    swap(heap, at, parent);
    at = parent;
  }
}

function siftDown(heap: number[], before: (a: number, b: number) => boolean): void {
  let at = 0;
  for (;;) {
    let last = at;
    for (const child of [2 * at + 1, 2 * at + 2]) {
      if (child < heap.length && before(heap[last]!, heap[child]!)) last = child;
    }
    if (last === at) return;
    swap(heap, at, last);
    at = last;
  }
}

function swap(heap: number[], a: number, b: number): void {
  const kept = heap[a]!;
  heap[a] = heap[b]!;
  heap[b] = kept;
}
