import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parseXml } from './engine.ts';
import { compileSchema, type XmlSchema } from './xsd.ts';

const folder = mkdtempSync(join(tmpdir(), 'garner xsd ü '));
after(() => rmSync(folder, { recursive: true }));

const schemaText = (body: string) =>
  `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:t" xmlns="urn:t" elementFormDefault="qualified">${body}</xs:schema>`;
const TYPES = schemaText(
  `<xs:simpleType name="small"><xs:restriction base="xs:int"><xs:maxInclusive value="9"/></xs:restriction></xs:simpleType>`,
);
const list = (include: string) =>
  schemaText(
    `${include}<xs:element name="list"><xs:complexType><xs:sequence><xs:element name="n" type="small" maxOccurs="unbounded"/></xs:sequence></xs:complexType></xs:element>`,
  );

function put(name: string, text: string): string {
  const path = join(folder, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
  return path;
}

const problems = (schema: XmlSchema, xml: string | Uint8Array) => {
  using document = parseXml(Buffer.from(xml));
  return schema.validate(document);
};

test('a schema with an include tells each mistake with its line', () => {
  put('s/parts/types.xsd', TYPES);
  using schema = compileSchema(put('s/list.xsd', list('<xs:include schemaLocation="parts/types.xsd"/>')));
  assert.deepEqual(problems(schema, '<list xmlns="urn:t"><n>1</n><n>9</n></list>'), []);
  const found = problems(schema, '<list xmlns="urn:t">\n<n>1</n>\n<n>10</n>\n<n>x</n>\n<m/></list>');
  assert.deepEqual(Array.from(new Set(found.map(({ line }) => line))), [3, 4, 5]);
  assert.match(found[0]?.message ?? '', /maxInclusive|greater|maximum/);
  assert.ok(problems(schema, '<other/>').length > 0);
});

test('a document with very many mistakes gives a short list', () => {
  using schema = compileSchema(join(folder, 's/list.xsd'));
  const found = problems(schema, `<list xmlns="urn:t">${'<n>x</n>'.repeat(50_000)}</list>`);
  assert.equal(found.length, 100);
});

test('includes outside of the root are not read', () => {
  put('outside/types.xsd', TYPES);
  put('s/secret/placeholder', '');
  symlinkSync(join(folder, 'outside/types.xsd'), join(folder, 's/secret/link.xsd'));
  for (const location of [
    '../outside/types.xsd',
    'secret/link.xsd',
    join(folder, 'outside/types.xsd'),
    'http://127.0.0.1:9/types.xsd',
  ]) {
    const path = put('s/escape.xsd', list(`<xs:include schemaLocation="${location}"/>`));
    assert.throws(() => compileSchema(path), { code: 'xml.schema' }, location);
  }
  const path = put('s/escape.xsd', list('<xs:include schemaLocation="../outside/types.xsd"/>'));
  using schema = compileSchema(path, { root: folder });
  assert.deepEqual(problems(schema, '<list xmlns="urn:t"><n>1</n></list>'), []);
});

test('documents cannot name their own schema or open files after a schema was compiled', () => {
  using schema = compileSchema(join(folder, 's/list.xsd'));
  const xml = `<other xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:noNamespaceSchemaLocation="any.xsd"/>`;
  assert.ok(problems(schema, xml).length > 0);
});

test('a broken schema is refused with its path and reason', () => {
  for (const [text, reason] of [
    ['<xs:schema', /line 1/],
    [schemaText('<xs:element name="a" type="missing"/>'), /missing/],
    ['<html/>', /./],
  ] as const) {
    const path = put('s/broken.xsd', text);
    assert.throws(
      () => compileSchema(path),
      (error: Error & { code?: string }) => {
        assert.equal(error.code, 'xml.schema');
        assert.ok(error.message.includes('broken.xsd'), error.message);
        assert.match(error.message, reason);
        return true;
      },
    );
  }
  assert.throws(() => compileSchema(join(folder, 'absent.xsd')), { code: 'xml.schema' });
});

const shared = fileURLToPath(new URL('../../../shared/standards/xsd/', import.meta.url));

test('the OAI-PMH and ISO 19139 schemas compile offline and judge a record', (t) => {
  if (!existsSync(shared)) return t.skip('no schema collection beside the project');
  using schema = compileSchema(join(shared, 'drivers/oai-record-iso19139.xsd'), { root: shared });
  const record = (date: string) => `<record xmlns="http://www.openarchives.org/OAI/2.0/">
<header><identifier>oai:example.org:1</identifier>
<datestamp>${date}</datestamp></header></record>`;
  assert.deepEqual(problems(schema, record('2020-01-02')), []);
  const [found] = problems(schema, record('yesterday'));
  assert.equal(found?.line, 3);
});
