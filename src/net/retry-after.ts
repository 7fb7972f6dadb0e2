/** Retry-After (RFC 9110 §10.2.3): seconds, or a date in any of the three forms that HTTP knows. */
import type { Instant } from '../core/model.ts';

const IMF_OR_RFC850 =
  /^(?:[A-Za-z]+,\s*)?(\d{1,2})[ -]([A-Za-z]{3})[ -](\d{2}|\d{4})\s+(\d{2}):(\d{2}):(\d{2})(?:\s+(?:GMT|UTC|[+-]0000))?$/;
const ASCTIME = /^[A-Za-z]{3}\s+([A-Za-z]{3})\s+(\d{1,2})\s+(\d{2}):(\d{2}):(\d{2})\s+(\d{4})$/;
const MONTHS = 'janfebmaraprmayjunjulaugsepoctnovdec';

export function parseHttpDate(text: string, now: Instant): Instant | undefined {
  const trimmed = text.trim();
  const common = IMF_OR_RFC850.exec(trimmed);
  const old = common ? undefined : ASCTIME.exec(trimmed);
  const [day, monthName, yearText, hour, minute, second] = common
    ? common.slice(1)
    : old
      ? [old[2], old[1], old[6], old[3], old[4], old[5]]
      : [];
  if (monthName === undefined || yearText === undefined) return undefined;
  const at = MONTHS.indexOf(monthName.toLowerCase());
  if (at < 0 || at % 3 !== 0) return undefined;
  const instant = Date.UTC(
    fullYear(yearText, now),
    at / 3,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
  );
  return Number.isNaN(instant) ? undefined : instant;
}

/** Two digits that seem to lie more than 50 years ahead mean the past century (RFC 9110 §5.6.7). */
function fullYear(text: string, now: Instant): number {
  if (text.length === 4) return Number(text);
  const present = new Date(now).getUTCFullYear();
  const year = present - (present % 100) + Number(text);
  return year > present + 50 ? year - 100 : year;
}

/** How long to wait; undefined when the header is absent or says nothing that can be understood. */
export function parseRetryAfter(value: string | undefined, now: Instant): number | undefined {
  if (value === undefined) return undefined;
  const seconds = /^\s*(\d{1,9})(?:\.\d+)?\s*$/.exec(value);
  if (seconds) return Number(seconds[1]) * 1000;
  const at = parseHttpDate(value, now);
  return at === undefined ? undefined : Math.max(0, at - now);
}
