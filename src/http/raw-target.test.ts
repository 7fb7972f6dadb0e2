import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { itemPath, parseItemPath } from '../core/identifiers.ts';
import { rawTarget, routePath } from './raw-target.ts';

test('the target of the socket wins over the normalised URL', () => {
  const request = new Request('http://host/items/b');
  const incoming = { url: '/items/a/../b' };
  assert.equal(rawTarget(request, Object.assign(Object.create(null), { incoming })), '/items/a/../b');
  assert.equal(rawTarget(request, undefined), '/items/b');
});

test('an absolute target is read as its path', () => {
  const bindings = Object.assign(Object.create(null), { incoming: { url: 'http://host:81/search?q=1' } });
  assert.equal(rawTarget(new Request('http://host/'), bindings), '/search?q=1');
});

test('an identifier is one segment for the router, whatever it holds', () => {
  assert.equal(routePath('/items/src/a/../b?x=/y'), '/items/src/a%2F..%2Fb');
  assert.equal(routePath('/api/items/src/a//b'), '/api/items/src/a%2F%2Fb');
  assert.equal(routePath('/items/src'), '/items/src');
  assert.equal(routePath('/search?q=/items/a/b'), '/search');
});

test('any identifier gets through the path of its page', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1 }), (identifier) => {
      const path = itemPath('src', identifier);
      assert.equal(routePath(path).split('/').length, 4);
      assert.equal(parseItemPath(path)?.identifier, identifier);
    }),
  );
});
