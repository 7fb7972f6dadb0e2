import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { RESERVED_FIELDS } from '../core/model.ts';
import { parseXml } from '../xml/engine.ts';
import { createJsonExtractor } from './extract-json.ts';
import { createXmlExtractor } from './extract-xml.ts';
import { COMMON_FIELDS, common } from './fields.ts';
import type { MetadataFormat } from './format.ts';
import { oaiDc } from './oai-dc-format.ts';
import { createFormatRegistry } from './registry.ts';

const tea: MetadataFormat = {
  name: 'tea',
  label: 'Tea',
  syntax: 'xml',
  namespace: 'urn:tea',
  schemaLocation: '',
  namespaces: { t: 'urn:tea' },
  detect: [{ root: 't:pot' }],
  identifier: ['/t:pot/@no'],
  fields: [common('title', ['/t:pot/t:sort'])],
  dublinCore: { title: [{ field: 'title' }] },
};

const detect = (formats: readonly MetadataFormat[], xml: string) => {
  using document = parseXml(new TextEncoder().encode(xml));
  return createFormatRegistry(formats).detectXml(document).name;
};

describe('the registry of formats', () => {
  test('has the built-in formats, and their paths compile', () => {
    const registry = createFormatRegistry();
    assert.deepEqual(
      registry.list().map(({ name }) => name),
      [
        'oai_dc',
        'dif10',
        'dif9',
        'iso19139',
        'iso19115-3',
        'datacite',
        'mods',
        'mets',
        'csw-record',
        'oodt_profile',
        'xml',
        'stac-item',
        'ogc-record',
        'web_file',
        'web_capture',
        'web_snapshot',
        'schema-org',
        'json',
      ],
    );
    for (const format of registry.list()) {
      if (format.syntax === 'xml') createXmlExtractor(format);
      else createJsonExtractor(format);
    }
  });

  test('a format of the config is found first and takes the place of its namesake', () => {
    const own = { ...oaiDc, label: 'Ours' };
    const registry = createFormatRegistry([tea, own]);
    assert.equal(registry.get('oai_dc').label, 'Ours');
    assert.equal(registry.list().filter(({ name }) => name === 'oai_dc').length, 1);
    assert.equal(detect([tea], '<pot xmlns="urn:tea"/>'), 'tea');
    assert.equal(detect([], '<pot xmlns="urn:tea"/>'), 'xml');
  });

  test('of formats with the same root, the one whose test holds wins over one without a test', () => {
    const green = { ...tea, name: 'green', detect: [{ root: 't:pot', test: "/t:pot/t:sort='green'" }] };
    assert.equal(detect([tea, green], '<pot xmlns="urn:tea"><sort>green</sort></pot>'), 'green');
    assert.equal(detect([tea, green], '<pot xmlns="urn:tea"><sort>black</sort></pot>'), 'tea');
    assert.equal(detect([green], '<pot xmlns="urn:tea"><sort>black</sort></pot>'), 'xml');
  });

  test('a root without prefix is in no namespace', () => {
    const plain = { ...tea, detect: [{ root: 'pot' }] };
    assert.equal(detect([plain], '<pot/>'), 'tea');
    assert.equal(detect([plain], '<pot xmlns="urn:tea"/>'), 'xml');
  });

  test('an unknown name is refused with the known ones', () => {
    assert.throws(() => createFormatRegistry().get('marc'), {
      code: 'format.unknown',
      message: /oai_dc, dif10/,
    });
  });

  test('roots of records are known by namespace and name; collections and any other XML are none', () => {
    const registry = createFormatRegistry([tea]);
    assert.ok(registry.isRecordRoot('http://www.isotc211.org/2005/gmd', 'MD_Metadata'));
    assert.ok(registry.isRecordRoot('http://gcmd.gsfc.nasa.gov/Aboutus/xml/dif/', 'DIF'));
    assert.ok(registry.isRecordRoot('http://www.loc.gov/mods/v3', 'mods'));
    assert.ok(registry.isRecordRoot('urn:tea', 'pot'));
    assert.ok(!registry.isRecordRoot('http://www.loc.gov/mods/v3', 'modsCollection'));
    assert.ok(!registry.isRecordRoot('', 'MD_Metadata'));
    assert.ok(!registry.isRecordRoot('', 'resource'));
    assert.ok(!registry.isRecordRoot('http://www.openarchives.org/OAI/2.0/', 'OAI-PMH'));
  });

  test('all built-in fields are those of the common table, none with a reserved name', () => {
    const specs = createFormatRegistry().fieldSpecs();
    const byName = (one: { name: string }, other: { name: string }) => one.name.localeCompare(other.name);
    assert.deepEqual(specs.toSorted(byName), Object.values(COMMON_FIELDS).toSorted(byName));
    for (const { name } of specs) assert.ok(!RESERVED_FIELDS.some((reserved) => reserved === name));
  });

  test('two formats that define a field differently are refused, both named', () => {
    const odd = { ...tea, fields: [{ ...common('title', ['/*']), weight: 2 }] };
    assert.throws(() => createFormatRegistry([odd]), {
      code: 'config.invalid',
      message: 'the formats "tea" and "oai_dc" define the field "title" differently (weight: 2 and 10)',
    });
  });

  test('reserved field names and unknown prefixes are refused', () => {
    const reserved = { ...tea, fields: [{ ...common('title', ['/*']), name: 'source' }] };
    assert.throws(() => createFormatRegistry([reserved]), {
      code: 'config.invalid',
      message: /"source" is reserved/,
    });
    assert.throws(() => createFormatRegistry([{ ...tea, detect: [{ root: 'x:pot' }] }]), {
      code: 'config.invalid',
      message: /"x:pot"/,
    });
  });

  test('a field may have several entries, each with parts and joiners of its own', () => {
    using document = parseXml(
      new TextEncoder().encode(
        '<pot xmlns="urn:tea"><sort>green</sort><from>Uji</from><year>1999</year></pot>',
      ),
    );
    const { fields } = createXmlExtractor({
      ...tea,
      fields: [
        common('subject', ['/t:pot'], { parts: ['t:sort', 't:from'], joiner: ' / ' }),
        common('subject', ['/t:pot/t:none', '/t:pot/t:from', '/t:pot/t:sort'], { firstPath: true }),
        common('subject', ['/t:pot'], { parts: ['t:year', 't:sort'], joiner: '-' }),
      ],
    })(document);
    assert.deepEqual(fields, { subject: ['green / Uji', 'Uji', '1999-green'] });
  });
});
