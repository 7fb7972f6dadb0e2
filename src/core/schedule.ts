/** When something recurs: cron expressions, and names like `@daily`. */
import { Cron, CronPattern } from 'croner';
import type { Instant } from './model.ts';

export function isSchedule(text: string): boolean {
  try {
    return new CronPattern(text).pattern !== '';
  } catch {
    // The parser tells by throwing.
    return false;
  }
}

export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    // As above.
    return false;
  }
}

/** The first time after that instant; undefined when there is none (31 February). */
export function nextTime(schedule: string, timeZone: string, after: Instant): Instant | undefined {
  return new Cron(schedule, { timezone: timeZone, paused: true }).nextRun(new Date(after))?.getTime();
}
