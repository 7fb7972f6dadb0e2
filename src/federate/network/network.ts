/** The query server: one question to this installation and to the network that its peers lead into. */
import type { Viewer } from '../../core/access.ts';
import { asGarnerError } from '../../core/errors.ts';
import type { Clock } from '../../core/time.ts';
import type { Profile } from '../../formats/oodt-profile/profile.ts';
import type { QueryNode } from '../../query/ast.ts';
import { writeDis } from '../../query/dis/write-dis.ts';
import { isGathered } from '../aggregate/gathered-profile.ts';
import { compileProfileTest } from '../profile/match-profile.ts';
import { askProfiles } from './ask-profiles.ts';
import { type Breaker, createBreaker } from './breaker.ts';
import { createServerDirectory, type ServerDirectory } from './directory.ts';
import type { Exchange } from './exchange.ts';
import type { LocalServer } from './local-server.ts';
import { type FoundProfile, ResultMerge } from './merge.ts';
import { olderQuestion } from './older-question.ts';
import { joinGroups, mayHold, readGroup, type ServerGroup, writeGroup } from './server-groups.ts';
import { failedState, isMissing, type ServerStatus } from './server-status.ts';
import { startTimeLimit, untilAborted } from './time-limit.ts';
import {
  type Entrance,
  type NetworkLimits,
  type TraverseEvent,
  type TraverseQuestion,
  traverse,
} from './traverse.ts';

export interface Peer {
  readonly title: string;
  /** The address of its profile server, in its one form (`peerServer`). */
  readonly server: string;
  readonly allowPrivate: boolean;
}

export interface NetworkDeps {
  readonly local: LocalServer;
  readonly peers: readonly Peer[];
  readonly exchange: Exchange;
  readonly clock: Clock;
  readonly limits: NetworkLimits & { readonly maxAgeMs: number };
  /** Of gathered profiles. */
  readonly valueLimit: number;
  /** The address of this profile server. */
  readonly self: string;
  readonly name: string;
  /** `resContext`. */
  readonly context: string;
}

export interface NetworkQuestion {
  readonly query: QueryNode;
  /** Sources or servers that are to answer. */
  readonly from?: readonly string[];
  readonly exact?: boolean;
  /** The most that is wanted, and the most that is asked of one server. */
  readonly limit: number;
  /** Nobody else is asked. */
  readonly local?: boolean;
}

export type NetworkEvent =
  | ({ readonly type: 'profile' } & FoundProfile)
  | ({ readonly type: 'server' } & ServerStatus);

export interface NetworkAnswer {
  readonly profiles: readonly FoundProfile[];
  readonly servers: readonly ServerStatus[];
  /** Every server that may have something gave all of it. */
  readonly complete: boolean;
  /** What came more than once. */
  readonly duplicates: number;
}

export type Network = ReturnType<typeof createNetwork>;

export function createNetwork(deps: NetworkDeps) {
  const { local, peers, exchange, clock, limits, self } = deps;
  const breaker: Breaker = createBreaker(clock);
  const directory: ServerDirectory = createServerDirectory({
    exchange,
    breaker,
    clock,
    maxAgeMs: limits.maxAgeMs,
    timeoutMs: limits.serverTimeoutMs,
    maxBytes: limits.answerBytes,
  });

  /** Each profile once, as it comes, and how it went with each server. */
  async function* ask(
    question: NetworkQuestion,
    viewer: Viewer,
    signal: AbortSignal,
    merge = new ResultMerge(),
  ): AsyncGenerator<NetworkEvent> {
    const { from = [], exact, limit: most } = question;
    const query = local.expand(question.query, exact);
    const fits = compileProfileTest(query);
    const addAll = (server: string, profiles: readonly Profile[], trusted: boolean) => {
      const verified = profiles.map((profile) => trusted || fits(profile));
      const fresh = profiles.flatMap(
        (profile, rank) => merge.add({ profile, server, verified: verified[rank] ?? false }, rank) ?? [],
      );
      return { fresh, unverified: verified.filter((one) => !one).length };
    };
    using limit = startTimeLimit(limits.totalTimeoutMs, clock, signal);
    const asked = { expression: writeDis(query, { from }), limit: most, maxBytes: limits.answerBytes };
    const remote = traverse(
      { directory, breaker, limits },
      {
        query,
        ask: (server, within) =>
          askProfiles(
            exchange,
            server,
            server.isOlder ? { ...asked, ...olderQuestion(query, from) } : asked,
            within,
          ),
      },
      question.local === true ? [] : await untilAborted(listEntrances(), limit.signal),
      { self, limit },
    );
    // They are on their way while this one looks at its own.
    const first = remote.next();
    first.catch(() => {});
    try {
      const own = await askHere();
      for (const found of addAll('', own.profiles, true).fresh) yield { type: 'profile', ...found };
      yield own.status;
      const unverified = new Map<string, number>();
      for (let step = await first; step.done !== true; step = await remote.next()) {
        const event = step.value;
        if (event.type === 'server') {
          const { status } = event;
          yield { type: 'server', ...status, unverified: unverified.get(status.server) ?? 0 };
          continue;
        }
        const added = addAll(event.server, event.value, false);
        unverified.set(event.server, added.unverified);
        for (const found of added.fresh) yield { type: 'profile', ...found };
      }
    } finally {
      limit[Symbol.dispose]();
      await remote.return(undefined);
    }

    async function askHere(): Promise<{
      profiles: readonly Profile[];
      status: { readonly type: 'server' } & ServerStatus;
    }> {
      const startedAt = performance.now();
      const status = { type: 'server', server: '', title: deps.name, hops: 0, unverified: 0 } as const;
      const took = () => Math.round(performance.now() - startedAt);
      try {
        const sources = from.length > 0 ? { sources: from } : {};
        const { total, profiles } = await untilAborted(
          local.find({ query, exact: true, limit: most, ...sources }, viewer),
          limit.signal,
        );
        const products = profiles.filter((profile) => !isGathered(profile));
        const state = total > profiles.length ? 'more' : 'answered';
        return {
          profiles: products,
          status: { ...status, state, found: products.length, tookMs: took() },
        };
      } catch (thrown) {
        const error = asGarnerError(thrown);
        // A question that nobody can answer is the asker's mistake.
        if (error.code.startsWith('query.')) throw error;
        const { code, message } = error;
        const state = failedState(error);
        return { profiles: [], status: { ...status, state, found: 0, tookMs: took(), code, message } };
      }
    }
  }

  /** Peers, and servers whose profiles were taken in as records. */
  async function listEntrances(): Promise<Entrance[]> {
    const stored = (await local.listServers()).flatMap((profile) => readGroup(profile) ?? []);
    const configured = new Set([self, ...peers.map(({ server }) => server)]);
    return [
      ...peers,
      ...stored
        .filter(({ server }) => !configured.has(server))
        .map((group) => ({ server: group.server, title: group.title, allowPrivate: false, group })),
    ];
  }

  /** Undefined when there is nothing at the peer or behind it. */
  function peerGroup({ server, title }: Peer): ServerGroup | undefined {
    const groups = directory.peek(server)?.groups;
    if (!groups) return { server, title, behind: [], complete: false, own: false };
    // What leads back here is told by this one itself.
    const others = groups
      .filter((group) => group.server !== self)
      .map((group) => ({ ...group, behind: group.behind.filter((behind) => behind !== self) }));
    return others.length === 0 ? undefined : joinGroups(server, title, others, deps.valueLimit);
  }

  return {
    peers,
    ask,

    /** Asks every server that may hold a match in a way of the caller's; this one is the caller's own. */
    async *visit<T>(question: TraverseQuestion<T>, signal: AbortSignal): AsyncGenerator<TraverseEvent<T>> {
      using limit = startTimeLimit(limits.totalTimeoutMs, clock, signal);
      const entrances = await untilAborted(listEntrances(), limit.signal);
      yield* traverse({ directory, breaker, limits }, question, entrances, { self, limit });
    },

    /** The whole answer, ranked. */
    async collect(question: NetworkQuestion, viewer: Viewer, signal: AbortSignal): Promise<NetworkAnswer> {
      const merge = new ResultMerge();
      const servers: ServerStatus[] = [];
      for await (const event of ask(question, viewer, signal, merge)) {
        if (event.type === 'profile') continue;
        const { type: _, ...status } = event;
        servers.push(status);
      }
      const found = merge.list();
      return {
        profiles: found.slice(0, question.limit),
        servers,
        complete:
          found.length <= question.limit &&
          !servers.some((status) => isMissing(status) || status.state === 'more'),
        duplicates: merge.duplicates,
      };
    },

    /** For servers that lead here: one gathered profile of this server and of each behind it that may hold a match. */
    async describe(query?: QueryNode): Promise<Profile[]> {
      const root = local.findRoot();
      const here = { server: self, title: deps.name, behind: [], own: true };
      const own: ServerGroup[] =
        root === 'unknown'
          ? [{ ...here, complete: false }]
          : root
            ? [{ ...here, aggregate: root, complete: true }]
            : [];
      const others = peers.filter(({ server }) => server !== self);
      const groups = [...own, ...others.flatMap((peer) => peerGroup(peer) ?? [])];
      const stored = (await local.listServers()).filter((profile) => {
        const group = readGroup(profile);
        return group && (!query || mayHold(group, query));
      });
      const possible = groups.filter((group) => !query || mayHold(group, query));
      return [...possible.map((group) => writeGroup(group, deps.context)), ...stored];
    },

    /** Attributes of other servers, as far as they tell; undefined when one of them tells nothing. */
    listAttributes(): readonly string[] | undefined {
      const groups = peers.map(({ server }) => directory.peek(server)?.groups);
      if (groups.some((group) => group === undefined || group.some(({ complete }) => !complete)))
        return undefined;
      return groups.flatMap(
        (group) => group?.flatMap(({ aggregate }) => [...(aggregate?.attributes.keys() ?? [])]) ?? [],
      );
    },

    /** Hears from every peer what it and those behind it have, as far as that is not known. */
    async refresh(): Promise<void> {
      await Promise.allSettled(
        peers
          .filter(({ server }) => breaker.mayAsk(server))
          .map(({ server, allowPrivate }) => directory.describe(server, allowPrivate)),
      );
    },
  };
}
