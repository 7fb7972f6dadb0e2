/**
 * The ways in which people and programs write dates, each a pattern and what it means. The ISO 8601
 * notations come first and are tried first; a text that two notations would read differently is read by none.
 */
import {
  DAY_MS,
  dateOfDay,
  dayStart,
  daysInYear,
  HOUR_MS,
  isWritable,
  MINUTE_MS,
  SECOND_MS,
  type TimeOfDay,
  type WrittenDate,
} from './calendar.ts';

interface Notation {
  readonly pattern: RegExp;
  readonly read: (groups: Groups) => WrittenDate | undefined;
}
type Groups = Readonly<Record<string, string | undefined>>;

const YEAR = '(?<year>\\d{4}|[+-]\\d{4,6})';
const ISO_ZONE = '(?<zone>Z|UTC|GMT|[+-]\\d{2}(?::?\\d{2})?)';
/** A zone after a bare date (xsd:date allows it) says where that day was counted, and is dropped. */
const DAY_ZONE = '(?:Z|[+-]\\d{2}:\\d{2})?';
const FRACTION = '(?:[.,](?<fraction>\\d+))?';
const EXTENDED_TIME = `(?<hour>\\d{2})(?::(?<minute>\\d{2})(?::(?<second>\\d{2})${FRACTION})?)?\\s*${ISO_ZONE}?`;
const BASIC_TIME = `(?<hour>\\d{2})(?:(?<minute>\\d{2})(?:(?<second>\\d{2})${FRACTION})?)?${ISO_ZONE}?`;
const CLOCK_TIME = `(?<hour>\\d{1,2}):(?<minute>\\d{2})(?::(?<second>\\d{2})${FRACTION})?(?:\\s*(?<zone>[A-Za-z]+|[+-]\\d{2}:?\\d{2}))?`;
const MAYBE_CLOCK = `(?:(?:\\s+|,\\s*|T)${CLOCK_TIME})?`;
const WEEKDAY = '(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\\.?,?\\s+)?';
const MONTH =
  '(?<name>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?';
const DAY = '(?<day>\\d{1,2})(?:st|nd|rd|th)?';

const whole = (source: string): RegExp => new RegExp(`^${source}$`, 'i');

const ISO_NOTATIONS: readonly Notation[] = [
  { pattern: whole(`${YEAR}${DAY_ZONE}`), read: readParts },
  { pattern: whole(`${YEAR}-(?<month>\\d{2})${DAY_ZONE}`), read: readParts },
  { pattern: whole(`${YEAR}-(?<month>\\d{2})-(?<day>\\d{2})${DAY_ZONE}`), read: readParts },
  { pattern: whole(`${YEAR}-(?<month>\\d{2})-(?<day>\\d{2})(?:T|\\s+)${EXTENDED_TIME}`), read: readParts },
  // Six digits are no ISO date: YYYYMM would be confused with YYMMDD.
  { pattern: whole('(?<year>\\d{4})(?<month>\\d{2})(?<day>\\d{2})Z?'), read: readParts },
  { pattern: whole(`(?<year>\\d{4})(?<month>\\d{2})(?<day>\\d{2})T${BASIC_TIME}`), read: readParts },
  // The timestamps of web archives. Ten or thirteen digits would be a Unix time.
  {
    pattern: whole(
      '(?<year>\\d{4})(?<month>\\d{2})(?<day>\\d{2})(?<hour>\\d{2})(?<minute>\\d{2})(?<second>\\d{2})',
    ),
    read: readParts,
  },
  { pattern: whole(`${YEAR}-(?<ordinal>\\d{3})(?:T${EXTENDED_TIME})?`), read: readOrdinal },
  { pattern: whole(`(?<year>\\d{4})(?<ordinal>\\d{3})(?:T${BASIC_TIME})?`), read: readOrdinal },
  {
    pattern: whole(`${YEAR}(?:-W|W)(?<week>\\d{2})(?:-?(?<weekday>[1-7]))?(?:T${EXTENDED_TIME})?`),
    read: readWeek,
  },
];

const OTHER_NOTATIONS: readonly Notation[] = [
  // Year first is never ambiguous.
  { pattern: whole(`(?<year>\\d{4})[/.-](?<month>\\d{1,2})`), read: readParts },
  {
    pattern: whole(`(?<year>\\d{4})(?<mark>[/.-])(?<month>\\d{1,2})\\k<mark>(?<day>\\d{1,2})${MAYBE_CLOCK}`),
    read: readParts,
  },
  {
    pattern: whole(
      `(?<first>\\d{1,2})(?<mark>[/.-])(?<other>\\d{1,2})\\k<mark>(?<year>\\d{4})${MAYBE_CLOCK}`,
    ),
    read: readDayAndMonth,
  },
  { pattern: whole(`${MONTH},?\\s+(?<year>\\d{4})`), read: readParts },
  { pattern: whole(`(?<year>\\d{4})[\\s-]+${MONTH}(?:[\\s-]+${DAY})?${MAYBE_CLOCK}`), read: readParts },
  // RFC 822 and its successors, RFC 850, and the plain `6 May 2004`.
  {
    pattern: whole(`${WEEKDAY}${DAY}(?:\\s+|-)${MONTH},?(?:\\s+|-)(?<year>\\d{4})${MAYBE_CLOCK}`),
    read: readParts,
  },
  {
    pattern: whole(`${WEEKDAY}${DAY}(?:\\s+|-)${MONTH}(?:\\s+|-)(?<shortYear>\\d{2})\\s+${CLOCK_TIME}`),
    read: readParts,
  },
  {
    pattern: whole(`${WEEKDAY}${MONTH}\\s+${DAY}(?:,\\s*|\\s+)(?<year>\\d{4})${MAYBE_CLOCK}`),
    read: readParts,
  },
  // asctime and its like, with the year last.
  { pattern: whole(`${WEEKDAY}${MONTH}\\s+${DAY}\\s+${CLOCK_TIME}\\s+(?<year>\\d{4})`), read: readParts },
];

/** ISO 8601 only: extended, basic, ordinal and week dates. */
export function readIsoDate(text: string): WrittenDate | undefined {
  return readBy(ISO_NOTATIONS, text);
}

export function readAnyDate(text: string): WrittenDate | undefined {
  return readIsoDate(text) ?? readBy(OTHER_NOTATIONS, text);
}

function readBy(notations: readonly Notation[], text: string): WrittenDate | undefined {
  // The longest sensible date has some forty characters; a paragraph need not meet the patterns.
  if (text.length > 64) return undefined;
  for (const { pattern, read } of notations) {
    const groups = pattern.exec(text)?.groups;
    if (!groups) continue;
    const date = read(groups);
    if (date && isWritable(date)) return date;
  }
  return undefined;
}

function readParts(groups: Groups): WrittenDate | undefined {
  const month = groups.name === undefined ? optionalNumber(groups.month) : monthOfName(groups.name);
  const day = optionalNumber(groups.day);
  const year =
    groups.shortYear === undefined ? Number(groups.year) : yearOfTwoDigits(Number(groups.shortYear));
  return withTime(
    { year, ...(month === undefined ? {} : { month }), ...(day === undefined ? {} : { day }) },
    groups,
  );
}

/** `05/06/2004` is May in one country and June in another: read only when a number above 12 decides. */
function readDayAndMonth(groups: Groups): WrittenDate | undefined {
  const first = Number(groups.first);
  const other = Number(groups.other);
  const year = Number(groups.year);
  if (first > 12 || first === other) return withTime({ year, month: other, day: first }, groups);
  return other > 12 ? withTime({ year, month: first, day: other }, groups) : undefined;
}

function readOrdinal(groups: Groups): WrittenDate | undefined {
  const year = Number(groups.year);
  const ordinal = Number(groups.ordinal);
  if (ordinal < 1 || ordinal > daysInYear(year)) return undefined;
  return withTime(dateOfDay(dayStart(year, 1, ordinal)), groups);
}

function readWeek(groups: Groups): WrittenDate | undefined {
  const year = Number(groups.year);
  const week = Number(groups.week);
  // ISO 8601: week 1 holds 4 January.
  const mondayAt = (ofYear: number) => {
    const januaryFourthAt = dayStart(ofYear, 1, 4);
    return januaryFourthAt - ((new Date(januaryFourthAt).getUTCDay() + 6) % 7) * DAY_MS;
  };
  const weekAt = mondayAt(year) + (week - 1) * 7 * DAY_MS;
  if (week < 1 || weekAt >= mondayAt(year + 1)) return undefined;
  if (groups.weekday !== undefined)
    return withTime(dateOfDay(weekAt + (Number(groups.weekday) - 1) * DAY_MS), groups);
  // A whole week has no normalised form: give the month, or else the year, that it lies in.
  const monday = dateOfDay(weekAt);
  const sunday = dateOfDay(weekAt + 6 * DAY_MS);
  if (monday.year !== sunday.year) return undefined;
  return monday.month === sunday.month ? { year: monday.year, month: monday.month } : { year: monday.year };
}

function withTime(date: WrittenDate, groups: Groups): WrittenDate | undefined {
  if (groups.hour === undefined) return date;
  const offsetMinutes = readZone(groups.zone);
  if (offsetMinutes === undefined) return undefined;
  const time: TimeOfDay = {
    hour: Number(groups.hour),
    minute: Number(groups.minute ?? 0),
    second: Number(groups.second ?? 0),
    millisecond: Number((groups.fraction ?? '').slice(0, 3).padEnd(3, '0')),
    unitMs: precisionOf(groups),
    offsetMinutes,
  };
  return { ...date, time };
}

function precisionOf({ minute, second, fraction }: Groups): number {
  if (minute === undefined) return HOUR_MS;
  if (second === undefined) return MINUTE_MS;
  return fraction === undefined ? SECOND_MS : Math.max(1, SECOND_MS / 10 ** fraction.length);
}

/** RFC 822 §5.1; other names (IST, BST …) mean different zones to different people. */
const ZONE_HOURS: Readonly<Record<string, number>> = {
  z: 0,
  ut: 0,
  utc: 0,
  gmt: 0,
  est: -5,
  edt: -4,
  cst: -6,
  cdt: -5,
  mst: -7,
  mdt: -6,
  pst: -8,
  pdt: -7,
};

/** Minutes east of UTC. No zone counts as UTC; an unknown name gives undefined. */
function readZone(zone: string | undefined): number | undefined {
  if (zone === undefined) return 0;
  const digits = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone);
  if (digits) return (digits[1] === '-' ? -1 : 1) * (Number(digits[2]) * 60 + Number(digits[3] ?? 0));
  const hours = ZONE_HOURS[zone.toLowerCase()];
  return hours === undefined ? undefined : hours * 60;
}

const MONTH_NAMES = 'janfebmaraprmayjunjulaugsepoctnovdec';
const monthOfName = (name: string): number => MONTH_NAMES.indexOf(name.slice(0, 3).toLowerCase()) / 3 + 1;

/** RFC 2822 §4.3. */
const yearOfTwoDigits = (digits: number): number => digits + (digits < 50 ? 2000 : 1900);

const optionalNumber = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : Number(text);
