import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import type { Fields } from '../core/model.ts';
import { compilePath, parseXml } from '../xml/engine.ts';
import { compileSchema } from '../xml/xsd.ts';
import { toDublinCore } from './dublin-core.ts';
import { createXmlExtractor } from './extract-xml.ts';
import { DC_ELEMENTS, type DublinCore } from './format.ts';
import { writeOaiDc } from './oai-dc.ts';
import { oaiDc } from './oai-dc-format.ts';
import { createFormatRegistry } from './registry.ts';

const formats = createFormatRegistry();
const encode = (text: string) => new TextEncoder().encode(text);

const FIELDS: Fields = {
  title: ['Snow & ice'],
  creator: ['Nival, P.'],
  contributor: ['Frost, I.'],
  publisher: ['Snow Data Center'],
  subject: ['snow'],
  variable: ['snow', 'SNOW COVER'],
  description: ['Daily maps <draft>.'],
  date: ['2015'],
  modified: ['2016'],
  time: [{ start: '2002', end: '2003-05' }, { start: '2010' }],
  bbox: [{ west: 170, south: -10.5, east: -170, north: 12 }],
  place: ['Arctic'],
  type: ['Dataset'],
  mediaType: ['text/csv'],
  language: ['en'],
  identifier: ['10.9999/snow'],
  link: ['https://example.org/snow?a=1&b=2'],
  relation: ['10.9999/ice'],
  origin: ['Field book'],
  rights: ['CC0'],
};

describe('toDublinCore', () => {
  test('every element comes from the stored fields, without repetitions', () => {
    assert.deepEqual(toDublinCore(formats.get('dif10'), FIELDS), {
      title: ['Snow & ice'],
      creator: ['Nival, P.'],
      subject: ['snow', 'SNOW COVER'],
      description: ['Daily maps <draft>.'],
      publisher: ['Snow Data Center'],
      contributor: ['Frost, I.'],
      date: ['2015'],
      type: ['Dataset'],
      format: ['text/csv'],
      identifier: ['10.9999/snow'],
      source: ['Field book'],
      language: ['en'],
      relation: ['10.9999/ice', 'https://example.org/snow?a=1&b=2'],
      coverage: [
        'Arctic',
        'northlimit=12; southlimit=-10.5; westlimit=170; eastlimit=-170; units=signed decimal degrees; projection=WGS84',
        'start=2002; end=2003-05; scheme=W3C-DTF',
        'start=2010; scheme=W3C-DTF',
      ],
      rights: ['CC0'],
    });
  });

  test('every built-in format maps every element that it has fields for, by fields alone', () => {
    for (const { name, dublinCore, fields } of formats.list()) {
      const known = new Set(fields.map((field) => field.name));
      const mapped = DC_ELEMENTS.flatMap((element) => dublinCore[element] ?? []);
      assert.ok(
        mapped.every(({ field, path }) => field !== undefined && path === undefined),
        name,
      );
      // Files and captures are no descriptions of data.
      const expected = name.startsWith('web_') ? [] : ['bbox', 'subject'];
      for (const field of ['title', 'identifier', 'date', ...expected])
        assert.ok(known.has(field) && mapped.some((from) => from.field === field), `${name} ${field}`);
    }
  });

  test('a path in a crosswalk is read from the document when there is one', () => {
    const format = { ...oaiDc, dublinCore: { title: [{ path: '/*/dc:title' }, { field: 'title' }] } };
    using document = parseXml(encode(writeOaiDc({ title: ['From the document'] })));
    assert.deepEqual(toDublinCore(format, { title: ['Stored'] }, document), {
      title: ['From the document', 'Stored'],
    });
    assert.deepEqual(toDublinCore(format, { title: ['Stored'] }), { title: ['Stored'] });
  });
});

describe('writeOaiDc', () => {
  const schema = fileURLToPath(new URL('../../../shared/standards/xsd/oai/oai_dc.xsd', import.meta.url));
  const skip = existsSync(schema) ? false : 'the schemas (../shared/standards/xsd) are not here';

  test('what it writes conforms to the schema', { skip }, () => {
    using compiled = compileSchema(schema, { root: dirname(dirname(schema)) });
    for (const record of [toDublinCore(formats.get('iso19139'), FIELDS), {}]) {
      using document = parseXml(encode(writeOaiDc(record)));
      assert.deepEqual(compiled.validate(document), []);
    }
    using wrong = parseXml(encode(writeOaiDc({}).replace('</oai_dc:dc>', '<wrong/></oai_dc:dc>')));
    assert.notDeepEqual(compiled.validate(wrong), []);
  });

  test('areas and periods come back from it as they were', () => {
    using document = parseXml(encode(writeOaiDc(toDublinCore(oaiDc, FIELDS))));
    const { fields } = createXmlExtractor(oaiDc)(document);
    for (const name of ['title', 'bbox', 'time', 'place', 'description', 'origin'])
      assert.deepEqual(fields[name], FIELDS[name], name);
  });

  test('any text is well-formed and is read back, forbidden characters replaced', () => {
    const title = fc.string({ unit: 'binary', minLength: 1 });
    fc.assert(
      fc.property(fc.array(title), (titles) => {
        const record: DublinCore = { title: titles };
        using document = parseXml(encode(writeOaiDc(record)));
        const { dc = '' } = oaiDc.namespaces;
        const read = document.evaluate(compilePath('/*/dc:title', { dc }));
        // What XML 1.0 §2.2 has no place for.
        const legal = titles.map((text) =>
          text.replace(/[\0-\x08\v\f\x0e-\x1f\ufffe\uffff]/g, '\ufffd').trim(),
        );
        assert.deepEqual(read, legal.filter(Boolean));
      }),
    );
  });
});
