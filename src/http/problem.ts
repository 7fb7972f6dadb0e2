/** Errors as RFC 9457 problem details. Status and help come from ERROR_KINDS and nowhere else. */
import { STATUS_CODES } from 'node:http';
import { ERROR_KINDS, type ErrorCode, type GarnerError } from '../core/errors.ts';
import { itemPath } from '../core/identifiers.ts';
import type { ItemRef } from '../core/model.ts';
import { ITEM_PREFIXES } from './raw-target.ts';

export interface Problem {
  readonly type: 'about:blank';
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: ErrorCode;
  readonly help: string;
  /** Offset into the query, in UTF-16 units. */
  readonly position?: number;
  readonly expected?: unknown;
  readonly found?: unknown;
  readonly nearest?: unknown;
  /** Of a version that was thinned out: the numbers of those that are kept. */
  readonly kept?: unknown;
  readonly retryable: boolean;
}

/** Details that are about the request; others may speak of files and hosts. */
const OPEN_DETAILS = ['position', 'expected', 'found', 'nearest', 'kept'] as const;

export function describeProblem(error: GarnerError): Problem {
  const { http: status, help } = ERROR_KINDS[error.code];
  // What fails inside is for the log: its message may name paths and hosts.
  const inside = status >= 500 && !error.retryable;
  return {
    type: 'about:blank',
    title: STATUS_CODES[status] ?? 'Error',
    status,
    // Messages about queries go on with a picture for terminals.
    detail: inside ? help : (error.message.split('\n')[0] ?? ''),
    code: error.code,
    help,
    retryable: error.retryable,
    ...Object.fromEntries(
      OPEN_DETAILS.flatMap((name) => (name in error.details ? [[name, error.details[name]]] : [])),
    ),
  };
}

/** Where the history is of an item that lacks the version that was asked for. */
export function versionsPathOf({ code, details }: GarnerError): string | undefined {
  const { item } = details;
  if (code !== 'version.thinned' || typeof item !== 'object' || item === null) return undefined;
  const { source, identifier } = item as Partial<ItemRef>;
  return source === undefined || identifier === undefined
    ? undefined
    : itemPath(source, identifier, ITEM_PREFIXES.versions);
}

export function problemHeaders({ status }: Problem): Record<string, string> {
  if (status === 401)
    return { 'www-authenticate': 'Bearer realm="Garner", Basic realm="Garner", charset="UTF-8"' };
  return status === 503 ? { 'retry-after': '5' } : {};
}

export function problemResponse(problem: Problem): Response {
  const headers = { 'content-type': 'application/problem+json', ...problemHeaders(problem) };
  return new Response(`${JSON.stringify(problem)}\n`, { status: problem.status, headers });
}
