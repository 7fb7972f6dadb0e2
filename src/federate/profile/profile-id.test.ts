import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createProfileIds } from './profile-id.ts';

const item = { source: 'papers', identifier: 'a/b c#ü~1', key: 12 };

test('identifiers of profiles lead back to their items, those of others do not', () => {
  const of = (ids: 'uri' | 'oid' | 'sequence') =>
    createProfileIds({ ids, oidRoot: '2.25.7' }, 'https://x.example');
  const uri = of('uri');
  assert.deepEqual(uri.itemOf(uri.ofItem(item)), { source: 'papers', identifier: item.identifier });
  assert.equal(uri.itemOf('https://y.example/items/papers/a#profile'), undefined);
  assert.equal(uri.itemOf(uri.ofGroup(1, ['papers'])), undefined);
  for (const ids of ['oid', 'sequence'] as const) {
    const numbered = of(ids);
    assert.equal(numbered.itemOf(numbered.ofItem(item)), 12);
    assert.equal(numbered.itemOf(numbered.ofGroup(3, ['papers'])), undefined);
    assert.equal(numbered.itemOf('1.2.3'), undefined);
  }
});
