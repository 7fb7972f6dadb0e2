/** Spaces without end: URLs that a server makes up as long as somebody follows them. */
import type { TrapLimits } from '../settings.ts';

/** How often a family of URLs was met; kept with the frontier. */
export interface FamilyCounter {
  /** Counts one more, and says how many there are now. */
  count(family: string): number;
}

/** The reason why a new URL is left out, if there is one. Only URLs that come in are counted. */
export function findTrap(url: URL, limits: TrapLimits, counter: FamilyCounter): string | undefined {
  if (url.href.length > limits.urlLength) return 'trap: url-length';
  const segments = url.pathname.split('/').filter((segment) => segment !== '');
  if (segments.length > limits.pathSegments) return 'trap: path-segments';
  if (repeats(segments) > limits.repeats) return 'trap: repeating-path';
  const template = templateOf(url);
  if (url.search.length > 1 && counter.count(`q ${url.host}${generalise(url.pathname)}`) > limits.queries)
    return 'trap: queries';
  if (template === undefined) return undefined;
  const isCalendar = looksLikeDates(url);
  if (
    counter.count(`${isCalendar ? 'c' : 's'} ${template}`) > (isCalendar ? limits.calendar : limits.similar)
  )
    return isCalendar ? 'trap: calendar' : 'trap: similar';
  return undefined;
}

/** How often the most repeated segment, or run of two or three, stands in the path; neighbours count for runs. */
function repeats(segments: readonly string[]): number {
  let most = segments.length > 0 ? 1 : 0;
  const counts = new Map<string, number>();
  for (const segment of segments) {
    // Numbers and single letters stand in honest paths more than once.
    if (segment.length < 2 || /^\d+$/.test(segment)) continue;
    const count = (counts.get(segment) ?? 0) + 1;
    counts.set(segment, count);
    most = Math.max(most, count);
  }
  for (const size of [1, 2, 3])
    for (let at = 0, run = 1; at + 2 * size <= segments.length; at += size) {
      const same =
        segments.slice(at, at + size).join('/') === segments.slice(at + size, at + 2 * size).join('/');
      run = same ? run + 1 : 1;
      most = Math.max(most, run);
    }
  return most;
}

const generalise = (text: string): string =>
  text.replace(/[0-9a-f]{8,}(?=[^0-9a-z]|$)/gi, 'x').replace(/\d+/g, '0');

/** The URL with its numbers and identifiers taken out; undefined when it has none. */
function templateOf(url: URL): string | undefined {
  const whole = `${url.host}${url.pathname}${url.search}`;
  const query = generalise(url.search).replace(/=[^&]*/g, '=');
  const general = `${url.host}${generalise(url.pathname)}${query}`;
  return general === whole ? undefined : general;
}

const DATE_PARAMETER =
  /[?&](?:y|m|d|yr|mo|year|month|day|week|date|datum|jahr|monat|tag|annee|mois|jour|start|from|to|when|cal\w*)=[^&]*\d/i;
const DATE_PATH = /(?:^|\D)(?:1[89]|20|21|2[2-9]|[3-9]\d)\d\d(?:[-/._]?(?:0?[1-9]|1[0-2]))(?:\D|\d\d\b|$)/;
const CALENDAR_WORD = /cal(?:endar|endrier)?|kalender|events?|agenda|archive|schedule/i;

function looksLikeDates(url: URL): boolean {
  return (
    DATE_PARAMETER.test(url.search) ||
    DATE_PATH.test(url.pathname) ||
    DATE_PATH.test(url.search) ||
    (CALENDAR_WORD.test(url.pathname) && /\d/.test(url.pathname + url.search))
  );
}
