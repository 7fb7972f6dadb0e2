import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeVersion, eventOf, readEvent } from './version-event.ts';

test('an event is read from the facts of a version, and what is none is nothing', () => {
  const event = { type: 'fix', driver: 'repository', agent: 'Ada', reason: 'a typo' };
  assert.deepEqual(readEvent({ event, where: 'x' }), event);
  for (const origin of [
    undefined,
    null,
    'text',
    {},
    { event: { type: 'magic', driver: 'creator' } },
    { event: { type: 'fix' } },
  ])
    assert.equal(readEvent(origin), undefined);
});

test('where nothing is said, the change itself tells who drove it', () => {
  assert.deepEqual(eventOf({ change: 'added' }), { type: 'capture', driver: 'creator' });
  assert.deepEqual(eventOf({ change: 'updated' }), { type: 'modification', driver: 'creator' });
  assert.equal(eventOf({ change: 'deleted' }).driver, 'repository');
});

test('a version that was brought back came by a rollback, whatever the old one says', () => {
  const event = { type: 'capture', driver: 'creator' } as const;
  assert.deepEqual(eventOf({ change: 'rolled-back', event, note: 'wrong page' }), {
    type: 'rollback',
    driver: 'repository',
    reason: 'wrong page',
  });
});

test('people read the reason, the pin and that content is gone', () => {
  const event = { type: 'migration', driver: 'repository', agent: 'Ada' } as const;
  assert.equal(
    describeVersion({ change: 'updated', event, note: 'to PNG', pinned: true }),
    'migration, repository-driven, Ada, to PNG, pinned',
  );
  assert.equal(describeVersion({ change: 'updated', thinned: true }), 'content no longer kept');
  assert.equal(
    describeVersion({ change: 'updated', thinned: true, thinnedAt: Date.parse('2026-11-15T03:00:00Z') }),
    'content no longer kept since 2026-11-15',
  );
  assert.equal(describeVersion({ change: 'added' }), '');
});
