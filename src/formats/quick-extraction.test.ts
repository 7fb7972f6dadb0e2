import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { compilePath, parseXml } from '../xml/engine.ts';
import { RecordDocument } from '../xml/record-document.ts';
import { createXmlExtractor } from './extract-xml.ts';
import { createFormatRegistry } from './registry.ts';

const formats = createFormatRegistry();
const xmlFormats = formats.list().filter(({ syntax }) => syntax === 'xml');

test('records of the most frequent formats need no libxml2', () => {
  for (const name of ['oai_dc', 'dif9', 'dif10', 'iso19139', 'iso19115-3', 'csw-record']) {
    const { identifier, fields, namespaces } = formats.get(name);
    const paths = [...identifier, ...fields.flatMap(({ paths: own, parts = [] }) => [...own, ...parts])];
    for (const path of paths) {
      const compiled = compilePath(path, namespaces);
      assert.ok(compiled.quick, `${name}: ${path}`);
      compiled.dispose();
    }
  }
});

const SAMPLES = fileURLToPath(new URL('../../../shared/data', import.meta.url));
const absent = existsSync(SAMPLES) ? false : 'there are no sample records beside the project';

test('every format finds in every sample what it finds with libxml2', { skip: absent }, () => {
  const extractors = xmlFormats.map((format) => ({ name: format.name, extract: createXmlExtractor(format) }));
  const files = readdirSync(SAMPLES, { recursive: true, encoding: 'utf8' });
  let compared = 0;
  for (const file of files.filter((name) => name.endsWith('.xml'))) {
    const bytes = readFileSync(`${SAMPLES}/${file}`);
    // Some of them are broken on purpose.
    const opened = openBoth(bytes);
    if (!opened) continue;
    using record = opened.record;
    using parsed = opened.parsed;
    assert.equal(formats.detectXml(record).name, formats.detectXml(parsed).name, file);
    for (const { name, extract } of extractors)
      assert.deepEqual(extract(record), extract(parsed), `${file} as ${name}`);
    compared++;
  }
  assert.ok(compared > 0);
});

/** Undefined when both refuse the document, with the same code. */
function openBoth(bytes: Uint8Array) {
  let parsed: ReturnType<typeof parseXml>;
  try {
    parsed = parseXml(bytes);
  } catch (error) {
    assert.ok(error instanceof Error && 'code' in error);
    assert.throws(() => new RecordDocument(bytes), { code: error.code });
    return undefined;
  }
  return { parsed, record: new RecordDocument(bytes) };
}
