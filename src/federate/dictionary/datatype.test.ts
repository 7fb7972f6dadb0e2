import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareValues, isAtMost, isOfDatatype, valueKind } from './datatype.ts';

test('datatypes are known by the names of planetary archives, databases and XML Schema', () => {
  assert.deepEqual(
    ['CHARACTER', 'ASCII_REAL', 'xs:dateTime', 'xsd:anyURI', 'Non Decimal', undefined].map(valueKind),
    ['text', 'number', 'date', 'uri', undefined, undefined],
  );
});

test('values are judged by their datatype; an unknown one takes all', () => {
  const cases: readonly (readonly [string, readonly string[], readonly string[]])[] = [
    ['INTEGER', ['0', '-12', '+3'], ['1.0', '1e3', '', 'x']],
    ['REAL', ['62.50', '-1', '.5', '1.5D+03', '2e-4'], ['1,5', '0x10', 'NaN', '']],
    ['DATE', ['1996', '1996-06', '1996-06-27T06:29:01Z'], ['27.6.1996', '1996-13']],
    ['TIME', ['06:29', '06:29:01.5Z', '1996-06-27T06:29:01Z'], ['6h', 'noon']],
    ['BOOLEAN', ['true', 'F', '0'], ['maybe']],
    ['anyURI', ['urn:x:1', 'https://a.example/b?c'], ['no address', 'a b:c']],
    ['own type', ['anything'], []],
  ];
  for (const [datatype, right, wrong] of cases) {
    for (const value of right) assert.ok(isOfDatatype(datatype, value), `${datatype} ${value}`);
    for (const value of wrong) assert.ok(!isOfDatatype(datatype, value), `${datatype} ${value}`);
  }
});

test('numbers compare by size, dates by time, texts by letters', () => {
  assert.ok(compareValues('REAL', '9', '10') < 0);
  assert.ok(compareValues('REAL', '1D2', '99') > 0);
  assert.ok(compareValues('CHARACTER', '9', '10') > 0);
  assert.ok(compareValues('DATE', '1996-06-27T12:00:00+02:00', '1996-06-27T11:00:00Z') < 0);
  assert.equal(compareValues('REAL', '1.0', '1'), 0);
});

test('an upper bound takes in all of the month that it names', () => {
  assert.ok(isAtMost('DATE', '2003-09-21', '2003-09'));
  assert.ok(!isAtMost('DATE', '2003-10-01', '2003-09'));
  assert.ok(isAtMost('REAL', '60', '60'));
});
