import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { StoredItem } from '../store/index.ts';
import { itemJsonLd, scriptSafeJson } from './json-ld.ts';

test('embedded JSON holds the same values and nothing that could end its element', () => {
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), fc.constant('</script><!--<script>\u2028')), (value) => {
      const text = scriptSafeJson(value);
      assert.doesNotMatch(text, /[<>&\u2028\u2029]/);
      assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(value)));
    }),
  );
});

const item: StoredItem = {
  source: 'polar',
  identifier: 'a',
  oaiIdentifier: 'oai:example.org:polar:a',
  status: 'live',
  title: 'Ice',
  firstSeenAt: 0,
  schema: 'iso19139',
  fields: {
    bbox: [{ west: -5, south: 47, east: 20, north: 55 }],
    time: [{ start: '1990' }],
    link: ['https://e.org/x', 'ftp://e.org'],
  },
  records: [],
  sets: [],
  views: [],
  access: {},
};

test('data in a geoscience format is a Dataset with place and time', () => {
  const ld = itemJsonLd(item, 'https://host/items/polar/a');
  assert.equal(ld['@type'], 'Dataset');
  assert.deepEqual(ld.spatialCoverage, [
    { '@type': 'Place', geo: { '@type': 'GeoShape', box: '47 -5 55 20' } },
  ]);
  assert.deepEqual(ld.temporalCoverage, ['1990/..']);
  assert.deepEqual(ld.sameAs, ['https://e.org/x']);
  assert.equal('creator' in ld, false);
});

test('other items are creative works', () => {
  assert.equal(itemJsonLd({ ...item, schema: 'mods' }, 'https://host/')['@type'], 'CreativeWork');
});
