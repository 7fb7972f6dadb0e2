import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeSet } from './sets.ts';

test('sets of sources and of types have names for people, unless the configuration names them', () => {
  const names = {
    source: 'By source',
    'source:ocean': 'Source ocean',
    mime: 'By type',
    'mime:text': 'Type text',
    'mime:image:svg.xml': 'Type image/svg+xml',
    'mime:application:vnd.ms-excel': 'Type application/vnd.ms-excel',
    'ice:sea': 'ice:sea',
  };
  for (const [spec, name] of Object.entries(names)) assert.equal(describeSet(spec, {}).name, name);
  assert.equal(describeSet('mime:text', { 'mime:text': { name: 'Texts' } }).name, 'Texts');
});
