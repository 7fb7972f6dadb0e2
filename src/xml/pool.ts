/**
 * A pool of worker threads that serve the same interface. A worker that dies or takes too long is
 * replaced; the call that it was working on fails, the calls that waited behind it go to another worker.
 */
import { type ResourceLimits, Worker } from 'node:worker_threads';
import { asGarnerError, GarnerError } from '../core/errors.ts';
import { type AsyncMethods, type Connection, connectCalls } from '../core/worker-rpc.ts';

export interface PoolOptions<T> {
  /** Workers are started when they are needed, up to this many. */
  readonly size: number;
  readonly workerData?: unknown;
  /** Of V8, which knows only the heap; see `maxMemoryMb` for a worker that unpacks what others packed. */
  readonly resourceLimits?: ResourceLimits;
  /** Heap and buffers of one worker. One that takes more is ended, so that this process is not. */
  readonly maxMemoryMb?: number;
  /** For one call, from the moment that the worker can begin with it. */
  readonly timeoutMs?: number;
  readonly timeoutError?: (timeoutMs: number) => GarnerError;
  /** Called once on every new worker before its first work: loading is not on the clock. */
  readonly warmUp?: (calls: T) => Promise<unknown>;
  /** Calls that are sent to one worker at a time; more than one keeps it busy while answers travel. */
  readonly inFlight?: number;
  /** After such an error the worker is not to be trusted any more. */
  readonly isPoisoned?: (error: GarnerError) => boolean;
}

export interface Pool<T> {
  /** Each call goes to the least busy worker. */
  readonly calls: T;
  close(): Promise<void>;
}

interface Job {
  readonly method: string;
  readonly args: readonly unknown[];
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: GarnerError) => void;
}

interface Member<T> {
  readonly connection: Connection<T>;
  readonly ready: Promise<unknown> | undefined;
  warm: boolean;
  /** Sent and not answered; the worker works on the first. */
  jobs: Job[];
  timer: NodeJS.Timeout | undefined;
  watch: NodeJS.Timeout | undefined;
}

const DEFAULT_IN_FLIGHT = 2;
const MEMORY_WATCH_MS = 200;
const MEGABYTE = 1 << 20;

export function createPool<T extends AsyncMethods<T>>(url: URL, options: PoolOptions<T>): Pool<T> {
  const inFlight = options.inFlight ?? DEFAULT_IN_FLIGHT;
  const members = new Set<Member<T>>();
  const queue: Job[] = [];
  const ending = new Set<Promise<void>>();
  let closed = false;

  function spawn(): Member<T> {
    const { workerData, maxMemoryMb } = options;
    const heapLimit = maxMemoryMb === undefined ? {} : { maxOldGenerationSizeMb: maxMemoryMb };
    const worker = new Worker(url, {
      workerData,
      resourceLimits: { ...heapLimit, ...options.resourceLimits },
    });
    const connection = connectCalls<T>(worker);
    const ready = options.warmUp?.(connection.calls);
    const member: Member<T> = {
      connection,
      ready,
      warm: false,
      jobs: [],
      timer: undefined,
      watch: undefined,
    };
    if (maxMemoryMb !== undefined) watchMemory(member, worker, maxMemoryMb);
    // Told to whoever waits for this worker, in `send`.
    ready?.catch(() => undefined);
    members.add(member);
    return member;
  }

  /** V8 limits a worker's heap but not its buffers; they are looked at from here, however busy it is. */
  function watchMemory(member: Member<T>, worker: Worker, maxMemoryMb: number): void {
    member.watch = setInterval(() => {
      if (member.jobs.length === 0) return;
      worker.getHeapStatistics().then(
        ({ used_heap_size, external_memory }) => {
          if (used_heap_size + external_memory > maxMemoryMb * MEGABYTE)
            lose(member, new GarnerError('worker.lost', `a call took more than ${maxMemoryMb} MB`));
        },
        // It has ended meanwhile; whoever waits for it is told by the connection.
        () => undefined,
      );
    }, MEMORY_WATCH_MS).unref();
  }

  function leastBusy(): Member<T> | undefined {
    let best: Member<T> | undefined;
    for (const member of members) if (!best || member.jobs.length < best.jobs.length) best = member;
    if ((!best || best.jobs.length > 0) && members.size < options.size) return spawn();
    return best && best.jobs.length < inFlight ? best : undefined;
  }

  function pump(): void {
    while (queue.length > 0) {
      const member = leastBusy();
      const job = member && queue.shift();
      if (!job) return;
      member.jobs.push(job);
      void send(member, job);
    }
  }

  async function send(member: Member<T>, job: Job): Promise<void> {
    try {
      await member.ready;
      member.warm = true;
      if (member.jobs[0] === job) startClock(member);
      const call: unknown = Reflect.get(member.connection.calls, job.method);
      if (typeof call !== 'function') throw new GarnerError('internal.bug', `no method ${job.method}`);
      const value: unknown = await Reflect.apply(call, undefined, job.args);
      if (take(member, job)) job.resolve(value);
    } catch (cause) {
      const error = asGarnerError(cause);
      if (!member.jobs.includes(job)) return;
      if (error.code === 'worker.lost') return lose(member, error);
      take(member, job);
      job.reject(error);
      if (!member.warm || options.isPoisoned?.(error)) return lose(member);
    }
    pump();
  }

  /** False when the job is no longer this worker's. */
  function take(member: Member<T>, job: Job): boolean {
    const index = member.jobs.indexOf(job);
    if (index < 0) return false;
    member.jobs.splice(index, 1);
    if (index === 0) startClock(member);
    return true;
  }

  function startClock(member: Member<T>): void {
    clearTimeout(member.timer);
    const { timeoutMs } = options;
    if (timeoutMs === undefined || member.jobs.length === 0) return;
    member.timer = setTimeout(() => {
      const error =
        options.timeoutError?.(timeoutMs) ??
        new GarnerError('worker.lost', `a call took longer than ${timeoutMs} ms`);
      lose(member, error);
    }, timeoutMs);
  }

  /** Ends a worker. The first of its jobs is to blame if there is blame; the others are done elsewhere. */
  function lose(member: Member<T>, blame?: GarnerError): void {
    if (!members.delete(member)) return;
    clearTimeout(member.timer);
    clearInterval(member.watch);
    const jobs = member.jobs;
    member.jobs = [];
    if (blame) jobs.shift()?.reject(blame);
    queue.unshift(...jobs);
    const end = member.connection.close().finally(() => ending.delete(end));
    ending.add(end);
    pump();
  }

  const calls = new Proxy({} as object, {
    get: (_, method) => {
      if (typeof method !== 'string' || method === 'then') return undefined;
      return (...args: unknown[]) =>
        new Promise((resolve, reject) => {
          if (closed) return reject(new GarnerError('worker.lost', 'the worker pool is closed'));
          queue.push({ method, args, resolve, reject });
          pump();
        });
    },
  }) as T;

  return {
    calls,
    close: async () => {
      closed = true;
      const waiting = queue.splice(0);
      for (const member of Array.from(members)) {
        waiting.push(...member.jobs);
        member.jobs = [];
        lose(member);
      }
      for (const job of waiting) job.reject(new GarnerError('worker.lost', 'the worker pool was closed'));
      await Promise.all(ending);
    },
  };
}
