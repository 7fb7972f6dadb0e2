/** The first few of many documents in some order, by a heap of just that many. */

/** `before(a, b)`: a comes before b; a strict total order. The result is in order. */
export function takeFirst(
  keys: Uint32Array,
  count: number,
  before: (a: number, b: number) => boolean,
  accept: (key: number) => boolean = () => true,
): number[] {
  if (count <= 0) return [];
  // The last of the kept ones is at the root, to be replaced by any that comes before it.
  const heap: number[] = [];
  for (const key of keys) {
    if (heap.length === count && !before(key, heap[0]!)) continue;
    if (!accept(key)) continue;
    if (heap.length < count) {
      heap.push(key);
      siftUp(heap, before);
    } else {
      heap[0] = key;
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
