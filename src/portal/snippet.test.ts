import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderSnippet, shorten } from './snippet.ts';

test('matches are marked and everything is escaped', async () => {
  const html = String(
    await renderSnippet({
      text: '<b>sea</b> ice & snow',
      marks: [
        [3, 6],
        [15, 16],
      ],
    }),
  );
  assert.equal(html, '&lt;b&gt;<mark>sea</mark>&lt;/b&gt; ice <mark>&amp;</mark> snow');
});

test('overlapping and empty marks do not repeat text', async () => {
  assert.equal(
    String(
      await renderSnippet({
        text: 'abcdef',
        marks: [
          [0, 3],
          [2, 4],
          [5, 5],
        ],
      }),
    ),
    '<mark>abc</mark>def',
  );
});

test('long text is cut at a word', () => {
  assert.equal(shorten('one two  three four', 12), 'one two …');
  assert.equal(shorten('short', 12), 'short');
  assert.equal(shorten('x'.repeat(30), 10), `${'x'.repeat(5)} …`);
});
