/**
 * Resumption tokens that need no memory here: all that the rest of a list depends on stands in them, so
 * they survive restarts and work on every server of a group. They are no secret and no permission: access
 * is decided again on every page. A short digest, bound to the base URL, tells damaged and foreign ones.
 */
import { createHash } from 'node:crypto';
import { SET_SPEC_PATTERN } from '../../core/identifiers.ts';
import type { Instant } from '../../core/model.ts';
import { type ListVerb, PREFIX_PATTERN } from './protocol.ts';
import type { ListScope } from './request.ts';

export interface ListToken {
  readonly verb: ListVerb;
  /** `untilAt` is frozen by the first request. */
  readonly scope: ListScope & { readonly untilAt: Instant };
  /** The harvester set no `until` of its own. */
  readonly open: boolean;
  readonly position: string;
  /** Records before this page. */
  readonly cursor: number;
  /** As counted by the first request. */
  readonly size: number | undefined;
  readonly expiresAt: Instant;
}

export interface SetsToken {
  readonly verb: 'ListSets';
  readonly position: string;
  readonly cursor: number;
  readonly expiresAt: Instant;
}

export type ResumptionToken = ListToken | SetsToken;

const VERSION = 1;
const LETTERS = { ListRecords: 'R', ListIdentifiers: 'I', ListSets: 'S' } as const;
const DIGEST_CHARACTERS = 11;
const MAX_CHARACTERS = 8192;

const digestOf = (payload: string, baseUrl: string): string =>
  createHash('sha256').update(`${baseUrl} ${payload}`).digest('base64url').slice(0, DIGEST_CHARACTERS);

/** Characters `A-Z a-z 0-9 - _ .` only: harvesters that forget to encode do no harm. */
export function writeToken(token: ResumptionToken, baseUrl: string): string {
  const common = [VERSION, LETTERS[token.verb], token.position, token.cursor, token.expiresAt];
  const parts =
    token.verb === 'ListSets'
      ? common
      : [
          ...common,
          token.scope.prefix,
          token.scope.fromAt ?? null,
          token.scope.untilAt,
          token.open ? 1 : 0,
          token.scope.set ?? null,
          token.size ?? null,
        ];
  const payload = Buffer.from(JSON.stringify(parts)).toString('base64url');
  return `${payload}.${digestOf(payload, baseUrl)}`;
}

/** Undefined for whatever `writeToken` did not write for this verb and base URL. */
export function parseToken(
  text: string,
  verb: ResumptionToken['verb'],
  baseUrl: string,
): ResumptionToken | undefined {
  const [, payload, digest] = /^([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)$/.exec(text) ?? [];
  if (payload === undefined || text.length > MAX_CHARACTERS || digest !== digestOf(payload, baseUrl))
    return undefined;
  const parts = parseParts(payload);
  if (!parts) return undefined;
  const [version, letter, position, cursor, expiresAt, ...rest] = parts;
  if (version !== VERSION || letter !== LETTERS[verb] || typeof position !== 'string') return undefined;
  if (!isCount(cursor) || !isCount(expiresAt)) return undefined;
  if (verb === 'ListSets') return rest.length === 0 ? { verb, position, cursor, expiresAt } : undefined;
  const list = readScope(rest);
  return list && { verb, position, cursor, expiresAt, ...list };
}

function readScope(parts: readonly unknown[]): Pick<ListToken, 'scope' | 'open' | 'size'> | undefined {
  const [prefix, fromAt, untilAt, open, set, size] = parts;
  if (parts.length !== 6 || typeof prefix !== 'string' || !PREFIX_PATTERN.test(prefix)) return undefined;
  if (!(fromAt === null || isInstant(fromAt)) || !isInstant(untilAt)) return undefined;
  if (!(set === null || (typeof set === 'string' && SET_SPEC_PATTERN.test(set)))) return undefined;
  if (!(size === null || isCount(size)) || (open !== 0 && open !== 1)) return undefined;
  return {
    scope: { prefix, untilAt, ...(fromAt !== null && { fromAt }), ...(set !== null && { set }) },
    open: open === 1,
    size: size ?? undefined,
  };
}

function parseParts(payload: string): unknown[] | undefined {
  try {
    const parts: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString());
    return Array.isArray(parts) ? parts : undefined;
  } catch {
    // No JSON: no token of ours.
    return undefined;
  }
}

const isInstant = (value: unknown): value is Instant => Number.isSafeInteger(value);
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
