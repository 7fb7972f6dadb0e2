/** Dates that cannot be: clocks that were never set, the future, pages from before there were any. */
import { dateSpan } from '../../core/time.ts';
import type { TrustRule } from './judged-page.ts';

/** Days at which clocks of computers begin. */
const FIRST_DAYS: Readonly<Record<string, string>> = {
  '0001-01-01': 'of .NET',
  '1601-01-01': 'of Windows',
  '1899-12-30': 'of spreadsheets',
  '1900-01-01': 'of databases',
  '1904-01-01': 'of the Macintosh',
  '1969-12-31': 'of Unix',
  '1970-01-01': 'of Unix',
  '1980-01-01': 'of DOS',
};
/** The first web server answered at the end of 1990. */
const FIRST_PAGES = Date.UTC(1990, 11, 1);
/** Clocks go wrong, and dates without a zone may be those of the other side of the earth. */
const TOLERANCE = 36 * 3_600_000;

export const implausibleDate: TrustRule = ({ element, values }, { capturedAt, reading }) => {
  if (element !== 'date') return undefined;
  const isPage = /^(?:text\/html|application\/xhtml\+xml)$/.test(reading.type.type);
  for (const value of values) {
    const reason = describe(value, capturedAt, isPage);
    if (reason !== undefined) return { rule: 'implausible-date', reason, weight: 0.9 };
  }
  return undefined;
};

function describe(value: string, capturedAt: number, isPage: boolean): string | undefined {
  const clock = FIRST_DAYS[value.slice(0, 10)];
  if (clock !== undefined) return `on that day the clock ${clock} begins`;
  const span = dateSpan(value);
  if (!span) return undefined;
  if (span.startAt > capturedAt + TOLERANCE)
    return `the page was captured before, on ${new Date(capturedAt).toISOString().slice(0, 10)}`;
  if (isPage && span.endAt < FIRST_PAGES) return 'there were no web pages then';
  return undefined;
}
