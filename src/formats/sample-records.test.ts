/** Real records of other projects, beside the repository when it stands in its workshop; else skipped. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { BoxValue, IntervalValue } from '../core/model.ts';
import { parseXml } from '../xml/engine.ts';
import { createXmlExtractor } from './extract-xml.ts';
import { createFormatRegistry } from './registry.ts';

const folder = fileURLToPath(new URL('../../../shared/data/records/', import.meta.url));
const skip = existsSync(folder) ? false : 'the sample records (../shared/data/records) are not here';

interface Expected {
  readonly format?: string;
  readonly identifier: string;
  readonly title?: string;
  readonly date?: string;
  readonly modified?: string;
  readonly published?: string;
  readonly time?: IntervalValue;
  readonly box?: BoxValue;
}

const box = (west: number, south: number, east: number, north: number): BoxValue => ({
  west,
  south,
  east,
  north,
});
const day = (date: string): IntervalValue => ({ start: date, end: date });

const avhrr = (identifier: string, moment = '2012-10-27T19:46:59Z'): Expected => ({
  identifier,
  title:
    'AVHRR Sea Surface Temperature for MARACOOS (Mid-Atlantic Regional Association Coastal Ocean Observing System)',
  date: '2017-10-27',
  modified: '2017-10-27',
  time: day(moment),
  box: box(-100, 20, -50, 52),
});
const aerial = (identifier: string, area = box(20, 38, 24, 40)): Expected => ({
  identifier,
  title: 'Aerial Photos',
  date: '2009-10-09',
  modified: '2009-10-09',
  time: day('2009-10-09'),
  box: area,
});
const ortho = (identifier: string, ...sides: [number, number, number, number]): Expected => ({
  identifier,
  title: 'Ortho',
  date: '2000-01-01',
  published: '2000-01-01',
  modified: '2009-10-07',
  time: { start: '1997-01-01', end: '1999-01-01' },
  box: box(...sides),
});
const terrain = (identifier: string): Expected => ({
  identifier,
  title: 'DTM',
  date: '2009-10-07',
  modified: '2009-10-07',
  time: day('2009-10-07'),
  box: box(19, 34, 30, 42),
});
const csw = (uuid: string, rest: Partial<Expected> = {}): Record<string, Expected> => ({
  [`csw-record-dc/Record_${uuid}.xml`]: { format: 'csw-record', identifier: `urn:uuid:${uuid}`, ...rest },
});

/** As the record writes it, with more digits than a number has. */
const PIER = Number('158.22402954101562');
const SCENE = 'S2B_MSIL2A_20200902T090559_N0214_R050_T34SFG_20200902T113910.SAFE';

const RECORDS: Readonly<Record<string, Expected>> = {
  ...csw('19887a8a-f6b0-4a63-ae56-7fba0e17801f', { title: 'Lorem ipsum' }),
  ...csw('1ef30a8b-876d-4828-9246-c37ab4510bbd', { box: box(13.754, 60.042, 17.92, 68.41) }),
  ...csw('66ae76b7-54ba-489b-a582-0f0633d96493', { title: 'Maecenas enim' }),
  ...csw('6a3de50b-fa66-4b58-a0e6-ca146fdd18d4', { title: 'Ut facilisis justo ut lacus' }),
  ...csw('784e2afd-a9fd-44a6-9a92-a3848371c8ec', {
    title: 'Aliquam fermentum purus quis arcu',
    date: '2006-05-12',
  }),
  ...csw('829babb0-b2f1-49e1-8cd5-7b489fe71a1e', { title: 'Vestibulum massa purus' }),
  ...csw('88247b56-4cbc-4df9-9860-db3f8042e357'),
  ...csw('94bc9c83-97f6-4b40-9eb8-a8e8787a5c63', {
    title: 'Mauris sed neque',
    date: '2006-03-26',
    box: box(-4.097, 47.595, 0.889, 51.217),
  }),
  ...csw('9a669547-b69b-469f-a11f-2d875366bbdc', {
    title: 'Ñunç elementum',
    date: '2005-10-24',
    box: box(-6.171, 44.792, -2.228, 51.126),
  }),
  ...csw('a06af396-3105-442d-8b40-22b57a90d2f2', { title: 'Lorem ipsum dolor sit amet' }),
  ...csw('ab42a8c4-95e8-4630-bf79-33e59241605a'),
  ...csw('e9330592-0932-474b-be34-c3a3bb67c7db', { title: 'Fuscé vitae ligulä', date: '2003-05-09' }),
  'iso19115-3-pycsw/auscope-3d-model.xml': {
    format: 'iso19115-3',
    identifier: '5ebc3cb7-a3b5-4760-a8ff-851d5d5beb32',
    title: '3D geological model of the Otway and Torquay Basin 2011',
    date: '2010-01-01',
    modified: '2022-11-03T06:17:02Z',
    box: box(143, -39.4, 144, -38.4),
  },
  'iso19115-3-pycsw/auscope-iso19139-geoprovinces.xml': {
    identifier: '09a7c1d4c97ccdd7e34306deb91320ab95d51bb8',
    title: 'ProvinceFullExtent',
    date: '2018-02-08T11:04:47Z',
    modified: '2018-02-08T11:04:47Z',
    box: box(106.56906097500001, -49.861429999999984, 171.88106000000005, -3.6270000000000095),
  },
  'iso19115-3-pycsw/metawal.wallonie.be-catchments.xml': {
    format: 'iso19115-3',
    identifier: '74f81503-8d39-4ec8-a49a-c76e0cd74946',
    title: 'Protection des captages - Série',
    date: '2022-11-08',
    published: '2022-11-08',
    modified: '2023-07-31',
    box: box(2.75, 49.45, 6.5, 50.85),
  },
  'iso19115-3-pycsw/metawal.wallonie.be-srv.xml': {
    format: 'iso19115-3',
    identifier: '1714cd1e-6685-4dea-a6f4-b51612a15ed0',
    title: 'INSPIRE - Santé et sécurité des personnes en Wallonie (BE) - Service de visualisation WMS',
    date: '2018-03-01',
    published: '2018-03-01',
    modified: '2023-12-11T13:33:59Z',
    box: box(2.75, 49.45, 6.51, 50.85),
  },
  'iso19139-awkward-ids/file_id_as_url.xml': avhrr('https://ioos.noaa.gov/stations/BRJASL'),
  'iso19139-awkward-ids/file_id_starting_with_forward_slash.xml': avhrr('/i/started/with/a/slash'),
  'iso19139-awkward-ids/file_id_with_colon.xml': avhrr('urn:hi:im:a:urn:or:url'),
  'iso19139-awkward-ids/file_id_with_directory_changes.xml': avhrr(
    "../../../I'm Trying to go back a few directories/../..",
  ),
  'iso19139-awkward-ids/file_id_with_driveletter_and_backslashes.xml': avhrr(
    String.raw`C:\\hi\\I'm\\a\\windows\\folder`,
  ),
  'iso19139-awkward-ids/file_id_with_foward_slashes.xml': avhrr('hello/i/am/a/path'),
  'iso19139-duplicate-id/AVHRR.2011.7Agg.xml': avhrr('org.maracoos:avhrr.sst', '2011-08-26T23:37:00Z'),
  'iso19139-duplicate-id/AVHRR.2012.7Agg.xml': avhrr('org.maracoos:avhrr.sst'),
  'iso19139-pycsw/3e9a8c05.xml': {
    identifier: '3e9a8c05',
    title: 'test Title',
    date: '2011-04-19',
    modified: '2011-04-18',
    time: { start: '2011-04-18', end: '2011-04-20' },
    box: box(19.37, 34.8, 29.61, 41.75),
  },
  'iso19139-pycsw/T_aerfo_RAS_1991_GR800P001800000012.xml': aerial('366f6257-19eb-4f20-ba78-0698ac4aae77'),
  'iso19139-pycsw/T_aerfo_RAS_1991_GR800P001800000013.xml': aerial('75a7eb5e-336e-453d-ab06-209b1070d396'),
  'iso19139-pycsw/T_aerfo_RAS_1991_GR800P001800000014.xml': aerial('a7308c0a-b748-48e2-bab7-0a608a51d416'),
  'iso19139-pycsw/T_aerfo_RAS_1991_GR800P001800000015.xml': aerial('0173e0d7-6ea9-4407-b846-f29d6bfa9903'),
  'iso19139-pycsw/T_ortho_RAS_1998_284404.xml': ortho(
    'de53e931-778a-4792-94ad-9fe507aca483',
    21.478784,
    39.76001,
    21.527317,
    39.790341,
  ),
  'iso19139-pycsw/T_ortho_RAS_1998_288395.xml': ortho(
    '4a5109d7-9ce5-4197-a423-b5fa8c426dee',
    21.528333,
    39.679999,
    21.576834,
    39.710309,
  ),
  'iso19139-pycsw/T_ortho_RAS_1998_288398.xml': ortho(
    '5f37e0f8-4fb1-4637-b959-b415058bdb68',
    21.527369,
    39.707004,
    21.575888,
    39.737315,
  ),
  'iso19139-pycsw/T_ortho_RAS_1998_288401.xml': ortho(
    'f99cc358-f379-4e79-ab1e-cb2f7709f594',
    21.526404,
    39.734009,
    21.574941,
    39.764321,
  ),
  'iso19139-pycsw/T_ortho_RAS_1998_288404.xml': ortho(
    'ae200a05-2800-40b8-b85d-8f8d007b9e30',
    21.525437,
    39.761015,
    21.573992,
    39.791327,
  ),
  'iso19139-pycsw/T_pmoed_DTM_1996_276395.xml': terrain('a2744b0c-becd-426a-95a8-46e9850ccc6d'),
  'iso19139-pycsw/T_pmoed_DTM_1996_276398.xml': terrain('0dc824a6-b555-46c1-bd7b-bc66cb91a70f'),
  'iso19139-pycsw/T_pmoed_DTM_1996_276401.xml': terrain('42c8e55a-2bf6-476d-a7c9-be3bcd697f13'),
  'iso19139-pycsw/T_pmoed_DTM_1996_276404.xml': terrain('c3bf29d4-d60a-4959-a415-2c03fb0d4aef'),
  'iso19139-pycsw/T_pmoed_DTM_1996_280395.xml': terrain('b8cc2388-5d0a-43d8-9473-0e86dd0396da'),
  'iso19139-pycsw/iso_19115-2_Sentinel-2-scene.xml': {
    identifier: SCENE,
    title: SCENE,
    date: '2020-09-02T11:39:10Z',
    published: '2020-09-02T11:39:10Z',
    modified: '2020-09-02T11:39:10Z',
    time: day('2020-09-02T09:05:59Z'),
    box: box(22.241087944581203, 36.95084163397443, 22.316296604618408, 37.21692395594552),
  },
  'iso19139-pycsw/pacioos-NS06agg.xml': {
    identifier: 'NS06agg',
    title: 'PacIOOS Nearshore Sensor 06: Pohnpei, Micronesia',
    date: '2011-04-19',
    published: '2011-04-19',
    modified: '2014-03-18',
    time: { start: '2010-05-07T00:00:00Z', end: '2014-03-17T23:56:00Z' },
    box: box(PIER, 6.955227375030518, PIER, 6.955227375030518),
  },
  'iso19139-pycsw/test.xml': aerial('437ae0a2-06e2-4015-b296-a66e7f407bf2', box(20, 24, 38, 40)),
};

describe('the sample records', { skip }, () => {
  const formats = createFormatRegistry();
  const extract = (path: string) => {
    using document = parseXml(readFileSync(join(folder, path)));
    const format = formats.detectXml(document);
    return { format: format.name, ...createXmlExtractor(format)(document) };
  };

  test('the table names every file', () => {
    const files = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.xml'))
      .map((entry) => join(entry.parentPath, entry.name).slice(join(folder, 'x').length - 1));
    assert.deepEqual(
      files.map((file) => file.replaceAll('\\', '/')).toSorted(),
      Object.keys(RECORDS).toSorted(),
    );
  });

  for (const [path, expected] of Object.entries(RECORDS)) {
    test(`${path} gives its identifier, title, dates and box`, () => {
      const { format, identifier, fields, problems } = extract(path);
      assert.equal(
        format,
        expected.format ?? (dirname(path) === 'csw-record-dc' ? 'csw-record' : 'iso19139'),
      );
      assert.equal(identifier, expected.identifier);
      assert.equal(fields.title?.[0], expected.title);
      assert.deepEqual(fields.date, expected.date && [expected.date]);
      assert.deepEqual(fields.modified, expected.modified && [expected.modified]);
      assert.deepEqual(fields.published, expected.published && [expected.published]);
      assert.deepEqual(fields.time, expected.time && [expected.time]);
      assert.deepEqual(fields.bbox, expected.box && [expected.box]);
      assert.deepEqual(problems, []);
    });
  }

  test('instruments and platforms of a scene are read from its acquisition', () => {
    const { fields } = extract('iso19139-pycsw/iso_19115-2_Sentinel-2-scene.xml');
    assert.deepEqual(fields.platform, ['Sentinel-2B']);
    assert.deepEqual(fields.instrument, ['INS-NOBS']);
  });

  test('measured parameters are standard names and band descriptors, and no other keywords', () => {
    const { fields } = extract('iso19139-awkward-ids/file_id_as_url.xml');
    assert.deepEqual(fields.variable?.slice(0, 6), [
      'sea_surface_temperature',
      'longitude',
      'latitude',
      'time',
      'EARTH SCIENCE > OCEANS > OCEAN TEMPERATURE > SEA SURFACE TEMPERATURE',
      'Multichannel Sea Surface Temperature (sea_surface_temperature)',
    ]);
    assert.ok(!fields.variable?.includes('Rutgers'));
  });

  test('parties of ISO 19115-3 go by their roles', () => {
    const { fields } = extract('iso19115-3-pycsw/auscope-3d-model.xml');
    assert.deepEqual(fields.creator, ['P.B. SKLADZIEN', 'C. Jorand']);
    assert.deepEqual(fields.publisher, ['Earth Resources Victoria']);
    assert.deepEqual(fields.contributor?.toSorted(), ['A. Krassay', 'AuScope', 'L. Hall']);
    assert.deepEqual(fields.contact, [
      'Anthony Hurst, Earth Resources Victoria, customer.service@ecodev.vic.gov.au',
    ]);
    assert.deepEqual(fields.place, ['Victoria', 'Otway Basin', 'Torquay Basin']);
  });
});
