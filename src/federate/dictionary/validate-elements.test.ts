import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PLANETARY } from './dictionaries.fixture.ts';
import { readDictionary } from './dictionary.ts';
import { DUBLIN_CORE } from './dublin-core.ts';
import { createElementIndex } from './element-index.ts';
import { describeFinding, isNote, type NamedValues, validateElements } from './validate-elements.ts';

const index = createElementIndex([PLANETARY, DUBLIN_CORE]);
const messages = (...elements: NamedValues[]) => validateElements(index, elements).map(describeFinding);

test('values that keep to the dictionary give nothing', () => {
  assert.deepEqual(
    messages(
      { name: 'target_name', values: ['IO', 'GANYMEDE'] },
      { name: 'EXPOSURE_DURATION', values: ['0', '62.50', '6D4'], unit: 'MS' },
      { name: 'Filter Name', values: ['red'] },
      { name: 'START_TIME', values: ['2003-09-21T18:57:00'] },
      { name: 'Title', values: ['x'] },
    ),
    [],
  );
});

test('each way to miss the dictionary has a finding of its own', () => {
  const cases: readonly (readonly [NamedValues, string])[] = [
    [{ name: 'FILTR_NAME', values: ['RED'] }, 'FILTR_NAME: no dictionary has it; did you mean FILTER_NAME?'],
    [{ name: 'qqqqqqqqq', values: [] }, 'qqqqqqqqq: no dictionary has it'],
    [{ name: 'integration_time', values: ['1'] }, 'integration_time: is a synonym of EXPOSURE_DURATION'],
    [{ name: 'VIEW_ANGLE', values: ['1'] }, 'VIEW_ANGLE: is retired'],
    [
      { name: 'EXPOSURE_DURATION', values: ['1'], unit: 's' },
      'EXPOSURE_DURATION: the unit is s, but the dictionary has ms',
    ],
    [
      { name: 'EXPOSURE_DURATION', values: ['long'] },
      'EXPOSURE_DURATION: "long" is not of the datatype REAL',
    ],
    [{ name: 'EXPOSURE_DURATION', values: ['-0.1'] }, 'EXPOSURE_DURATION: -0.1 is less than 0'],
    [{ name: 'EXPOSURE_DURATION', values: ['60000.5'] }, 'EXPOSURE_DURATION: 60000.5 is more than 60000'],
    [{ name: 'TARGET_NAME', values: ['X'] }, 'TARGET_NAME: "X" has fewer than 2 characters'],
    [
      { name: 'FILTER_NAME', values: ['GRREN'] },
      'FILTER_NAME: "GRREN" is no permissible value; did you mean GREEN?',
    ],
    [
      { name: 'START_TIME', values: ['1996-06-27'] },
      'START_TIME: "1996-06-27" has not the layout YYYY-MM-DDThh:mm:ss',
    ],
  ];
  for (const [element, message] of cases) assert.deepEqual(messages(element), [message]);
});

test('every wrong value of an element is told', () => {
  assert.deepEqual(
    validateElements(index, [{ name: 'FILTER_NAME', values: ['CLEAR', 'INFRARED 8800 A'] }]).map(
      ({ kind }) => kind,
    ),
    ['too-long', 'not-permitted'],
  );
});

test('a synonym and an element out of use are notes, the rest are mistakes', () => {
  const findings = validateElements(index, [
    { name: 'VIEW_ANGLE', values: ['x'] },
    { name: 'author', values: ['A'] },
  ]);
  assert.deepEqual(
    findings.map((finding) => [finding.kind, isNote(finding)]),
    [
      ['out-of-use', true],
      ['datatype', false],
      ['synonym', true],
    ],
  );
});

test('where dictionaries differ, values that fit one of them are right, unless one is named', () => {
  const other = readDictionary({
    identifier: 'seconds',
    title: 'Seconds',
    elements: [{ name: 'exposure duration', definition: 'd', unit: 's' }],
  });
  const both = createElementIndex([PLANETARY, other]);
  const element = { name: 'EXPOSURE_DURATION', values: ['99999999'], unit: 's' };
  assert.deepEqual(validateElements(both, [element]), []);
  assert.deepEqual(
    validateElements(both, [element], { dictionary: 'planetary' }).map(({ kind }) => kind),
    ['unit', 'too-large'],
  );
  assert.equal(validateElements(both, [element], { dictionary: 'none' })[0]?.kind, 'unknown');
});

test('of values that are not as they were written, layout and size say nothing', () => {
  const element = { name: 'START_TIME', values: ['1996-06-27'] };
  assert.deepEqual(validateElements(index, [{ ...element, normalised: true }]), []);
  assert.equal(validateElements(index, [element])[0]?.kind, 'layout');
});

test('permissible numbers are compared by their size', () => {
  const dictionary = readDictionary({
    identifier: 'x',
    title: 'X',
    elements: [{ name: 'gain', definition: 'd', datatype: 'REAL', permissibleValues: [{ value: '1.50' }] }],
  });
  const gain = (value: string) =>
    validateElements(createElementIndex([dictionary]), [{ name: 'gain', values: [value] }]).length;
  assert.deepEqual(['1.5', '1.50', '2'].map(gain), [0, 0, 1]);
});
