/** Typed events: JSON lines for programs, short lines for people. Made at an edge and handed down. */
import { inspect, styleText } from 'node:util';
import { ERROR_KINDS, GarnerError } from './errors.ts';
import { type EventFields, type EventName, LOG_EVENTS, LOG_LEVELS, type LogLevel } from './log-events.ts';
import type { Clock } from './time.ts';

export type Log = <Name extends EventName>(name: Name, fields: EventFields<Name>) => void;

export interface LogOptions {
  /** Takes whole lines, with their line end. */
  readonly write: (line: string) => void;
  /** For people at a terminal; else one JSON object per line. */
  readonly pretty: boolean;
  readonly clock: Clock;
  /** Lesser events are left out. */
  readonly level?: LogLevel;
}

export function createLog({ write, pretty, clock, level = 'info' }: LogOptions): Log {
  const least = LOG_LEVELS.indexOf(level);
  return (name, fields) => {
    const eventLevel = LOG_EVENTS[name].level;
    if (LOG_LEVELS.indexOf(eventLevel) < least) return;
    const safe = redact(fields) as Record<string, unknown>;
    const at = new Date(clock()).toISOString();
    write(
      pretty
        ? formatPretty(at, eventLevel, name, safe)
        : `${JSON.stringify({ at, level: eventLevel, event: name, ...safe })}\n`,
    );
  };
}

/** Where nobody listens. */
export const silentLog: Log = () => {};

const REDACTED = '[redacted]';
const SECRET_KEY =
  /secret|passw(?:or)?d|passphrase|authori[sz]ation|cookie|credential|^(?:.*[_-])?(?:token|key)$/i;
const SECRET_CAMEL_KEY = /[a-z](?:Token|Key)$/;

function isSecret(key: string, value: unknown): boolean {
  // Numbers are counts and row keys.
  if (value === undefined || typeof value === 'number' || typeof value === 'boolean') return false;
  return SECRET_KEY.test(key) || SECRET_CAMEL_KEY.test(key);
}

/** `user:password@` in URLs, and what follows an authentication scheme. */
const SECRET_TEXT: readonly (readonly [RegExp, string])[] = [
  [/(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/@]+@/gi, `$1${REDACTED}@`],
  [/\b(Bearer|Basic|Token)\s+[A-Za-z0-9._~+/=-]{6,}/gi, `$1 ${REDACTED}`],
  [/([?&](?:[\w-]*(?:token|secret|password|key))=)[^&#\s]+/gi, `$1${REDACTED}`],
];

/** A copy that is fit for a log: secrets replaced, errors and dates as plain values, cycles cut. */
export function redact(value: unknown, seen: readonly object[] = []): unknown {
  if (typeof value === 'string') return redactText(value);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return value;
  if (seen.includes(value)) return '[circular]';
  const inside = [...seen, value];
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'invalid date' : value.toISOString();
  if (value instanceof Error) return redactError(value, inside);
  if (Array.isArray(value)) return value.map((entry) => redact(entry, inside));
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (value instanceof Map || value instanceof Set) return redact([...value], inside);
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [
      key,
      isSecret(key, entry) ? REDACTED : redact(entry, inside),
    ]),
  );
}

function redactText(text: string): string {
  return SECRET_TEXT.reduce((safe, [pattern, replacement]) => safe.replace(pattern, replacement), text);
}

/** The stack only where it helps: in bugs of ours. */
function redactError(error: Error, inside: readonly object[]): Record<string, unknown> {
  const known = error instanceof GarnerError && error.code !== 'internal.bug';
  return {
    ...(error instanceof GarnerError && { code: error.code, help: ERROR_KINDS[error.code].help }),
    message: redactText(error.message),
    ...(error instanceof GarnerError && Object.keys(error.details).length > 0
      ? { details: redact(error.details, inside) }
      : {}),
    ...(!known && error.stack !== undefined && { stack: redactText(error.stack) }),
    ...(error.cause !== undefined && { cause: redact(error.cause, inside) }),
  };
}

const COLOURS = { debug: 'gray', info: 'cyan', warn: 'yellow', error: 'red' } as const;

function formatPretty(at: string, level: LogLevel, name: EventName, fields: Record<string, unknown>): string {
  const parts = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${styleText('gray', `${key}=`)}${formatValue(value)}`);
  const time = styleText('gray', at.slice(11, 19));
  return `${time} ${styleText(COLOURS[level], name)} ${parts.join(' ')}`.trimEnd().concat('\n');
}

/** Control characters never reach a terminal: a hostile file name must not move the cursor. */
function formatValue(value: unknown): string {
  if (typeof value === 'string' && /^[\p{L}\p{N}\p{P}\p{S}]+$/u.test(value)) return value;
  if (typeof value === 'string') return JSON.stringify(value).replace(/[\u007f-\u009f]/g, '\ufffd');
  if (typeof value === 'object' && value !== null && 'message' in value)
    return formatValue('code' in value ? `${value.code}: ${value.message}` : value.message);
  return inspect(value, { breakLength: Number.POSITIVE_INFINITY });
}
