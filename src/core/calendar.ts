/** The proleptic Gregorian calendar in UTC. Nothing here, or built on it, knows the machine's time zone. */
import type { Instant } from './model.ts';

export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** The years that an Instant can hold whole (ECMAScript's ±8.64e15 ms). */
const LAST_YEAR = 275_759;
const FIRST_YEAR = -271_820;

export interface TimeOfDay {
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly millisecond: number;
  /** How long the written precision lasts: an hour, a minute, a second or a part of one. */
  readonly unitMs: number;
  readonly offsetMinutes: number;
}

/** A date as precise as it was written; absent parts were not written. Years are astronomical: 0 is 1 BCE. */
export interface WrittenDate {
  readonly year: number;
  readonly month?: number;
  readonly day?: number;
  readonly time?: TimeOfDay;
}

export interface Span {
  readonly startAt: Instant;
  /** Exclusive. */
  readonly endAt: Instant;
}

function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

export function daysInYear(year: number): number {
  return isLeapYear(year) ? 366 : 365;
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return isLeapYear(year) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** Midnight UTC. `Date.UTC` would take the years 0 to 99 for 1900 to 1999. Months and days may overflow. */
export function dayStart(year: number, month: number, day: number): Instant {
  return new Date(0).setUTCFullYear(year, month - 1, day);
}

export function isWritable(date: WrittenDate): boolean {
  const { year, month, day, time } = date;
  if (!(year >= FIRST_YEAR && year <= LAST_YEAR)) return false;
  if (month !== undefined && !(month >= 1 && month <= 12)) return false;
  if (day !== undefined && !(month !== undefined && day >= 1 && day <= daysInMonth(year, month)))
    return false;
  return time === undefined || (day !== undefined && isTimeOfDay(time));
}

/** 24:00 is the end of the day; the 60th second is a leap second. */
function isTimeOfDay({ hour, minute, second, millisecond, offsetMinutes }: TimeOfDay): boolean {
  if (hour === 24) return minute === 0 && second === 0 && millisecond === 0;
  return hour < 24 && minute < 60 && second <= 60 && Math.abs(offsetMinutes) <= 18 * 60;
}

/** Everything the written date may mean: `2004` is a whole year. */
export function writtenSpan(date: WrittenDate): Span {
  const { year, month, day, time } = date;
  if (month === undefined) return { startAt: dayStart(year, 1, 1), endAt: dayStart(year + 1, 1, 1) };
  if (day === undefined) return { startAt: dayStart(year, month, 1), endAt: dayStart(year, month + 1, 1) };
  const midnightAt = dayStart(year, month, day);
  if (time === undefined) return { startAt: midnightAt, endAt: midnightAt + DAY_MS };
  const startAt =
    midnightAt +
    time.hour * HOUR_MS +
    (time.minute - time.offsetMinutes) * MINUTE_MS +
    // UTC has no room for a leap second: it counts as the second before.
    Math.min(time.second, 59) * SECOND_MS +
    time.millisecond;
  return { startAt, endAt: startAt + time.unitMs };
}

/** Four digits; outside 0 to 9999 a sign and six digits, as ECMAScript writes them. */
function writeYear(year: number): string {
  if (year >= 0 && year <= 9999) return String(year).padStart(4, '0');
  return `${year < 0 ? '-' : '+'}${String(Math.abs(year)).padStart(6, '0')}`;
}

const two = (value: number): string => String(value).padStart(2, '0');

/** `YYYY`, `YYYY-MM`, `YYYY-MM-DD` or, when a time was written, `YYYY-MM-DDThh:mm:ssZ`. */
export function writeDate(date: WrittenDate): string {
  if (date.time !== undefined) return writeSecond(writtenSpan(date).startAt);
  const year = writeYear(date.year);
  if (date.month === undefined) return year;
  return date.day === undefined
    ? `${year}-${two(date.month)}`
    : `${year}-${two(date.month)}-${two(date.day)}`;
}

let lastSecond = Number.NaN;
let lastWritten = '';

/** `YYYY-MM-DDThh:mm:ssZ`; parts of a second are cut off. Lists write the same second many times over. */
export function writeSecond(at: Instant): string {
  const second = Math.floor(at / 1000);
  if (second !== lastSecond) {
    lastWritten = `${new Date(at).toISOString().slice(0, -'.000Z'.length)}Z`;
    lastSecond = second;
  }
  return lastWritten;
}

export function dateOfDay(at: Instant): { year: number; month: number; day: number } {
  const day = new Date(at);
  return { year: day.getUTCFullYear(), month: day.getUTCMonth() + 1, day: day.getUTCDate() };
}
