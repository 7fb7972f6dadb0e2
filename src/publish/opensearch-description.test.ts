import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeOpenSearchDescription } from './opensearch-description.ts';

test('names are escaped and the short one is short', () => {
  const text = writeOpenSearchDescription('Sand & <Water> of the whole North', 'https://e.org');
  assert.match(text, /<ShortName>Sand &amp; &lt;Water&gt; o<\/ShortName>/);
  assert.match(text, /template="https:\/\/e\.org\/search\?q=\{searchTerms\}"/);
});
