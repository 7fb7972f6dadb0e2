import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import fc from 'fast-check';
import { dateSpan, formatOai, normaliseDate, parseInterval, parseOai } from './time.ts';

/** What is written, and what it means. */
const NOTATIONS: readonly (readonly [text: string, normalised: string | undefined])[] = [
  ['2004', '2004'],
  ['2004-05', '2004-05'],
  ['2004-05-06', '2004-05-06'],
  ['  2004-05-06\n', '2004-05-06'],
  ['2004-05-06Z', '2004-05-06'],
  ['2004-05-06+02:00', '2004-05-06'],
  ['2004-05Z', '2004-05'],
  ['2004-05:00', '2004'],
  ['2004-05-06T12', '2004-05-06T12:00:00Z'],
  ['2004-05-06T12:34', '2004-05-06T12:34:00Z'],
  ['2004-05-06T12:34:56Z', '2004-05-06T12:34:56Z'],
  ['2004-05-06t12:34:56z', '2004-05-06T12:34:56Z'],
  ['2004-05-06T12:34:56.789Z', '2004-05-06T12:34:56Z'],
  ['2004-05-06T12:34:56,5+0530', '2004-05-06T07:04:56Z'],
  ['2004-05-06T01:00:00+02:00', '2004-05-05T23:00:00Z'],
  ['2004-05-06T23:00:00-05', '2004-05-07T04:00:00Z'],
  ['2004-05-06 12:00:00', '2004-05-06T12:00:00Z'],
  ['2004-05-06 12:00:00 UTC', '2004-05-06T12:00:00Z'],
  ['2004-12-31T24:00:00Z', '2005-01-01T00:00:00Z'],
  ['2016-12-31T23:59:60Z', '2016-12-31T23:59:59Z'],
  ['20040506', '2004-05-06'],
  ['20040506T120000Z', '2004-05-06T12:00:00Z'],
  ['20040506T1200+0100', '2004-05-06T11:00:00Z'],
  ['20040506120000', '2004-05-06T12:00:00Z'],
  ['2004-127', '2004-05-06'],
  ['2004127', '2004-05-06'],
  ['2004-366', '2004-12-31'],
  ['2003-366', undefined],
  ['2004-W19-4', '2004-05-06'],
  ['2004W194', '2004-05-06'],
  ['2009-W53-7', '2010-01-03'],
  ['2010-W53-1', undefined],
  ['2004-W19', '2004-05'],
  ['2004-W18', '2004'],
  ['2009-W53', undefined],
  ['2004/05/06', '2004-05-06'],
  ['2004/5/6', '2004-05-06'],
  ['2004.05.06', '2004-05-06'],
  ['2004/05', '2004-05'],
  ['2004/05-06', undefined],
  ['6 May 2004', '2004-05-06'],
  ['06-May-2004', '2004-05-06'],
  ['6th May, 2004', '2004-05-06'],
  ['May 6, 2004', '2004-05-06'],
  ['Sept. 6th 2004', '2004-09-06'],
  ['May 2004', '2004-05'],
  ['december, 2004', '2004-12'],
  ['2004 May 6', '2004-05-06'],
  ['2004-May-06', '2004-05-06'],
  ['31 April 2004', undefined],
  ['Thu, 06 May 2004 12:00:00 +0200', '2004-05-06T10:00:00Z'],
  ['Thu, 06 May 2004 12:00:00 GMT', '2004-05-06T12:00:00Z'],
  ['06 May 04 12:00 EST', '2004-05-06T17:00:00Z'],
  ['Thursday, 06-May-99 12:00:00 GMT', '1999-05-06T12:00:00Z'],
  ['Thu May  6 12:00:00 2004', '2004-05-06T12:00:00Z'],
  ['Thu May 06 12:00:00 PDT 2004', '2004-05-06T19:00:00Z'],
  ['Thu, 06 May 2004 12:00:00 IST', undefined],
  ['05/06/2004', undefined],
  ['05-06-2004', undefined],
  ['05.06.2004', undefined],
  ['05/05/2004', '2004-05-05'],
  ['25/06/2004', '2004-06-25'],
  ['06/25/2004', '2004-06-25'],
  ['25.06.2004 08:30', '2004-06-25T08:30:00Z'],
  ['25/26/2004', undefined],
  ['0000', '0000'],
  ['0044-03-15', '0044-03-15'],
  ['-0043-03-15', '-000043-03-15'],
  ['-0043', '-000043'],
  ['+12004-05', '+012004-05'],
  ['-000043-03-15T00:00:00Z', '-000043-03-15T00:00:00Z'],
  ['-999999', undefined],
  ['2004-13', undefined],
  ['2004-02-30', undefined],
  ['2003-02-29', undefined],
  ['1900-02-29', undefined],
  ['2000-02-29', '2000-02-29'],
  ['2004-05-06T25:00:00Z', undefined],
  ['2004-05-06T12:60:00Z', undefined],
  ['2004-05-06T12:00:00+99:00', undefined],
  ['200405', undefined],
  ['1083844800', undefined],
  ['1083844800000', undefined],
  ['04', undefined],
  ['', undefined],
  ['last spring', undefined],
  ['2004-05-06 and a word', undefined],
];

for (const [text, normalised] of NOTATIONS) {
  test(`the date ${JSON.stringify(text)} is normalised to ${normalised}`, () => {
    assert.equal(normaliseDate(text), normalised);
  });
}

test('the time zone of the machine changes no date', () => {
  const script = `
    const { normaliseDate, dateSpan } = await import(process.argv[1]);
    const texts = JSON.parse(process.argv[2]);
    console.log(JSON.stringify([new Date(2004, 0, 1).getTimezoneOffset(),
      texts.map((text) => [normaliseDate(text), dateSpan(text)])]));`;
  const texts = NOTATIONS.map(([text]) => text);
  const expected = JSON.parse(
    JSON.stringify(texts.map((text) => [normaliseDate(text), dateSpan(text)])),
  ) as unknown;
  for (const [zone, offset] of [
    ['Pacific/Chatham', -825],
    ['America/St_Johns', 210],
  ] as const) {
    const printed = execFileSync(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        script,
        new URL('./time.ts', import.meta.url).href,
        JSON.stringify(texts),
      ],
      { env: { TZ: zone }, encoding: 'utf8' },
    );
    const [seenOffset, results] = JSON.parse(printed) as [number, unknown];
    assert.equal(seenOffset, offset, `the child runs in ${zone}`);
    assert.deepEqual(results, expected);
  }
});

test('every instant is read back from what ECMAScript writes', () => {
  fc.assert(
    fc.property(fc.date({ noInvalidDate: true }), (date) => {
      const year = date.getUTCFullYear();
      fc.pre(year > -271_820 && year < 275_759);
      assert.deepEqual(dateSpan(date.toISOString()), { startAt: date.getTime(), endAt: date.getTime() + 1 });
    }),
  );
});

test('a normalised date is its own normal form and covers the instant that it was cut from', () => {
  const instants = fc.integer({ min: Date.UTC(-9000, 0), max: Date.UTC(12000, 0) });
  fc.assert(
    fc.property(instants, fc.constantFrom(/-\d\d-\d\dT.*$/, /-\d\dT.*$/, /T.*$/, /\.\d+/), (at, cut) => {
      const text = new Date(at).toISOString().replace(cut, '');
      const normalised = normaliseDate(text);
      assert.equal(normalised, text);
      const span = dateSpan(text);
      assert.ok(span && span.startAt <= at && at < span.endAt);
    }),
  );
});

test('a span is as wide as the written precision', () => {
  const width = (text: string) => {
    const span = dateSpan(text);
    return span && span.endAt - span.startAt;
  };
  assert.equal(width('2004'), 366 * 86_400_000);
  assert.equal(width('2003-02'), 28 * 86_400_000);
  assert.equal(width('2004-05-06'), 86_400_000);
  assert.equal(width('2004-05-06T12:00'), 60_000);
  assert.equal(width('2004-05-06T12:00:00Z'), 1000);
  assert.equal(width('2004-05-06T12:00:00.5Z'), 100);
  assert.equal(width('2004-05-06T12:00:00.123456789Z'), 1);
  assert.equal(dateSpan('6 May 2004'), undefined);
  assert.equal(dateSpan('0099')?.startAt, Date.parse('0099-01-01T00:00:00Z'));
});

const INTERVALS: readonly (readonly [string, ReturnType<typeof parseInterval>])[] = [
  ['2004/2006', { start: '2004', end: '2006' }],
  ['2004-05-06T00:00:00Z/2004-06', { start: '2004-05-06T00:00:00Z', end: '2004-06' }],
  ['../2006', { end: '2006' }],
  ['2004/..', { start: '2004' }],
  ['2004/', { start: '2004' }],
  ['2004/present', { start: '2004' }],
  ['../..', {}],
  ['2004-01-01/2005-01-01/P1D', { start: '2004-01-01', end: '2005-01-01' }],
  ['2004', { start: '2004', end: '2004' }],
  ['2004/05', { start: '2004-05', end: '2004-05' }],
  ['2004/05/06', { start: '2004-05-06', end: '2004-05-06' }],
  ['start=1929; end=1939;', { start: '1929', end: '1939' }],
  ['name=The Great Depression; start=1929-10-24; scheme=W3C-DTF;', { start: '1929-10-24' }],
  ['end = 1939', { end: '1939' }],
  ['1990-2000', { start: '1990', end: '2000' }],
  ['1990 - 2000', { start: '1990', end: '2000' }],
  ['6 May 2004 to 8 May 2004', { start: '2004-05-06', end: '2004-05-08' }],
  ['1990–2000', { start: '1990', end: '2000' }],
  ['2006/2004', undefined],
  ['2004-06/2004-05', undefined],
  ['start=soon; end=later', undefined],
  ['2004/later', undefined],
  ['Cretaceous', undefined],
  ['', undefined],
];

for (const [text, interval] of INTERVALS) {
  test(`the interval ${JSON.stringify(text)} is read as ${JSON.stringify(interval)}`, () => {
    assert.deepEqual(parseInterval(text), interval);
  });
}

test('OAI dates are written at their granularity and read back to the same instant', () => {
  const at = Date.parse('2004-05-06T12:34:56.789Z');
  assert.equal(formatOai(at), '2004-05-06T12:34:56Z');
  assert.equal(formatOai(at, 'YYYY-MM-DD'), '2004-05-06');
  assert.deepEqual(parseOai('2004-05-06T12:34:56Z'), {
    startAt: at - 789,
    endAt: at + 211,
    granularity: 'YYYY-MM-DDThh:mm:ssZ',
  });
  assert.equal(parseOai('2004-05-06')?.granularity, 'YYYY-MM-DD');
});

test('an OAI argument in any other form is refused', () => {
  for (const text of [
    '2004',
    '2004-05',
    '2004-05-06T12:34Z',
    '2004-05-06T12:34:56',
    '2004-05-06T12:34:56.0Z',
    '2004-05-06T12:34:56+00:00',
    '2004-05-06T24:00:00Z',
    '2004-02-30',
    ' 2004-05-06',
    '2004-05-06\n',
  ])
    assert.equal(parseOai(text), undefined, text);
});
