import assert from 'node:assert/strict';
import test from 'node:test';
import type { FieldSpec } from '../core/model.ts';
import { makeIndexDocument } from './index-document.ts';
import { WORD_GAP } from './words.ts';

const spec = (name: string, tokenised: boolean): FieldSpec => ({
  name,
  type: tokenised ? 'text' : 'string',
  label: name,
  stored: true,
  indexed: true,
  tokenised,
  stemmed: tokenised,
  facet: false,
  weight: 1,
});
const SPECS = [spec('title', true), spec('author', true), spec('code', false)];

test('values of a tokenised field are folded, in order, with gaps between them', () => {
  const { words } = makeIndexDocument({ author: ['Ann Müller', 'Bo Li'] }, SPECS, []);
  assert.deepEqual(words, { author: `ann muller ${WORD_GAP} bo li` });
});

test('text that is a tokenised value is not repeated in the rest, however it is indented', () => {
  const { words } = makeIndexDocument({ title: ['Sea level'], author: ['A\n   B'] }, SPECS, [
    '\n  Sea\n  level ',
    'A B',
    'more text',
  ]);
  assert.deepEqual(words, { title: 'sea level', author: 'a b', '': 'more text' });
});

test('values of fields that are not tokenised are found through the rest of the text', () => {
  const { words } = makeIndexDocument({ code: ['X-12'] }, SPECS, ['X-12', '7']);
  assert.deepEqual(words, { '': `x 12 ${WORD_GAP} 7` });
});

test('a document without words has no columns', () => {
  assert.deepEqual(makeIndexDocument({ title: ['—'] }, SPECS, [' ', '…']).words, {});
});

test('a field that several formats define is taken once', () => {
  const { words } = makeIndexDocument({ title: ['Ice'] }, [...SPECS, spec('title', true)], []);
  assert.deepEqual(words, { title: 'ice' });
});
