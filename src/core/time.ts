/**
 * Time in Garner: UTC instants, and dates as precise as they were written. A date-time without a zone
 * counts as UTC, wherever the machine stands.
 */
import { type Span, writeDate, writeSecond, writtenSpan } from './calendar.ts';
import { readAnyDate, readIsoDate } from './date-notations.ts';
import type { Instant, IntervalValue } from './model.ts';

/** Injected wherever the present matters, so that tests choose it. */
export type Clock = () => Instant;

export const systemClock: Clock = () => Date.now();

/** What an ISO 8601 date covers: `2004-05` is all of May. Undefined when the text is no ISO date. */
export function dateSpan(text: string): Span | undefined {
  const date = readIsoDate(text.trim());
  return date && writtenSpan(date);
}

/**
 * A date in any notation whose meaning is certain, as `YYYY`, `YYYY-MM`, `YYYY-MM-DD` or
 * `YYYY-MM-DDThh:mm:ssZ`. Years before 0 or after 9999 have a sign and six digits.
 */
export function normaliseDate(text: string): string | undefined {
  const date = readAnyDate(text.trim().replace(/\s+/g, ' '));
  return date && writeDate(date);
}

/** Words for an end that is not known or not reached. */
const OPEN_END = /^(?:|\.\.|now|present|ongoing|unknown)$/i;
const RANGE_MARK = /\s+(?:to|until|-|–|—|--)\s+|\s*[–—]\s*/i;
const DCMI_PART = /^\s*(start|end|name|scheme)\s*=\s*(.*?)\s*$/i;

/**
 * A period of time: `a/b` (ISO 8601, with `..` or nothing for an open end; a repeat interval after a
 * second slash is ignored), `start=a; end=b` (DCMI Period), `a to b`, `1990-2000`, or one date, which
 * is its own start and end. Undefined when an end is no date or the start lies after the end.
 */
export function parseInterval(text: string): IntervalValue | undefined {
  const trimmed = text.trim();
  if (/(?:^|;)\s*(?:start|end)\s*=/i.test(trimmed)) return readDcmiPeriod(trimmed);
  const slashed = trimmed.split('/');
  const last = slashed.at(-1)?.trim() ?? '';
  const ends = slashed.length === 3 && /^P/i.test(last) ? slashed.slice(0, 2) : slashed;
  if (ends.length === 2) {
    const interval = betweenDates(ends[0] ?? '', ends[1] ?? '');
    if (interval) return interval;
  }
  const single = normaliseDate(trimmed);
  if (single !== undefined) return { start: single, end: single };
  const years = /^(\d{4})\s*-\s*(\d{4})$/.exec(trimmed);
  const parts = years ? years.slice(1) : trimmed.split(RANGE_MARK);
  return parts.length === 2 ? betweenDates(parts[0] ?? '', parts[1] ?? '') : undefined;
}

/** DCMI Period: `name=The Great Depression; start=1929; end=1939;`. */
function readDcmiPeriod(text: string): IntervalValue | undefined {
  const parts = new Map<string, string>();
  for (const part of text.split(';')) {
    const [, key, value] = DCMI_PART.exec(part) ?? [];
    if (key !== undefined && value !== undefined) parts.set(key.toLowerCase(), value);
  }
  return betweenDates(parts.get('start') ?? '', parts.get('end') ?? '');
}

function betweenDates(startText: string, endText: string): IntervalValue | undefined {
  const start = OPEN_END.test(startText.trim()) ? '' : normaliseDate(startText);
  const end = OPEN_END.test(endText.trim()) ? '' : normaliseDate(endText);
  if (start === undefined || end === undefined) return undefined;
  const startAt = dateSpan(start)?.startAt ?? Number.NEGATIVE_INFINITY;
  const endAt = dateSpan(end)?.endAt ?? Number.POSITIVE_INFINITY;
  if (startAt >= endAt) return undefined;
  return { ...(start && { start }), ...(end && { end }) };
}

/** The two granularities of OAI-PMH 2.0 §3.3, in the words of its Identify response. */
export type OaiGranularity = 'YYYY-MM-DD' | 'YYYY-MM-DDThh:mm:ssZ';

/** Whole days or seconds; what is finer is cut off. */
export function formatOai(at: Instant, granularity: OaiGranularity = 'YYYY-MM-DDThh:mm:ssZ'): string {
  const second = writeSecond(at);
  return granularity === 'YYYY-MM-DD' ? second.slice(0, second.indexOf('T')) : second;
}

export interface OaiDate extends Span {
  readonly granularity: OaiGranularity;
}

/** An argument `from` or `until`: exactly one of the two forms, or undefined. */
export function parseOai(text: string): OaiDate | undefined {
  const match = /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2}):(\d{2})Z)?$/.exec(text);
  const span = match && dateSpan(text);
  // 24:00:00 and leap seconds are ISO 8601, but no moment that formatOai writes.
  if (!span || (match[4] !== undefined && writeSecond(span.startAt) !== text)) return undefined;
  return { ...span, granularity: match[4] === undefined ? 'YYYY-MM-DD' : 'YYYY-MM-DDThh:mm:ssZ' };
}
