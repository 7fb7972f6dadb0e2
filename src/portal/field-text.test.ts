import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boxText, dateText, isWebAddress, sizeText, valueText } from './field-text.ts';

test('dates keep the precision they have', () => {
  assert.equal(dateText('2006'), '2006');
  assert.equal(dateText('2006-06'), 'Jun 2006');
  assert.equal(dateText('2006-06-03'), '3 Jun 2006');
  assert.equal(dateText('2006-06-03T10:20:00Z'), '3 Jun 2006, 10:20 UTC');
  assert.equal(dateText('2006-06-03T00:00:00Z'), '3 Jun 2006');
  assert.equal(dateText('-0044-03-15'), '15 Mar -0044');
  assert.equal(dateText('once upon a time'), 'once upon a time');
});

test('intervals show open ends', () => {
  assert.equal(valueText({ start: '1990', end: '1991-02' }, false), '1990 – Feb 1991');
  assert.equal(valueText({ start: '1990' }, false), '1990 – open');
});

test('boxes are told by hemisphere', () => {
  assert.equal(boxText({ west: -5, south: 47, east: 20, north: 55 }), '5° W – 20° E, 47° N – 55° N');
  assert.equal(boxText({ west: -180, south: -90, east: 180, north: 90 }), 'the whole world');
  assert.equal(boxText({ west: -180, south: 60, east: 180, north: 90 }), 'all longitudes, 60° N – 90° N');
  assert.equal(boxText({ west: 0, south: -10.25, east: 0, north: -10.25 }), '0°, 10.25° S');
});

test('only web addresses are links', () => {
  assert.ok(isWebAddress('https://example.org/a?b=c#d'));
  for (const text of [
    'javascript:alert(1)',
    'data:text/html,x',
    'https://',
    'see https://example.org',
    'http://exa mple',
  ])
    assert.equal(isWebAddress(text), false, text);
});

test('sizes are short', () => {
  assert.deepEqual([sizeText(999), sizeText(23_400), sizeText(5_000_000)], ['999 B', '23.4 kB', '5.0 MB']);
});
