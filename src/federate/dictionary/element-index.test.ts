import assert from 'node:assert/strict';
import { test } from 'node:test';
import { elementKey } from './data-element.ts';
import { PLANETARY } from './dictionaries.fixture.ts';
import { readDictionary } from './dictionary.ts';
import { DUBLIN_CORE } from './dublin-core.ts';
import { createElementIndex } from './element-index.ts';

const index = createElementIndex([PLANETARY, DUBLIN_CORE]);

test('Dublin Core has its fifteen elements, each with a definition', () => {
  assert.equal(DUBLIN_CORE.elements.length, 15);
  assert.equal(new Set(DUBLIN_CORE.elements.map(({ definition }) => definition)).size, 15);
});

test('a name is found however it is written', () => {
  for (const name of ['EXPOSURE_DURATION', 'exposure duration', 'Exposure-Duration', ' exposure  duration '])
    assert.equal(index.lookUp(name)[0]?.entry.current.name, 'EXPOSURE_DURATION', name);
  assert.equal(elementKey('Größe (mm)'), 'grosse_mm');
  assert.deepEqual(index.lookUp('exposure'), []);
});

test('the current version is the newest in use; all versions stay', () => {
  const entry = index.lookUp('exposure_duration')[0]?.entry;
  assert.equal(entry?.current.version, '1.10');
  assert.deepEqual(
    entry.versions.map(({ version }) => version),
    ['1.10', '1.0'],
  );
  assert.equal(index.lookUp('view_angle')[0]?.entry.current.registrationStatus, 'retired');
});

test('a newer version that is retired does not become current', () => {
  const dictionary = readDictionary({
    identifier: 'x',
    title: 'X',
    elements: [
      { name: 'a', version: '1', definition: 'd' },
      { name: 'a', version: '2', definition: 'd', registrationStatus: 'retired' },
    ],
  });
  assert.equal(createElementIndex([dictionary]).lookUp('a')[0]?.entry.current.version, '1');
});

test('a synonym leads to its element, after elements that have the name itself', () => {
  assert.deepEqual(
    index.lookUp('Integration Time').map(({ entry, bySynonym }) => [entry.key, bySynonym]),
    [['exposure_duration', true]],
  );
  const other = readDictionary({
    identifier: 'other',
    title: 'Other',
    elements: [{ name: 'integration_time', definition: 'Its own.' }],
  });
  assert.deepEqual(
    createElementIndex([PLANETARY, other])
      .lookUp('integration time')
      .map(({ entry }) => entry.dictionary),
    ['other', 'planetary'],
  );
});

test('words are found anywhere in an element, by their beginning; names come first', () => {
  assert.deepEqual(
    index.search('filt').map(({ key }) => key),
    ['filter_name'],
  );
  assert.deepEqual(
    index.search('moon').map(({ key }) => key),
    ['target_name'],
  );
  assert.deepEqual(
    index.search('671 nm red').map(({ key }) => key),
    ['filter_name'],
  );
  assert.equal(index.search('time')[0]?.key, 'exposure_duration');
  assert.deepEqual(index.search('nothing like that'), []);
  assert.equal(index.search('').length, 20);
});

test('a mistyped name has near ones', () => {
  assert.deepEqual(index.nearest('FILTR_NAME'), ['FILTER_NAME']);
  assert.ok(index.nearest('creatr').includes('creator'));
});
