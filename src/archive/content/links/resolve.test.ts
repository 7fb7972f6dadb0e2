import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { openPageText } from '../markup/page-text.ts';
import { sourceOf } from '../markup/source-text.ts';
import { resolveLink } from './resolve.ts';

function resolve(written: string, base: string): string | undefined {
  const source = sourceOf(openPageText(Buffer.from(written), 'utf-8'));
  return resolveLink(source, 0, source.text.length, base);
}

const BASES = [
  'http://www.example.org/a/b.html?q#f',
  'https://EXAMPLE.org:8443/',
  'http://user:secret@[2001:db8::1]:80/x/',
  'http://example.org:80',
  'ftp://ftp.example.org/pub/',
];
const letters = fc.constantFrom(...'abZ09-._~!$&\'()*+,;=:@/?#%\\|^` {}"<>[]éß\t');

test('a link is what the URL Standard makes of it, however it is read', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('/', '', '//', '/.', 'http://www.example.org/', '?'),
      fc.array(letters, { maxLength: 12 }),
      fc.constantFrom(...BASES),
      (start, rest, base) => {
        const written = start + rest.join('');
        const text = written.trim();
        const url = text === '' || text.startsWith('#') ? null : URL.parse(text, base);
        if (url) url.hash = '';
        const isWeb = url !== null && /^(?:https?|ftp):$/.test(url.protocol);
        assert.equal(resolve(written, base), isWeb ? url.href : undefined);
      },
    ),
    { numRuns: 3000 },
  );
});
