import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { createCookieJar } from '../../net/cookie-jar.ts';
import { openFrontier } from './frontier.ts';

function openIn(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'garner-frontier-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'web.sqlite');
  const open = (fresh = false) => openFrontier({ path, source: 'web', runId: 1, seeds: [], now: 0, fresh });
  return { path, open };
}

function receive(line: string) {
  const jar = createCookieJar(() => 0);
  jar.store(new URL('https://www.example.org/'), [line]);
  return jar.takeChanges();
}

test('a job that goes on has the cookies of its last commit, session cookies too', (t) => {
  const { open } = openIn(t);
  const first = open();
  for (const change of receive('session=abc')) first.putCookie(change);
  first.commit({});
  for (const change of receive('late=1')) first.putCookie(change);
  first.close();
  const second = open();
  assert.deepEqual(
    second.listCookies().map(({ name, value, expiresAt }) => [name, value, expiresAt]),
    [['session', 'abc', Number.POSITIVE_INFINITY]],
  );
  second.close();
});

test('the next job begins without cookies', (t) => {
  const { open } = openIn(t);
  const first = open();
  for (const change of receive('session=abc')) first.putCookie(change);
  first.commit({});
  first.close();
  const second = open(true);
  assert.deepEqual(second.listCookies(), []);
  second.close();
});

test('a frontier from before there were cookies in it goes on', (t) => {
  const { path, open } = openIn(t);
  const first = open();
  const { id } = first.job;
  first.commit({});
  first.close();
  const db = new DatabaseSync(path);
  db.exec('DROP TABLE cookie; ALTER TABLE archive_file DROP COLUMN captures; PRAGMA user_version=1');
  db.close();
  const second = open();
  assert.deepEqual([second.job.id, second.job.resumed, second.listCookies()], [id, true, []]);
  second.close();
});
