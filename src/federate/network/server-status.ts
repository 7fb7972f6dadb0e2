/** How it went with each server that a question met. */
import type { GarnerError } from '../../core/errors.ts';

export type ServerState =
  /** Gave all it has. */
  | 'answered'
  /** Gave as much as was asked for, and has more. */
  | 'more'
  /** Nothing there can match: it was not asked. */
  | 'pruned'
  | 'failed'
  | 'timeout'
  /** It failed again and again, and is left alone for a while. */
  | 'resting'
  /** It stands where this installation does not go. */
  | 'refused'
  /** More steps away than the limit. */
  | 'too-far'
  /** The time for the whole question was over before its turn. */
  | 'not-reached';

export interface ServerStatus {
  /** Empty: this one. */
  readonly server: string;
  readonly title: string;
  readonly state: ServerState;
  /** Steps from here. */
  readonly hops: number;
  readonly found: number;
  /** What it gave though it does not seem to fit. */
  readonly unverified: number;
  readonly tookMs: number;
  readonly code?: string;
  readonly message?: string;
}

/** Something may be missing that this server has. */
export function isMissing({ state }: Pick<ServerStatus, 'state'>): boolean {
  return state !== 'answered' && state !== 'more' && state !== 'pruned';
}

export function failedState({ code }: GarnerError): ServerState {
  if (code === 'http.timeout') return 'timeout';
  return code === 'http.address' ? 'refused' : 'failed';
}
