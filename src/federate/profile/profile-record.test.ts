import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFormatRegistry } from '../../formats/registry.ts';
import { createExtraction } from '../../harvest/extract-record.ts';
import { makePlanetaryProducts } from '../demo/planetary.ts';
import { profileRecord } from './profile-record.ts';

const formats = createFormatRegistry();
const extract = createExtraction({ formats, validation: 'report' });

test('a profile put straight into the store is the record that its XML gives', () => {
  const [product] = makePlanetaryProducts({ products: 1 });
  assert.ok(product);
  const profiles = [
    product,
    {
      ...product,
      res: { Identifier: ['x'], Date: ['1996-06-27', 'long ago'], resContext: ['c'], resClass: ['k'] },
    },
    {
      ...product,
      res: {
        Identifier: ['y'],
        Creator: ['Frost, Ida', 'Kelvin, Otto'],
        Coverage: [
          'Loki Patera',
          'start=1996; end=1997-12',
          'northlimit=10; southlimit=-10; westlimit=5; eastlimit=20',
        ],
        resContext: ['c'],
        resClass: ['k'],
        resLocation: ['urn:eda:rmi:X', 'https://example.org/x'],
      },
      elements: [
        { elemName: ['LAT'], elemMinValue: ['-10'], elemMaxValue: ['30'], elemSynonym: ['LATITUDE'] },
      ],
    },
  ];
  for (const profile of profiles) {
    const record = profileRecord(profile, formats.fieldSpecs());
    const { record: extracted } = extract({
      bytes: record.raw,
      syntax: 'xml',
      where: '',
      line: 1,
      fallbackIdentifier: '',
    });
    const { origin: _, ...same } = extracted ?? {};
    assert.deepEqual(same, record);
  }
});
