import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  decodeEntry,
  encodeSegment,
  encodeText,
  fileNameOf,
  identifierOf,
  normaliseBase,
} from './url-path.ts';

test('any name that a file system allows comes back from its entry, byte for byte', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 40 }), (name) => {
      const encoded = encodeSegment(name);
      assert.match(encoded, /^[\x21-\x7e]+$/);
      assert.deepEqual(decodeEntry(encoded), Buffer.from(name));
    }),
  );
});

test('a name is encoded as browsers do', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }), (name) => {
      if (name.includes('/') || /^\.+$/.test(name)) return;
      assert.equal(decodeURIComponent(encodeText(name)), name);
    }),
  );
  assert.equal(encodeText('b ü?#%.png'), 'b%20%C3%BC%3F%23%25.png');
  assert.equal(fileNameOf('docs/b%20%C3%BC.png'), 'b ü.png');
});

test('an index file has the address of its folder, any other its own', () => {
  const base = normaliseBase('https://www.foo.edu/site');
  assert.equal(base, 'https://www.foo.edu/site/');
  assert.equal(identifierOf(base, 'docs/index.html', true), 'https://www.foo.edu/site/docs/');
  assert.equal(identifierOf(base, 'index.html', true), 'https://www.foo.edu/site/');
  assert.equal(identifierOf(base, 'docs/index.html', false), 'https://www.foo.edu/site/docs/index.html');
});
