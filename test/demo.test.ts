/** The demo collection: what is shipped must be worth showing. */
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { sep } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { loadConfig } from '../src/core/config.ts';
import type { BoxValue, Fields, IntervalValue } from '../src/core/model.ts';
import { createFormatRegistry } from '../src/formats/registry.ts';
import { createExtraction, type ExtractedRecord } from '../src/harvest/extract-record.ts';
import { readEntry } from '../src/harvest/files/read-entry.ts';
import { walkPaths } from '../src/harvest/files/walk.ts';
import { createCatalogue } from '../src/query/catalogue.ts';
import { parseQuery } from '../src/query/parse.ts';
import { parseXml } from '../src/xml/engine.ts';
import { compileSchema } from '../src/xml/xsd.ts';

const demo = fileURLToPath(new URL('../demo', import.meta.url));
const schemas = fileURLToPath(new URL('../../shared/standards/xsd', import.meta.url));
const formats = createFormatRegistry();
const isRecord = (namespace: string, localName: string) => formats.isRecordRoot(namespace, localName);

async function readDemo() {
  const extract = createExtraction({ formats, validation: 'report' });
  const records: ExtractedRecord[] = [];
  const problems: string[] = [];
  for await (const finding of walkPaths(['ocean', 'sky', 'library'].map((name) => `${demo}/${name}`))) {
    if (finding.kind !== 'entry') {
      problems.push(`${finding.kind}: ${finding.name}`);
      continue;
    }
    for await (const event of readEntry(finding.entry, undefined, isRecord, () => {})) {
      if (event.kind === 'problem') problems.push(`${event.problem.where}: ${event.problem.message}`);
      if (event.kind !== 'piece') continue;
      const { record, problems: found } = extract(event.piece);
      if (record) records.push(record);
      problems.push(...found.map(({ where, message }) => `${where}: ${message}`));
    }
  }
  return { records, problems };
}

const { records, problems } = await readDemo();
const valuesOf = (name: keyof Fields) => records.flatMap(({ document }) => document.fields[name] ?? []);

describe('the demo collection', () => {
  it('is read without a single problem', () => {
    assert.deepEqual(problems, []);
    assert.equal(records.length, 61);
    assert.equal(new Set(records.map(({ identifier }) => identifier)).size, 61);
  });

  it('shows every built-in format', () => {
    assert.deepEqual([...new Set(records.map(({ format }) => format))].sort(), [
      'csw-record',
      'datacite',
      'dif10',
      'dif9',
      'iso19115-3',
      'iso19139',
      'mods',
      'oai_dc',
      'ogc-record',
      'stac-item',
    ]);
  });

  it('gives every record a title, a description, a date and subjects', () => {
    for (const { identifier, document } of records)
      for (const field of ['title', 'description', 'date', 'subject', 'publisher'])
        assert.ok((document.fields[field] ?? []).length > 0, `${identifier} has no ${field}`);
  });

  it('spans the globe and the years, across the antimeridian and over both poles', () => {
    const boxes = valuesOf('bbox') as BoxValue[];
    assert.ok(boxes.length >= 40);
    assert.ok(boxes.filter(({ west, east }) => west > east).length >= 3);
    assert.ok(boxes.some(({ north }) => north === 90));
    assert.ok(boxes.some(({ south }) => south <= -78));
    const starts = (valuesOf('time') as IntervalValue[]).map(({ start }) => start ?? '').sort();
    assert.ok(starts.length >= 45);
    assert.match(starts[0] ?? '', /^1850/);
    assert.match(starts.at(-1) ?? '', /^2026/);
  });

  it('has facets worth opening', () => {
    const counts = Object.groupBy(valuesOf('subject') as string[], (subject) => subject);
    for (const subject of ['climate', 'history of science', 'remote sensing', 'biodiversity', 'maps'])
      assert.ok((counts[subject]?.length ?? 0) >= 5, subject);
    assert.ok(new Set(valuesOf('language')).size >= 5);
  });

  it('has a config whose sources exist and whose views parse', () => {
    const config = loadConfig(`${demo}/garner.yaml`, {});
    const { planets, ...collections } = config.sources;
    assert.equal(planets?.kind, 'push');
    assert.deepEqual(Object.keys(collections), ['ocean', 'sky', 'library']);
    for (const source of Object.values(collections)) {
      assert.ok(source.kind === 'files');
      for (const one of source.path) assert.ok(existsSync(one), one);
    }
    for (const { query } of Object.values(config.views))
      assert.ok(parseQuery(query ?? '', createCatalogue(formats.fieldSpecs())));
  });
});

describe('the demo files are valid', () => {
  const cases = [
    ['iso19139', 'iso19139/20070417/gmd/gmd.xsd', 9],
    ['dif9', 'dif/dif_v9.9.3.xsd', 6],
    ['dif10', 'dif/dif_v10.2.xsd', 5],
    ['oai-dc', 'oai/oai_dc.xsd', 7],
    ['mods', 'mods/mods-3-7.xsd', 8],
  ] as const;
  for (const [folder, xsd, count] of cases) {
    it(`as ${folder}`, (t: TestContext) => {
      if (!existsSync(schemas)) return t.skip('the schemas in ../shared are not here');
      using schema = compileSchema(`${schemas}/${xsd}`, { root: schemas });
      const files = globSync(`*${sep}${folder}${sep}*.xml`, { cwd: demo });
      assert.equal(files.length, count);
      for (const file of files) {
        using document = parseXml(readFileSync(`${demo}/${file}`));
        assert.deepEqual(schema.validate(document), [], file);
      }
    });
  }
});
