import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GarnerError } from '../core/errors.ts';
import { BUILTIN_FORMATS } from './builtin-formats.ts';
import { buildOwnFormats } from './own-formats.ts';

const dc = BUILTIN_FORMATS.find(({ name }) => name === 'oai_dc');

test('a format of the config that has a built-in name changes only what it names', () => {
  const [changed] = buildOwnFormats(
    { oai_dc: { fields: { title: { paths: ['//my:title'] } }, namespaces: { my: 'urn:my' } } },
    BUILTIN_FORMATS,
  );
  assert.ok(changed && dc);
  assert.deepEqual(changed.fields.find(({ name }) => name === 'title')?.paths, ['//my:title']);
  assert.deepEqual(changed.detect, dc.detect);
  assert.equal(changed.namespaces.my, 'urn:my');
  assert.equal(changed.fields.length, dc.fields.length);
});

test('a format that extends another takes its fields over but not its detection', () => {
  const [derived] = buildOwnFormats(
    { ours: { extends: 'oai_dc', fields: { depth: { paths: ['//x:depth'], type: 'number' } } } },
    BUILTIN_FORMATS,
  );
  assert.ok(derived && dc);
  assert.deepEqual(derived.detect, []);
  assert.equal(derived.fields.length, dc.fields.length + 1);
  const depth = derived.fields.find(({ name }) => name === 'depth');
  assert.deepEqual([depth?.type, depth?.tokenised, depth?.indexed], ['number', false, true]);
});

test('own formats may extend each other in any order, but not in a circle', () => {
  const built = buildOwnFormats(
    { child: { extends: 'parent', label: 'Child' }, parent: { fields: { title: { paths: ['/t'] } } } },
    [],
  );
  assert.deepEqual(
    built.map(({ name, fields }) => [name, fields.length]),
    [
      ['child', 1],
      ['parent', 1],
    ],
  );
  assert.throws(
    () => buildOwnFormats({ a: { extends: 'b' }, b: { extends: 'a' } }, []),
    (error) =>
      error instanceof GarnerError && error.code === 'config.invalid' && /circle/.test(error.message),
  );
});

test('a new field without a type is text: words, stemmed; a common name keeps its common meaning', () => {
  const [made] = buildOwnFormats(
    { ours: { fields: { remark: { paths: ['/r'] }, date: { paths: ['/d'] } } } },
    [],
  );
  const spec = (wanted: string) => made?.fields.find(({ name }) => name === wanted);
  assert.deepEqual(
    [spec('remark')?.type, spec('remark')?.tokenised, spec('remark')?.stemmed],
    ['text', true, true],
  );
  assert.deepEqual([spec('date')?.type, spec('date')?.facet], ['date', true]);
});

test('extending a format that does not exist is a mistake in the config', () => {
  assert.throws(
    () => buildOwnFormats({ ours: { extends: 'nothing' } }, BUILTIN_FORMATS),
    (error) =>
      error instanceof GarnerError && error.code === 'config.invalid' && /nothing/.test(error.message),
  );
});
