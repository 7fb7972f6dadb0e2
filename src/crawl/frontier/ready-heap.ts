/** Hosts by the moment when their next exchange may begin. */
import type { Instant } from '../../core/model.ts';

export class ReadyHeap<T> {
  readonly #entries: { readonly at: Instant; readonly value: T }[] = [];

  peekAt(): Instant | undefined {
    return this.#entries[0]?.at;
  }

  push(at: Instant, value: T): void {
    const entries = this.#entries;
    let i = entries.length;
    const entry = { at, value };
    entries.push(entry);
    while (i > 0) {
      const parent = (i - 1) >> 1;
      const above = entries[parent];
      if (!above || above.at <= at) break;
      entries[i] = above;
      i = parent;
    }
    entries[i] = entry;
  }

  pop(): T | undefined {
    const entries = this.#entries;
    const top = entries[0];
    const last = entries.pop();
    if (!top || !last || entries.length === 0) return top?.value;
    let i = 0;
    for (;;) {
      const left = 2 * i + 1;
      const a = entries[left];
      const b = entries[left + 1];
      if (!a) break;
      const child = b && b.at < a.at ? b : a;
      if (child.at >= last.at) break;
      entries[i] = child;
      i = child === b ? left + 1 : left;
    }
    entries[i] = last;
    return top.value;
  }
}
