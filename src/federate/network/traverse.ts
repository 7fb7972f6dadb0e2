/**
 * The way of one question through the network. Servers tell what they and those behind them have; only those
 * where something can match are asked. Every server is met once, by whatever ways it is reached.
 */
import { asGarnerError, GarnerError } from '../../core/errors.ts';
import type { Profile } from '../../formats/oodt-profile/profile.ts';
import { readProfiles } from '../../formats/oodt-profile/read-xml.ts';
import type { QueryNode } from '../../query/ast.ts';
import { isGathered } from '../aggregate/gathered-profile.ts';
import type { Breaker } from './breaker.ts';
import type { DirectoryEntry, ServerDirectory } from './directory.ts';
import type { Exchange } from './exchange.ts';
import { mayHold, readGroup, type ServerGroup } from './server-groups.ts';
import { failedState, type ServerState, type ServerStatus } from './server-status.ts';
import { serverQuestion } from './server-url.ts';
import { statusError, withTimeLimit } from './time-limit.ts';

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
  readonly exchange: Exchange;
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

export interface TraverseQuestion {
  /** With all that is meant by its terms: servers take it as it stands. */
  readonly query: QueryNode;
  /** The same as an expression. */
  readonly expression: string;
  /** The most that is wanted of one server. */
  readonly limit: number;
}

export type TraverseEvent =
  | { readonly type: 'profiles'; readonly server: string; readonly profiles: readonly Profile[] }
  | { readonly type: 'server'; readonly status: Omit<ServerStatus, 'unverified'> };

interface Visit extends Omit<Entrance, 'group'> {
  readonly hops: number;
}

/** A liar may name as many servers as it likes. */
const MOST_SERVERS = 10_000;
const MOST_FROM_ONE = 2500;

/** Events as they come; ends when every server was met or the time is over. */
export async function* traverse(
  deps: TraverseDeps,
  question: TraverseQuestion,
  entrances: readonly Entrance[],
  { self, signal }: { readonly self: string; readonly signal: AbortSignal },
): AsyncGenerator<TraverseEvent> {
  const events: TraverseEvent[] = [];
  let wake: (() => void) | undefined;
  const emit = (event: TraverseEvent) => {
    events.push(event);
    wake?.();
  };
  const over = new AbortController();
  const timer = setTimeout(() => {
    over.abort(
      new GarnerError('http.timeout', `the question took longer than ${deps.limits.totalTimeoutMs} ms`),
    );
  }, deps.limits.totalTimeoutMs);
  const ended = AbortSignal.any([signal, over.signal]);
  let running = true;
  const walk = new Walk(deps, question, self, ended, emit).run(entrances).finally(() => {
    running = false;
    wake?.();
  });
  try {
    for (;;) {
      yield* events.splice(0);
      if (events.length > 0) continue;
      if (!running) break;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    await walk;
  } finally {
    over.abort(new GarnerError('http.timeout', 'nobody waits for the answer'));
    clearTimeout(timer);
  }
}

class Walk {
  readonly #deps: TraverseDeps;
  readonly #question: TraverseQuestion;
  readonly #signal: AbortSignal;
  readonly #emit: (event: TraverseEvent) => void;
  readonly #met: Set<string>;
  /** Where nothing can match, as somebody on the way told. */
  readonly #pruned = new Map<string, Visit>();
  readonly #waiting: Visit[] = [];
  /** What was told of servers, by their addresses: the ways around them. */
  readonly #detours = new Map<string, { group: ServerGroup; next: Visit }[]>();
  readonly #silent = new Set<string>();

  constructor(
    deps: TraverseDeps,
    question: TraverseQuestion,
    self: string,
    signal: AbortSignal,
    emit: (event: TraverseEvent) => void,
  ) {
    this.#deps = deps;
    this.#question = question;
    this.#signal = signal;
    this.#emit = emit;
    this.#met = new Set([self]);
  }

  async run(entrances: readonly Entrance[]): Promise<void> {
    for (const { group, ...entrance } of entrances) {
      if (group) this.#lead(group, { ...entrance, hops: 1 });
      else this.#meet({ ...entrance, hops: 1 });
    }
    const active = new Set<Promise<void>>();
    while (this.#waiting.length > 0 || active.size > 0) {
      const next = active.size < this.#deps.limits.concurrency ? this.#waiting.shift() : undefined;
      if (!next) {
        await Promise.race(active);
        continue;
      }
      const visit = this.#visit(next).finally(() => active.delete(visit));
      active.add(visit);
    }
    for (const [server, visit] of this.#pruned) if (!this.#met.has(server)) this.#tell(visit, 'pruned');
  }

  #meet(visit: Visit): void {
    if (this.#met.has(visit.server) || this.#met.size > MOST_SERVERS) return;
    this.#met.add(visit.server);
    this.#waiting.push(visit);
  }

  async #visit(visit: Visit): Promise<void> {
    const { directory, limits } = this.#deps;
    if (this.#signal.aborted) return this.#tell(visit, 'not-reached');
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
        this.#signal,
      );
      this.#follow(visit, entry);
      if (!this.#hasOwn(visit, entry)) return this.#tell(visit, 'pruned', { startedAt });
      if (entry.failure) throw entry.failure;
      const { found, more } = await this.#ask(visit);
      this.#tell(visit, more ? 'more' : 'answered', { startedAt, found });
    } catch (thrown) {
      const error = asGarnerError(thrown);
      const known = directory.peek(visit.server);
      if (known) this.#follow(visit, known);
      this.#tell(visit, failedState(error), { startedAt, error });
    }
  }

  async #ask(visit: Visit): Promise<{ found: number; more: boolean }> {
    const { exchange, breaker, limits } = this.#deps;
    const { expression, limit } = this.#question;
    const { server, allowPrivate } = visit;
    try {
      // One more than wanted tells whether there are more.
      const url = serverQuestion(server, { q: expression, exact: 'true', limit: String(limit + 1) });
      const { status, body, isPrivate } = await withTimeLimit(
        limits.serverTimeoutMs,
        server,
        (signal) => exchange({ url, allowPrivate, maxBytes: limits.answerBytes, signal }),
        this.#signal,
      );
      if (status !== 200) throw statusError(server, status);
      const given = readProfiles(body);
      const profiles = given.filter((profile) => !isGathered(profile));
      const groups = given.flatMap((profile) => readGroup(profile) ?? []);
      this.#follow(visit, { groups, isPrivate });
      breaker.succeeded(server);
      this.#emit({ type: 'profiles', server, profiles: profiles.slice(0, limit) });
      return { found: Math.min(limit, profiles.length), more: profiles.length > limit };
    } catch (error) {
      // Whoever gave up the whole question says nothing about the server.
      if (!this.#signal.aborted) breaker.failed(server);
      throw error;
    }
  }

  /** To the servers behind. When the server itself is silent, whatever is behind those is asked as well. */
  #follow(visit: Visit, { groups, isPrivate, failure }: DirectoryEntry): void {
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
    if (silent) this.#goAround(server);
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
