/** What servers tell of themselves, kept for a while, then validated by its ETag; kept on while a server is silent. */
import { asGarnerError, type GarnerError } from '../../core/errors.ts';
import type { Clock } from '../../core/time.ts';
import { readProfiles } from '../../formats/oodt-profile/read-xml.ts';
import type { Breaker } from './breaker.ts';
import type { Exchange } from './exchange.ts';
import { readGroup, type ServerGroup } from './server-groups.ts';
import { serverQuestion } from './server-url.ts';
import { statusError, withTimeLimit } from './time-limit.ts';

export interface DirectoryEntry {
  /** Undefined: an older server, which tells nothing but answers. */
  readonly groups: readonly ServerGroup[] | undefined;
  readonly isPrivate: boolean;
  /** Why nothing newer is known. */
  readonly failure?: GarnerError;
}

export interface DirectoryOptions {
  readonly exchange: Exchange;
  readonly breaker: Breaker;
  readonly clock: Clock;
  readonly maxAgeMs: number;
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

export interface ServerDirectory {
  /** Throws when the server does not answer and nothing is known of it from before. */
  describe(server: string, allowPrivate: boolean): Promise<DirectoryEntry>;
  /** What is known, however old. */
  peek(server: string): DirectoryEntry | undefined;
}

interface Kept extends DirectoryEntry {
  readonly etag?: string;
  readonly checkedAt: number;
}

const MOST_KEPT = 20_000;
/** A silent server is asked again for its profiles after this. */
const RETRY_MS = 10_000;

export function createServerDirectory(options: DirectoryOptions): ServerDirectory {
  const { exchange, breaker, clock, maxAgeMs, timeoutMs, maxBytes } = options;
  const kept = new Map<string, Kept>();
  const underWay = new Map<string, Promise<DirectoryEntry>>();

  async function fetch(server: string, allowPrivate: boolean): Promise<DirectoryEntry> {
    const known = kept.get(server);
    try {
      const answer = await withTimeLimit(timeoutMs, server, (signal) =>
        exchange({
          url: serverQuestion(server, { gathered: 'servers' }),
          allowPrivate,
          maxBytes,
          signal,
          ...(known?.etag !== undefined && { etag: known.etag }),
        }),
      );
      const { isPrivate, etag } = answer;
      const groups =
        answer.status === 304 && known ? known.groups : readAnswer(server, answer.status, answer.body);
      breaker.succeeded(server);
      return keep(server, {
        groups,
        isPrivate,
        checkedAt: clock(),
        ...((etag ?? known?.etag) !== undefined && { etag: etag ?? known?.etag ?? '' }),
      });
    } catch (thrown) {
      const failure = asGarnerError(thrown);
      breaker.failed(server);
      if (!known) throw failure;
      return keep(server, { ...known, failure, checkedAt: clock() });
    }
  }

  function keep(server: string, entry: Kept): Kept {
    kept.delete(server);
    kept.set(server, entry);
    if (kept.size > MOST_KEPT) {
      const oldest = kept.keys().next().value;
      if (oldest !== undefined) kept.delete(oldest);
    }
    return entry;
  }

  return {
    peek: (server) => kept.get(server),
    async describe(server, allowPrivate) {
      const known = kept.get(server);
      if (known && clock() - known.checkedAt < (known.failure ? Math.min(RETRY_MS, maxAgeMs) : maxAgeMs))
        return known;
      let fetching = underWay.get(server);
      if (!fetching) {
        fetching = fetch(server, allowPrivate).finally(() => underWay.delete(server));
        underWay.set(server, fetching);
      }
      return fetching;
    },
  };
}

/** 400 and 404: a server that cannot be asked without an expression. */
function readAnswer(server: string, status: number, body: Uint8Array): readonly ServerGroup[] | undefined {
  if (status === 400 || status === 404) return undefined;
  if (status !== 200) throw statusError(server, status);
  const profiles = readProfiles(body);
  const groups = profiles.flatMap((profile) => readGroup(profile) ?? []);
  // Profiles of products: it took no notice of what was asked.
  return groups.length < profiles.length ? undefined : groups;
}
