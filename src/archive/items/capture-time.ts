/** Moments as archives write them: up to 14 digits, or ISO 8601. */
import type { Instant } from '../../core/model.ts';
import { dateSpan } from '../../core/time.ts';

/** All that it covers: `2008` is the whole year, `end` its last millisecond. Undefined when it is no time. */
export function captureSpan(text: string): { readonly start: Instant; readonly end: Instant } | undefined {
  const digits = /^(\d{4})(\d{2})?(\d{2})?(\d{2})?(\d{2})?(\d{2})?\d{0,3}$/.exec(text);
  const span = dateSpan(digits ? writeIso(digits) : text);
  return span && { start: span.startAt, end: span.endAt - 1 };
}

function writeIso([, year = '', month, day, hour, minute, second]: readonly (string | undefined)[]): string {
  const date = [year, month, day].filter((part) => part !== undefined).join('-');
  return hour === undefined ? date : `${date}T${hour}:${minute ?? '00'}:${second ?? '00'}Z`;
}
