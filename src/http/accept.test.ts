import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseMedia } from './accept.ts';

const OFFERS = ['text/html', 'application/json', 'application/xml'] as const;
const choose = (header?: string) => chooseMedia(header, [...OFFERS]);

test('the best liked offer wins, of equal ones the first', () => {
  assert.equal(choose('application/json'), 'application/json');
  assert.equal(choose('application/json;q=0.5, application/xml;q=0.9'), 'application/xml');
  assert.equal(choose('application/*'), 'application/json');
  assert.equal(choose('application/xml, text/html'), 'text/html');
});

test('a browser gets a page', () => {
  assert.equal(choose('text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'), 'text/html');
});

test('no header, any type or no fitting type give the first offer', () => {
  for (const header of [undefined, '', '*/*', 'image/png', 'text/html;q=abc'])
    assert.equal(choose(header), 'text/html');
});

test('a specific refusal beats a general wish', () => {
  assert.equal(choose('*/*, text/html;q=0'), 'application/json');
});
