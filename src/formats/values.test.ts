import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { FieldType } from '../core/model.ts';
import { type RawValue, ValueCollector, type ValueProblem } from './values.ts';

function read(type: FieldType, ...raw: RawValue[]) {
  const problems: ValueProblem[] = [];
  const collector = new ValueCollector({ name: 'f', type }, problems);
  for (const value of raw) collector.add(value);
  return { values: collector.values, problems: problems.map(({ code }) => code) };
}
const box = (west: string, south: string, east: string, north: string): RawValue => [
  [west],
  [south],
  [east],
  [north],
];

describe('texts', () => {
  test('white space is one space, empty lines are paragraphs', () => {
    assert.deepEqual(read('text', ' a\n   b \n\n\n c ').values, ['a b\n\nc']);
    assert.deepEqual(read('string', ' a\n   b \n\n c ').values, ['a b c']);
  });

  test('blanks and repetitions are dropped, the order stays', () => {
    assert.deepEqual(read('string', 'b', ' ', 'a', 'b ', '').values, ['b', 'a']);
  });

  test('parts are joined, blank ones left out', () => {
    const collector = new ValueCollector({ name: 'f', type: 'string' }, []);
    collector.add([['OCEANS'], [], [' SALINITY ']], ' > ');
    assert.deepEqual(collector.values, ['OCEANS > SALINITY']);
  });

  test('what is as long as a book is cut, between characters, and told of', () => {
    const long = read('text', `${'x'.repeat(99_999)}😀${'y'.repeat(1000)}`, 'z'.repeat(100_000));
    assert.deepEqual(long.values, [`${'x'.repeat(99_999)}…`, 'z'.repeat(100_000)]);
    assert.deepEqual(long.problems, ['value.long']);
  });
});

describe('addresses', () => {
  test('absolute addresses are kept, with their spaces encoded', () => {
    assert.deepEqual(read('uri', 'https://example.org/a b', 's3://bucket/key', 'urn:x:y').values, [
      'https://example.org/a%20b',
      's3://bucket/key',
      'urn:x:y',
    ]);
  });

  test('an address that would run in a browser is dropped and reported', () => {
    for (const uri of [
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      'data:text/html,x',
      'www.example.org',
      'C:\\x',
    ])
      assert.deepEqual(read('uri', uri), { values: [], problems: ['value.uri'] }, uri);
  });

  test('relative references are dropped in silence', () => {
    assert.deepEqual(read('uri', './a.tif', '../b', '/c', '#d'), { values: [], problems: [] });
  });
});

describe('numbers and dates', () => {
  test('a number that is none is reported', () => {
    assert.deepEqual(read('number', '1e3', '-2.5', 'many', 'N/A'), {
      values: [1000, -2.5],
      problems: ['value.number'],
    });
  });

  test('dates are normalised; of a range the beginning counts', () => {
    assert.deepEqual(read('date', '2020-09-02T11:39:10.000000Z', '2004-05', '2010/2012').values, [
      '2020-09-02T11:39:10Z',
      '2004-05',
      '2010',
    ]);
  });

  test('what says that it is not known is no problem, what is wrong is one', () => {
    assert.deepEqual(read('date', 'unknown', 'Not provided', 'present', '2020-13-45'), {
      values: [],
      problems: ['value.date'],
    });
  });
});

describe('periods', () => {
  test('both ends are read, open and unknown ends left out', () => {
    assert.deepEqual(
      read(
        'interval',
        [['2020-01-01'], ['2020-12-31']],
        [['1999'], ['present']],
        [['unknown'], ['2001']],
        [['2005'], []],
      ),
      {
        values: [
          { start: '2020-01-01', end: '2020-12-31' },
          { start: '1999' },
          { end: '2001' },
          { start: '2005' },
        ],
        problems: [],
      },
    );
  });

  test('a period of which nothing is known is no value', () => {
    assert.deepEqual(read('interval', [['unknown'], ['now']], [[], []], 'unknown', '../..'), {
      values: [],
      problems: [],
    });
  });

  test('reversed ends are swapped and reported', () => {
    assert.deepEqual(read('interval', [['2021'], ['2020-05']], '2010/2001'), {
      values: [
        { start: '2020-05', end: '2021' },
        { start: '2001', end: '2010' },
      ],
      problems: ['value.interval', 'value.interval'],
    });
  });

  test('the same day twice is not reversed', () => {
    assert.deepEqual(read('interval', [['2020-05-01'], ['2020-05-01']]), {
      values: [{ start: '2020-05-01', end: '2020-05-01' }],
      problems: [],
    });
  });

  test('a period with an end that is no date is dropped and reported', () => {
    assert.deepEqual(read('interval', [['2020'], ['Tuesday']], 'the ice age'), {
      values: [],
      problems: ['value.interval', 'value.interval'],
    });
  });

  test('a single date is its own start and end', () => {
    assert.deepEqual(read('interval', '2004-05').values, [{ start: '2004-05', end: '2004-05' }]);
  });
});

describe('boxes', () => {
  test('four sides make a box', () => {
    assert.deepEqual(read('bbox', box('-10.5', '-5', '20.25', '5')).values, [
      { west: -10.5, south: -5, east: 20.25, north: 5 },
    ]);
  });

  test('longitudes from 0 to 360 become -180 to 180', () => {
    assert.deepEqual(read('bbox', box('350', '0', '370', '1')).problems, ['value.box']);
    assert.deepEqual(
      read(
        'bbox',
        box('200', '0', '210', '1'),
        box('350', '0', '10', '1'),
        box('170', '0', '200', '1'),
        box('0', '-90', '360', '90'),
      ).values,
      [
        { west: -160, south: 0, east: -150, north: 1 },
        { west: -10, south: 0, east: 10, north: 1 },
        { west: 170, south: 0, east: -160, north: 1 },
        { west: -180, south: -90, east: 180, north: 90 },
      ],
    );
  });

  test('a box across the antimeridian stays one', () => {
    assert.deepEqual(read('bbox', box('170', '-20', '-170', '-10')), {
      values: [{ west: 170, south: -20, east: -170, north: -10 }],
      problems: [],
    });
  });

  test('swapped north and south are put right and reported', () => {
    assert.deepEqual(read('bbox', box('0', '10', '1', '-10')), {
      values: [{ west: 0, south: -10, east: 1, north: 10 }],
      problems: ['value.box'],
    });
  });

  test('impossible and incomplete boxes are dropped and reported', () => {
    for (const bad of [
      box('0', '-91', '1', '0'),
      box('0', '0', '1', 'north'),
      [['0'], ['0'], [], ['1']],
      'Berlin',
    ])
      assert.deepEqual(read('bbox', bad), { values: [], problems: ['value.box'] }, JSON.stringify(bad));
  });

  test('a box without any side is no value and no problem', () => {
    assert.deepEqual(read('bbox', [[], [], [], []]), { values: [], problems: [] });
  });

  test('corners of an area make the box around it, also across the antimeridian', () => {
    const area = (longitudes: string[], latitudes: string[]) =>
      read('bbox', [longitudes, latitudes, longitudes, latitudes]).values;
    assert.deepEqual(area(['1', '5', '3'], ['7', '2', '9']), [{ west: 1, south: 2, east: 5, north: 9 }]);
    assert.deepEqual(area(['177', '-178', '-178', '177'], ['-19', '-19', '-16', '-16']), [
      { west: 177, south: -19, east: -178, north: -16 },
    ]);
    assert.deepEqual(area(['-180', '180', '180', '-180'], ['-90', '-90', '90', '90']), [
      { west: -180, south: -90, east: 180, north: 90 },
    ]);
  });

  test('the usual notations of a box as text are understood', () => {
    const same = { west: -5, south: 47, east: 20, north: 55 };
    for (const text of [
      '-5 47 20 55',
      '-5, 47, 20, 55',
      'ENVELOPE(-5, 20, 55, 47)',
      'name=Alps; northlimit=55; southlimit=47; westlimit=-5; eastlimit=20; units=signed decimal degrees',
      'POLYGON((-5 47, 20 47, 20 55, -5 55, -5 47))',
      'W 5°00ʹ--E 20°00ʹ/N 55°00ʹ--N 47°00ʹ',
      '(W 5°--E 20°/N 55°--N 47°).',
    ])
      assert.deepEqual(read('bbox', text), { values: [same], problems: [] }, text);
    const point = { west: 13.5, south: 52.25, east: 13.5, north: 52.25 };
    for (const text of ['POINT(13.5 52.25)', 'east=13.5; north=52.25', 'E 13°30ʹ/N 52°15ʹ'])
      assert.deepEqual(read('bbox', text).values, [point], text);
  });

  test('every box on the globe comes back as it was given', () => {
    const degrees = (limit: number) => fc.double({ min: -limit, max: limit, noNaN: true });
    fc.assert(
      fc.property(degrees(180), degrees(180), degrees(90), degrees(90), (west, east, one, other) => {
        // Nothing else than the whole circle is written differently.
        fc.pre(!(west === -180 && east === 180));
        const [south, north] = [Math.min(one, other), Math.max(one, other)];
        const { values, problems } = read('bbox', box(`${west}`, `${south}`, `${east}`, `${north}`));
        assert.deepEqual(problems, []);
        assert.deepEqual(
          JSON.parse(JSON.stringify(values)),
          JSON.parse(JSON.stringify([{ west, south, east, north }])),
        );
      }),
    );
  });
});
