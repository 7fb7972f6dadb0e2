import assert from 'node:assert/strict';
import { test } from 'node:test';
import { workerUrl } from './worker-url.ts';

test('a worker file ends as its caller does', () => {
  assert.equal(workerUrl('file:///a/src/x/open.ts', './w').href, 'file:///a/src/x/w.ts');
  assert.equal(workerUrl('file:///a/dist/x/open.js', './w').href, 'file:///a/dist/x/w.js');
});
