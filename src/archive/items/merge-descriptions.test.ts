import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StoredItem } from '../../store/index.ts';
import { DescriptionMerger, type TrustRule } from './merge-descriptions.ts';

const item = (identifier: string, fields: StoredItem['fields']): StoredItem => ({
  source: 's',
  identifier,
  oaiIdentifier: identifier,
  status: 'live',
  firstSeenAt: 0,
  fields,
  records: [],
  sets: [],
  views: [],
  access: { public: true },
});

function merge(items: readonly StoredItem[], isTrusted?: TrustRule) {
  const merger = new DescriptionMerger(isTrusted);
  for (const one of items) merger.add(one);
  return merger.merge();
}

test('values that several resources state count, most voices first', () => {
  const merged = merge([
    item('http://a.example/', { subject: ['clouds', 'radiation'] }),
    item('http://a.example/b', { subject: ['radiation'] }),
    item('http://a.example/c', { subject: ['radiation', 'clouds', 'once'] }),
  ]);
  assert.deepEqual(merged.subject, ['radiation', 'clouds']);
});

test('where few resources state anything, all that they state counts', () => {
  const merged = merge([
    item('http://a.example/', { creator: ['Rossow'] }),
    item('http://a.example/b', { creator: ['Schiffer'], subject: [] }),
    item('http://a.example/c', {}),
  ]);
  assert.deepEqual(merged.creator, ['Rossow', 'Schiffer']);
  assert.equal(merged.subject, undefined);
});

test('one resource has one voice, however often it says a thing', () => {
  const merged = merge([
    item('http://a.example/1', { subject: ['loud', 'loud', 'loud'] }),
    item('http://a.example/2', { subject: ['shared'] }),
    item('http://a.example/3', { subject: ['shared'] }),
  ]);
  assert.deepEqual(merged.subject, ['shared']);
});

test('the description is that of the page nearest to the root, and only of one host', () => {
  const deep = item('http://a.example/x/y', { description: ['deep'] });
  const root = item('http://a.example/', { description: ['root'] });
  assert.deepEqual(merge([deep, root]).description, ['root']);
  assert.deepEqual(merge([root, deep]).description, ['root']);
  assert.equal(merge([root, item('http://b.example/', {})]).description, undefined);
});

test('a value that is not trusted has no voice', () => {
  const merged = merge(
    [item('http://a.example/', { creator: ['Rossow', 'Generator 4.0'] })],
    (_element, value) => !value.startsWith('Generator'),
  );
  assert.deepEqual(merged.creator, ['Rossow']);
});
