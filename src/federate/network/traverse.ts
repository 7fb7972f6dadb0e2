/**
 * The way of one question through the network. Servers tell what they and those behind them have; only those
 * where something can match are asked. Every server is met once, by whatever ways it is reached.
 */
import { asGarnerError, type GarnerError } from '../../core/errors.ts';
import type { QueryNode } from '../../query/ast.ts';
import type { Breaker } from './breaker.ts';
import type { DirectoryEntry, ServerDirectory } from './directory.ts';
import { mayHold, type ServerGroup } from './server-groups.ts';
import { failedState, type ServerState, type ServerStatus } from './server-status.ts';
import { type TimeLimit, withTimeLimit } from './time-limit.ts';

export interface NetworkLimits {
  /** For one server. */
  readonly serverTimeoutMs: number;
  readonly totalTimeoutMs: number;
  readonly hops: number;
  /** Servers that are asked at the same time. */
  readonly concurrency: number;
  readonly answerBytes: number;
}

export interface TraverseDeps {
  readonly directory: ServerDirectory;
  readonly breaker: Breaker;
  readonly limits: NetworkLimits;
}

export interface Entrance {
  readonly server: string;
  readonly title: string;
  readonly allowPrivate: boolean;
  /** What is known of it before it is met. */
  readonly group?: ServerGroup;
}

export interface TraverseQuestion<T> {
  /** With all that is meant by its terms. */
  readonly query: QueryNode;
  /** How one server is asked. */
  readonly ask: (server: AskedServer, signal: AbortSignal) => Promise<ServerReply<T>>;
}

export interface AskedServer {
  readonly server: string;
  readonly allowPrivate: boolean;
  /** Knows nothing but the questions of web-grid. */
  readonly isOlder: boolean;
}

export interface ServerReply<T> {
  readonly value: T;
  readonly found: number;
  /** It has more than it gave. */
  readonly more: boolean;
  /** Servers that it leads to. */
  readonly groups: readonly ServerGroup[];
  readonly isPrivate: boolean;
}

export type TraverseEvent<T> =
  | { readonly type: 'reply'; readonly server: string; readonly value: T }
  | { readonly type: 'server'; readonly status: Omit<ServerStatus, 'unverified'> };

interface Visit extends Omit<Entrance, 'group'> {
  readonly hops: number;
}

/** A liar may name as many servers as it likes. */
const MOST_SERVERS = 10_000;
const MOST_FROM_ONE = 2500;
/** Who has not answered by then mostly does not answer at all. */
const SLOW_MS = 250;
/** So many times as many may be waited for in all. */
const SLOW_FACTOR = 4;

/** Events as they come; ends when every server was met or the time is over. */
export async function* traverse<T>(
  deps: TraverseDeps,
  question: TraverseQuestion<T>,
  entrances: readonly Entrance[],
  { self, limit }: { readonly self: string; readonly limit: TimeLimit },
): AsyncGenerator<TraverseEvent<T>> {
  const events: TraverseEvent<T>[] = [];
  let wake: (() => void) | undefined;
  const emit = (event: TraverseEvent<T>) => {
    events.push(event);
    wake?.();
  };
  let running = true;
  const walk = new Walk<T>(deps, question, self, limit, emit).run(entrances).finally(() => {
    running = false;
    wake?.();
  });
  for (;;) {
    yield* events.splice(0);
    if (events.length > 0) continue;
    if (!running) break;
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  }
  await walk;
}

class Walk<T> {
  readonly #deps: TraverseDeps;
  readonly #question: TraverseQuestion<T>;
  readonly #limit: TimeLimit;
  readonly #emit: (event: TraverseEvent<T>) => void;
  readonly #met: Set<string>;
  /** Where nothing can match, as somebody on the way told. */
  readonly #pruned = new Map<string, Visit>();
  readonly #waiting: Visit[] = [];
  /** What was told of servers, by their addresses: the ways around them. */
  readonly #detours = new Map<string, { group: ServerGroup; next: Visit }[]>();
  readonly #silent = new Set<string>();

  constructor(
    deps: TraverseDeps,
    question: TraverseQuestion<T>,
    self: string,
    limit: TimeLimit,
    emit: (event: TraverseEvent<T>) => void,
  ) {
    this.#deps = deps;
    this.#question = question;
    this.#limit = limit;
    this.#emit = emit;
    this.#met = new Set([self]);
  }

  async run(entrances: readonly Entrance[]): Promise<void> {
    for (const { group, ...entrance } of entrances) {
      if (group) this.#lead(group, { ...entrance, hops: 1 });
      else this.#meet({ ...entrance, hops: 1 });
    }
    await this.#visitAll();
    for (const [server, visit] of this.#pruned) if (!this.#met.has(server)) this.#tell(visit, 'pruned');
  }

  #meet(visit: Visit): void {
    if (this.#met.has(visit.server) || this.#met.size > MOST_SERVERS) return;
    this.#met.add(visit.server);
    this.#waiting.push(visit);
  }

  /** So many at a time; who is slow to answer keeps nobody else waiting. */
  async #visitAll(): Promise<void> {
    const { concurrency } = this.#deps.limits;
    const { promise: all, resolve, reject } = Promise.withResolvers<void>();
    let quick = 0;
    let slow = 0;
    const startNext = () => {
      if (this.#waiting.length + quick + slow === 0) resolve();
      while (quick < concurrency && quick + slow < SLOW_FACTOR * concurrency) {
        const next = this.#waiting.shift();
        if (!next) return;
        start(next);
      }
    };
    const start = (visit: Visit) => {
      quick++;
      let isSlow = false;
      const timer = setTimeout(() => {
        isSlow = true;
        quick--;
        slow++;
        startNext();
      }, SLOW_MS);
      const ended = () => {
        clearTimeout(timer);
        if (isSlow) slow--;
        else quick--;
        startNext();
      };
      this.#visit(visit).then(ended, reject);
    };
    startNext();
    return all;
  }

  async #visit(visit: Visit): Promise<void> {
    const { directory, limits } = this.#deps;
    if (this.#limit.isOver()) return this.#tell(visit, 'not-reached');
    if (visit.hops > limits.hops) return this.#tell(visit, 'too-far');
    const startedAt = performance.now();
    if (!this.#deps.breaker.mayAsk(visit.server)) {
      const known = directory.peek(visit.server);
      if (known) this.#follow(visit, known);
      return this.#tell(visit, known && !this.#hasOwn(visit, known) ? 'pruned' : 'resting');
    }
    try {
      const entry = await withTimeLimit(
        limits.serverTimeoutMs,
        visit.server,
        () => directory.describe(visit.server, visit.allowPrivate),
        this.#limit.signal,
      );
      this.#follow(visit, entry);
      if (!this.#hasOwn(visit, entry)) return this.#tell(visit, 'pruned', { startedAt });
      if (entry.failure) throw entry.failure;
      const { found, more } = await this.#ask(visit, entry.groups === undefined);
      this.#tell(visit, more ? 'more' : 'answered', { startedAt, found });
    } catch (thrown) {
      const error = asGarnerError(thrown);
      const known = directory.peek(visit.server);
      if (known) this.#follow(visit, known);
      this.#tell(visit, failedState(error), { startedAt, error });
    }
  }

  async #ask(visit: Visit, isOlder: boolean): Promise<{ found: number; more: boolean }> {
    const { breaker, limits } = this.#deps;
    const { server, allowPrivate } = visit;
    try {
      const { value, found, more, groups, isPrivate } = await withTimeLimit(
        limits.serverTimeoutMs,
        server,
        (signal) => this.#question.ask({ server, allowPrivate, isOlder }, signal),
        this.#limit.signal,
      );
      breaker.succeeded(server);
      this.#follow(visit, { groups, isPrivate });
      this.#emit({ type: 'reply', server, value });
      return { found, more };
    } catch (error) {
      // Whoever gave up the whole question says nothing about the server.
      if (!this.#limit.isOver()) breaker.failed(server);
      throw error;
    }
  }

  /** To the servers behind. When the server itself is silent, whatever is behind those is asked as well. */
  #follow(visit: Visit, { groups, isPrivate, failure }: DirectoryEntry): void {
    if (this.#limit.isOver()) return;
    // What is public never leads to what is not.
    const allowPrivate = visit.allowPrivate && isPrivate;
    for (const group of groups?.slice(0, MOST_FROM_ONE) ?? []) {
      if (isOwn(group, visit.server)) continue;
      this.#lead(group, { server: group.server, title: group.title, allowPrivate, hops: visit.hops + 1 });
    }
    if (failure) this.#goAround(visit.server);
  }

  #lead(group: ServerGroup, next: Visit): void {
    const { server } = group;
    if (!mayHold(group, this.#question.query)) {
      this.#pruned.set(server, next);
      return;
    }
    this.#meet(next);
    this.#detours.set(server, [...(this.#detours.get(server) ?? []), { group, next }]);
    if (this.#silent.has(server)) this.#goAround(server);
  }

  #goAround(server: string): void {
    this.#silent.add(server);
    for (const { group, next } of this.#detours.get(server) ?? [])
      for (const behind of group.behind.slice(0, MOST_FROM_ONE))
        this.#meet({ ...next, server: behind, title: behind });
    this.#detours.delete(server);
  }

  #hasOwn({ server }: Visit, { groups }: DirectoryEntry): boolean {
    if (!groups) return true;
    return groups.some((group) => isOwn(group, server) && mayHold(group, this.#question.query));
  }

  #tell(
    { server, title, hops }: Visit,
    state: ServerState,
    { startedAt, found = 0, error }: { startedAt?: number; found?: number; error?: GarnerError } = {},
  ): void {
    const silent = state === 'failed' || state === 'timeout' || state === 'resting' || state === 'refused';
    if (silent && !this.#limit.isOver()) this.#goAround(server);
    const tookMs = startedAt === undefined ? 0 : Math.round(performance.now() - startedAt);
    const status = { server, title, state, hops, found, tookMs };
    this.#emit({
      type: 'server',
      status: error ? { ...status, code: error.code, message: error.message } : status,
    });
  }
}

function isOwn(group: ServerGroup, server: string): boolean {
  return group.own || group.server === server;
}
