import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createJsonExtractor, parseJson } from './extract-json.ts';
import { compilePointer, followPointer } from './json-pointer.ts';
import { compileJsonTest } from './json-test.ts';
import { createFormatRegistry } from './registry.ts';

const formats = createFormatRegistry();

function extract(value: unknown) {
  const record = parseJson(new TextEncoder().encode(JSON.stringify(value)));
  const format = formats.detectJson(record);
  return { format: format.name, ...createJsonExtractor(format)(record) };
}

describe('JSON pointers', () => {
  const follow = (pointer: string, value: unknown) => followPointer(compilePointer(pointer), value);

  test('lead to members and elements, with escapes', () => {
    assert.deepEqual(follow('/a~1b/0/~0', { 'a/b': [{ '~': 7 }] }), [7]);
    assert.deepEqual(follow('', 5), [5]);
    assert.deepEqual(follow('/a/b', { a: 'text' }), []);
    assert.deepEqual(follow('/toString', {}), []);
  });

  test('`*` is any element or member, with or without a condition; nulls lead nowhere', () => {
    const links = [{ rel: 'self', href: 1 }, { rel: ['via', 'x'], href: 2 }, { href: null }];
    assert.deepEqual(follow('/*/href', links), [1, 2]);
    assert.deepEqual(follow('/*?rel=via/href', links), [2]);
    assert.deepEqual(follow('/*/href', { a: { href: 3 } }), [3]);
  });

  test('a pointer without a slash is a mistake in the config', () => {
    assert.throws(() => compilePointer('title'), { code: 'config.invalid' });
  });

  test('tests ask for presence or for a value', () => {
    const holds = compileJsonTest('/type=Feature and /links/*?rel=self/href');
    assert.equal(holds({ type: 'Feature', links: [{ rel: 'self', href: 'x' }] }), true);
    assert.equal(holds({ type: 'Feature', links: [] }), false);
    assert.equal(holds({ type: 'Point', links: [{ rel: 'self', href: 'x' }] }), false);
  });
});

describe('STAC items', () => {
  const item = {
    type: 'Feature',
    stac_version: '1.0.0',
    id: 'scene-9',
    bbox: [175, -40, 0, -178, -35, 2000],
    geometry: { type: 'Point', coordinates: [0, 0] },
    properties: {
      datetime: null,
      start_datetime: '2021-03-01T00:00:00.123Z',
      end_datetime: '2021-03-02T00:00:00Z',
      created: '2021-04-01T00:00:00Z',
      updated: '2021-05-01T00:00:00Z',
      platform: 'kite-1',
      instruments: ['camera', 'lidar'],
      constellation: 'kites',
      keywords: ['coast'],
      providers: [
        { name: 'Kite Club', roles: ['producer', 'licensor'] },
        { name: 'Host Ltd', roles: ['host'] },
      ],
      license: 'CC-BY-4.0',
    },
    links: [
      { rel: 'self', href: 'https://example.org/items/scene-9' },
      { rel: 'root', href: 'https://example.org/' },
    ],
    assets: {
      image: { href: './image.tif', type: 'image/tiff' },
      thumb: { href: 'https://example.org/t.png' },
    },
    collection: 'coasts',
  };

  test('give their fields, with the box across the antimeridian', () => {
    const { format, identifier, fields, problems } = extract(item);
    assert.deepEqual([format, identifier], ['stac-item', 'scene-9']);
    assert.deepEqual(problems, []);
    assert.deepEqual(fields, {
      title: ['scene-9'],
      creator: ['Kite Club'],
      contributor: ['Kite Club'],
      publisher: ['Host Ltd'],
      subject: ['coast'],
      date: ['2021-03-01T00:00:00Z'],
      published: ['2021-04-01T00:00:00Z'],
      modified: ['2021-05-01T00:00:00Z'],
      time: [{ start: '2021-03-01T00:00:00Z', end: '2021-03-02T00:00:00Z' }],
      bbox: [{ west: 175, south: -40, east: -178, north: -35 }],
      type: ['Feature'],
      mediaType: ['image/tiff'],
      identifier: ['scene-9'],
      link: ['https://example.org/items/scene-9', 'https://example.org/t.png'],
      relation: ['coasts'],
      rights: ['CC-BY-4.0'],
      instrument: ['camera', 'lidar'],
      platform: ['kite-1'],
      project: ['kites'],
    });
  });

  test('without a box go by their geometry', () => {
    const ring = [
      [1, 2],
      [5, 2],
      [5, 9],
      [1, 2],
    ];
    const { fields } = extract({
      ...item,
      bbox: undefined,
      geometry: { type: 'Polygon', coordinates: [ring] },
    });
    assert.deepEqual(fields.bbox, [{ west: 1, south: 2, east: 5, north: 9 }]);
  });
});

describe('OGC records', () => {
  test('are features with a title and no STAC version', () => {
    const { format, identifier, fields, problems } = extract({
      type: 'Feature',
      id: 'rec:1',
      conformsTo: ['http://www.opengis.net/spec/ogcapi-records-1/1.0/conf/record-core'],
      time: { interval: ['2001-01-01', '..'] },
      geometry: {
        type: 'GeometryCollection',
        geometries: [
          { type: 'Point', coordinates: [4, 50] },
          {
            type: 'LineString',
            coordinates: [
              [6, 51],
              [5, 49],
            ],
          },
        ],
      },
      properties: {
        type: 'dataset',
        title: 'Wells',
        description: 'Water levels.',
        created: '2011-01-01',
        updated: '2012-01-01',
        language: { code: 'nl' },
        keywords: ['water'],
        themes: [{ scheme: 'x', concepts: [{ id: 'wells', title: 'Wells and springs' }] }],
        contacts: [
          {
            name: 'Ann Well',
            organization: 'Water Board',
            roles: ['publisher'],
            emails: [{ value: 'a@example.org' }],
          },
        ],
        externalIds: [{ value: '10.9999/wells' }],
        formats: [{ name: 'CSV', mediaType: 'text/csv' }],
        license: 'CC0',
      },
      links: [{ rel: 'item', href: 'https://example.org/wells.csv' }],
    });
    assert.deepEqual([format, identifier], ['ogc-record', 'rec:1']);
    assert.deepEqual(problems, []);
    assert.deepEqual(fields, {
      title: ['Wells'],
      publisher: ['Ann Well', 'Water Board'],
      contact: ['Ann Well, Water Board, a@example.org'],
      subject: ['water', 'Wells and springs', 'wells'],
      description: ['Water levels.'],
      date: ['2011-01-01'],
      modified: ['2012-01-01'],
      time: [{ start: '2001-01-01' }],
      bbox: [{ west: 4, south: 49, east: 6, north: 51 }],
      type: ['dataset'],
      mediaType: ['text/csv', 'CSV'],
      language: ['nl'],
      identifier: ['rec:1', '10.9999/wells'],
      link: ['https://example.org/wells.csv'],
      rights: ['CC0'],
    });
  });
});

describe('any other JSON', () => {
  test('gives what its member names suggest', () => {
    const { format, identifier, fields, problems } = extract({
      '@id': 'https://example.org/d/1',
      '@type': 'Dataset',
      name: 'Bird counts',
      creator: [{ name: 'R. Wren' }, { name: 'J. Finch' }],
      keywords: ['birds'],
      datePublished: '2015-05-05',
      temporalCoverage: '2001/2003',
      extent: { spatial: { bbox: [[1, 2, 3, 4]] } },
      variableMeasured: [{ name: 'count' }],
      license: 'https://example.org/licence',
    });
    assert.deepEqual([format, identifier], ['json', 'https://example.org/d/1']);
    assert.deepEqual(problems, []);
    assert.deepEqual(fields, {
      title: ['Bird counts'],
      creator: ['R. Wren', 'J. Finch'],
      subject: ['birds'],
      variable: ['count'],
      date: ['2015-05-05'],
      published: ['2015-05-05'],
      time: [{ start: '2001', end: '2003' }],
      bbox: [{ west: 1, south: 2, east: 3, north: 4 }],
      type: ['Dataset'],
      identifier: ['https://example.org/d/1'],
      rights: ['https://example.org/licence'],
    });
  });

  test('a value that is no object has no fields and no identifier', () => {
    for (const value of [7, 'text', null, []]) {
      const { fields, identifier } = extract(value);
      assert.deepEqual([fields, identifier], [{}, undefined]);
    }
  });

  test('a bad box is reported', () => {
    assert.deepEqual(
      extract({ id: 1, bbox: [1, 2, 3] }).problems.map(({ code }) => code),
      ['value.box'],
    );
  });
});

describe('parseJson', () => {
  test('refuses what is no JSON or no UTF-8', () => {
    assert.throws(() => parseJson(new TextEncoder().encode('{"a":')), { code: 'json.malformed' });
    assert.throws(() => parseJson(new Uint8Array([0x22, 0xc3, 0x22])), { code: 'json.malformed' });
  });
});
