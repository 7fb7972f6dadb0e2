import assert from 'node:assert/strict';
import { test } from 'node:test';
import { convertQuantity } from './units.ts';

test('quantities are converted within their kind', () => {
  const cases: readonly (readonly [string, string, number | undefined])[] = [
    ['0.1 s', 'ms', 100],
    ['60s', 'MILLISECOND', 60_000],
    ['1.5 Minutes', 's', 90],
    ['-3e3 m', 'km', -3],
    ['180 deg', 'rad', Math.PI],
    ['30 arcsec', 'deg', 0.00833333333333333],
    ['2 GiB', 'B', 2_147_483_648],
    ['5 MHz', 'kHz', 5000],
    ['5 ms', 'm', undefined],
    ['5 m', 'ms', undefined],
    ['5', 'ms', undefined],
    ['RED s', 's', undefined],
    ['5 furlong', 'm', undefined],
    ['5 s', '', undefined],
  ];
  for (const [text, unit, expected] of cases) {
    const found = convertQuantity(text, unit);
    if (expected === undefined) assert.equal(found, undefined, `${text} in ${unit}`);
    else
      assert.ok(
        Math.abs((found ?? Number.NaN) - expected) < 1e-12 * Math.max(1, Math.abs(expected)),
        `${text} in ${unit}: ${found}`,
      );
  }
});
