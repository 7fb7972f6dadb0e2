import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSchedule, isTimeZone, nextTime } from './schedule.ts';

const next = (schedule: string, after: string, zone = 'UTC') => {
  const at = nextTime(schedule, zone, Date.parse(after));
  return at === undefined ? undefined : new Date(at).toISOString();
};

test('cron expressions and names are schedules, other texts are not', () => {
  for (const text of ['0 3 * * 1', '*/5 * * * *', '@daily', '@weekly', '0 0 3 * * *', '0 3 * * MON'])
    assert.ok(isSchedule(text), text);
  for (const text of ['', 'daily', '99 3 * * *', '0 3 * *', '* * * * * * * *', '@never'])
    assert.ok(!isSchedule(text), text);
});

test('the next time is strictly later, and in the zone that is meant', () => {
  assert.equal(next('0 3 * * *', '2026-01-01T03:00:00Z'), '2026-01-02T03:00:00.000Z');
  assert.equal(next('0 3 * * *', '2026-01-01T00:00:00Z', 'Europe/Berlin'), '2026-01-01T02:00:00.000Z');
  assert.equal(next('@daily', '2026-01-01T12:00:00Z'), '2026-01-02T00:00:00.000Z');
  assert.equal(next('0 0 31 2 *', '2026-01-01T12:00:00Z'), undefined);
});

test('zones are known by name', () => {
  assert.ok(isTimeZone('Europe/Berlin'));
  assert.ok(!isTimeZone('Mars/Olympus'));
});
