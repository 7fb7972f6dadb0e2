/** Which host may be asked next, and when. */
import type { Instant } from '../../core/model.ts';
import type { Frontier, QueuedUrl } from './frontier.ts';
import { HostQueue } from './host-queue.ts';
import { ReadyHeap } from './ready-heap.ts';

export interface NextUrl {
  readonly queue: HostQueue;
  readonly url: QueuedUrl;
}

export class HostSchedule {
  readonly #frontier: Frontier;
  /** Exchanges at once with one host. */
  readonly #perHost: number;
  readonly #hosts = new Map<string, HostQueue>();
  readonly #ready = new ReadyHeap<HostQueue>();

  constructor(frontier: Frontier, perHost: number) {
    this.#frontier = frontier;
    this.#perHost = perHost;
  }

  /** What a run before left. */
  restore(): void {
    for (const { host, queued } of this.#frontier.listHosts()) {
      const queue = new HostQueue(this.#frontier, host, queued);
      this.#hosts.set(host, queue);
      this.wait(queue);
    }
  }

  get hosts(): HostQueue[] {
    return [...this.#hosts.values()];
  }

  /** When the next exchange may begin; undefined when nothing waits. */
  get nextAt(): Instant | undefined {
    return this.#ready.peekAt();
  }

  enqueue(url: QueuedUrl): void {
    let queue = this.#hosts.get(url.host);
    if (!queue) {
      queue = new HostQueue(this.#frontier, url.host, 0);
      this.#hosts.set(url.host, queue);
    }
    queue.add(url);
    this.wait(queue);
  }

  /** Lets the host have its turn again, if it has something to do and may do more at once. */
  wait(queue: HostQueue): void {
    if (queue.waits || queue.active >= this.#perHost) return;
    const at = queue.readyAt();
    if (at === undefined) return;
    queue.waits = true;
    this.#ready.push(at, queue);
  }

  /** Of a host that is due: `nextAt` must not be later than now. Undefined when it has to wait after all. */
  take(now: Instant): NextUrl | undefined {
    const queue = this.#ready.pop();
    if (!queue) return undefined;
    queue.waits = false;
    if ((queue.readyAt() ?? 0) > now) {
      this.wait(queue);
      return undefined;
    }
    const url = queue.take(now);
    return url && { queue, url };
  }
}
