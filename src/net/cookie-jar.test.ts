import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCookieJar } from './cookie-jar.ts';

const HERE = new URL('https://www.example.org/shop/basket');
const now = () => 1_000_000;

test('a cookie goes back to its host and path, a domain cookie to the hosts below as well', () => {
  const jar = createCookieJar(now);
  jar.store(HERE, ['own=1', 'all=2; Domain=example.org; Path=/']);
  assert.equal(jar.headerFor(new URL('https://www.example.org/shop/x')), 'own=1; all=2');
  assert.equal(jar.headerFor(new URL('https://www.example.org/')), 'all=2');
  assert.equal(jar.headerFor(new URL('https://api.example.org/shop/x')), 'all=2');
  assert.equal(jar.headerFor(new URL('https://example.com/shop/x')), undefined);
});

test('a cookie for somebody else, or for a whole top-level domain, is refused', () => {
  const jar = createCookieJar(now);
  jar.store(HERE, ['a=1; Domain=other.org', 'b=1; Domain=org']);
  assert.deepEqual(jar.takeChanges(), []);
});

test('changes are told once, a cookie that ran out as one that is gone', () => {
  const jar = createCookieJar(now);
  jar.store(HERE, ['a=1; Path=/', 'b=2; Path=/; Max-Age=60']);
  assert.deepEqual(
    jar.takeChanges().map(({ key, cookie }) => [key, cookie?.value, cookie?.expiresAt]),
    [
      ['www.example.org\n/\na', '1', Number.POSITIVE_INFINITY],
      ['www.example.org\n/\nb', '2', 1_060_000],
    ],
  );
  assert.deepEqual(jar.takeChanges(), []);
  jar.store(HERE, ['a=gone; Path=/; Max-Age=0', 'never=there; Max-Age=0']);
  assert.deepEqual(jar.takeChanges(), [{ key: 'www.example.org\n/\na' }]);
  assert.equal(jar.headerFor(HERE), 'b=2');
});

test('a jar that is made of what another one held sends the same', () => {
  const jar = createCookieJar(now);
  jar.store(HERE, ['a=1; Secure', 'b=2; Domain=example.org; Path=/']);
  const again = createCookieJar(
    now,
    jar.takeChanges().flatMap(({ cookie }) => (cookie ? [cookie] : [])),
  );
  assert.equal(again.headerFor(HERE), jar.headerFor(HERE));
  assert.equal(again.headerFor(new URL('http://www.example.org/shop/')), 'b=2');
  assert.deepEqual(again.takeChanges(), []);
});

test('one domain that sets cookies without end only pushes out its own', () => {
  const jar = createCookieJar(now);
  jar.store(new URL('https://quiet.example/'), ['kept=1']);
  for (let n = 0; n < 200; n++) jar.store(HERE, [`c${n}=1; Path=/`]);
  const sent = jar.headerFor(HERE)?.split('; ') ?? [];
  assert.equal(sent.length, 50);
  assert.equal(sent.at(-1), 'c199=1');
  assert.equal(jar.headerFor(new URL('https://quiet.example/')), 'kept=1');
});
