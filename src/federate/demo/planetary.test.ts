import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseDis } from '../../query/dis/parse-dis.ts';
import { compileProfileTest } from '../profile/match-profile.ts';
import { makePlanetaryProducts } from './planetary.ts';

const products = [...makePlanetaryProducts()];
const idsOf = (dis: string) =>
  products.filter(compileProfileTest(parseDis(dis).query)).map(({ res }) => res.Identifier?.[0] ?? '');
const valueIn = (profile: (typeof products)[number], name: string) =>
  profile.elements.find(({ elemName }) => elemName?.[0] === name)?.elemValue?.[0];

describe('the planetary archive', () => {
  test('is the same every time, and no two products share a name', () => {
    assert.deepEqual([...makePlanetaryProducts({ products: 50 })], products.slice(0, 50));
    assert.notDeepEqual([...makePlanetaryProducts({ products: 50, seed: 1 })], products.slice(0, 50));
    assert.equal(new Set(products.map(({ prof }) => prof.profId?.[0])).size, products.length);
    assert.equal(new Set(products.map(({ res }) => res.Identifier?.[0])).size, products.length);
  });

  test('IDENTIFIER=GO-J/JSA-SSI-2-REDR-V1.0:10I0012', () => {
    assert.deepEqual(idsOf('IDENTIFIER=GO-J/JSA-SSI-2-REDR-V1.0:10I0012'), [
      'GO-J/JSA-SSI-2-REDR-V1.0:10I0012',
    ]);
  });

  test('TARGET_NAME=IO AND EXPOSURE_DURATION > 60.0', () => {
    const found = idsOf('TARGET_NAME=IO AND EXPOSURE_DURATION > 60.0');
    const expected = products
      .filter((one) => valueIn(one, 'TARGET_NAME') === 'IO' && Number(valueIn(one, 'EXPOSURE_DURATION')) > 60)
      .map(({ res }) => res.Identifier?.[0]);
    assert.deepEqual(found, expected);
    assert.ok(found.includes('GO-J/JSA-SSI-2-REDR-V1.0:24I0131'));
    assert.ok(!found.includes('GO-J/JSA-SSI-2-REDR-V1.0:10I0012'));
  });

  test('TARGET_NAME=IO AND NOT FILTER_NAME=RED takes in products without a filter', () => {
    const found = idsOf('TARGET_NAME=IO AND NOT FILTER_NAME=RED');
    assert.ok(found.includes('GO-J/JSA-SSI-2-REDR-V1.0:10I0012'));
    assert.ok(!found.includes('GO-J/JSA-SSI-2-REDR-V1.0:24I0131'));
    assert.ok(found.some((id) => id.startsWith('GO-J-NIMS')));
  });

  test('DATA_SET_ID=ODY-M-THM-2-IREDR-V1.0 AND CENTER_LONGITUDE > 359.25', () => {
    const found = idsOf('DATA_SET_ID=ODY-M-THM-2-IREDR-V1.0 AND CENTER_LONGITUDE > 359.25');
    assert.ok(found.includes('ODY-M-THM-2-IREDR-V1.0:I008160001'));
    assert.ok(found.length < 20, `${found.length}`);
  });

  test('DATA_SET_ID=MGN-V-RDRS-5-DIM-V1.0 AND IMAGE_ID=FO43S181', () => {
    assert.deepEqual(idsOf('DATA_SET_ID=MGN-V-RDRS-5-DIM-V1.0 AND IMAGE_ID=FO43S181'), [
      'MGN-V-RDRS-5-DIM-V1.0:FO43S181',
    ]);
  });
});
