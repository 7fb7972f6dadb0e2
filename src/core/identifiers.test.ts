import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isAbsoluteUri, isName, itemPath, mintOaiIdentifier, parseItemPath } from './identifiers.ts';

const AWKWARD = [
  'doi:10.1594/PANGAEA.12345',
  'https://example.org/a?b=c&d=e#f',
  '..',
  '.',
  '../..',
  '../../etc/passwd',
  'a/../b',
  'a/./b',
  '%2e%2e',
  '%2e%2e/%2f',
  '%252e',
  'a//b',
  '/a',
  'a/',
  '/',
  '///',
  'C:\\data\\set one.xml',
  'a b',
  ' ',
  'a+b',
  'a;b=c',
  '..;/x',
  '~',
  '~7E',
  '~user',
  '~uD800',
  'a.',
  'Grönland/Eis',
  '冰',
  '\u{1F9CA}',
  '\ud800',
  '\udc00\ud800',
  'line\nbreak\ttab',
  '\u0000',
  '"<>`{}|^[]',
  'a?',
  '#',
  '%',
  '%zz',
];

function assertRoundTrip(identifier: string): void {
  const path = itemPath('samples', identifier);
  const url = new URL(path, 'https://example.org');
  assert.equal(url.pathname, path, 'a browser changes nothing');
  assert.equal(url.search + url.hash, '');
  assert.deepEqual(parseItemPath(`${url.pathname}?format=raw`, '/items/'), { source: 'samples', identifier });
}

test('awkward identifiers survive the way through a URL', () => {
  for (const identifier of AWKWARD) assertRoundTrip(identifier);
});

test('any identifier survives the way through a URL', () => {
  const pieces = fc.array(
    fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('/', '.', '..', '~', '%', '%2e', '\\', '\ud83e')),
  );
  fc.assert(
    fc.property(pieces, (parts) => {
      const identifier = parts.join('');
      fc.pre(identifier !== '');
      assertRoundTrip(identifier);
    }),
    { numRuns: 500 },
  );
});

test('no path has anything in it that a proxy merges, decodes or cuts', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1 }), (identifier) => {
      const path = itemPath('samples', identifier);
      assert.doesNotMatch(path, /\/\/|\/$|\.(\/|$)|\\|;|%[0-7]/);
    }),
  );
});

test('plain identifiers stay legible', () => {
  assert.equal(itemPath('samples', 'doi:10.1594/PANGAEA.12345'), '/items/samples/doi:10.1594/PANGAEA.12345');
  assert.equal(itemPath('samples', '../a b', '/versions/'), '/versions/samples/~2E~2E/a~20b');
  assert.equal(itemPath('samples', 'é'), '/items/samples/%C3%A9');
});

test('percent escapes written by hand are read', () => {
  assert.deepEqual(parseItemPath('/items/samples/a%2Fb%20c%3Fd'), {
    source: 'samples',
    identifier: 'a/b c?d',
  });
});

test('a target that names no item gives undefined', () => {
  for (const target of [
    '/search',
    '/items',
    '/items/',
    '/items/samples',
    '/items/samples/',
    '/items//x',
    '/items/../x',
    '/items/samples/%zz',
    '/items/samples?x/y',
  ])
    assert.equal(parseItemPath(target), undefined, target);
});

test('names begin with a letter or digit and hold no sign but hyphen and underscore', () => {
  for (const name of ['a', '7', 'ISCCP', 'sea-level_2']) assert.ok(isName(name), name);
  for (const name of ['', '-a', '_a', 'a.b', 'a/b', 'a b', 'ä', 'a\n', 'a:b']) assert.ok(!isName(name), name);
});

test('absolute URIs are known by their syntax', () => {
  for (const uri of [
    'oai:example.org:1',
    'https://example.org/?a=b#c',
    'urn:uuid:0',
    'doi:10.1/a%20b',
    'http://[::1]/',
  ])
    assert.ok(isAbsoluteUri(uri), uri);
  for (const text of [
    '',
    'a',
    'a b:c',
    'C:/x',
    'C:\\x',
    'oai:',
    'x y',
    'urn:ä',
    'urn:a b',
    'urn:%zz',
    'urn:a#b#c',
    '1a:b',
  ])
    assert.ok(!isAbsoluteUri(text), text);
});

test('minted identifiers are URIs, and differ for different items', () => {
  const names = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9_-]{0,5}$/);
  const text = fc.string({ unit: 'grapheme', minLength: 1 });
  fc.assert(
    fc.property(names, text, names, text, (sourceA, a, sourceB, b) => {
      const mintedA = mintOaiIdentifier('example.org', sourceA, a);
      assert.ok(isAbsoluteUri(mintedA), mintedA);
      const same = mintedA === mintOaiIdentifier('example.org', sourceB, b);
      assert.equal(same, sourceA === sourceB && a === b);
    }),
  );
  assert.equal(mintOaiIdentifier('example.org', 'samples', 'a b#c/d'), 'oai:example.org:samples:a%20b%23c/d');
});
