import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { writeDif9 } from '../../formats/dif-write.ts';
import { toDublinCore } from '../../formats/dublin-core.ts';
import { createFormatRegistry } from '../../formats/registry.ts';
import { parseXml } from '../../xml/engine.ts';
import { compileSchema } from '../../xml/xsd.ts';
import { createExtraction } from '../extract-record.ts';
import { sniffContent } from './sniff.ts';
import { readTable } from './table-records.ts';

const SCHEMAS = fileURLToPath(new URL('../../../../shared/standards/xsd', import.meta.url));
const skip = existsSync(SCHEMAS) ? false : 'the schemas are not beside the project';
const schemaOf = () => compileSchema(`${SCHEMAS}/dif/dif_v9.9.3.xsd`, { root: SCHEMAS });

const TABLE = `Entry ID;Title;Summary;Topic;Topic title;Parent;Parameters;Start;Stop;West;South;East;North;Keywords;URL
ISCCP_D2;Monthly cloud cover;"Means of ""cloud"" amount; 280 km";ISCCP;Satellite clouds;;EARTH SCIENCE > ATMOSPHERE > CLOUDS > CLOUD AMOUNT;1983-07;2009-12-31;-180;-90;180;90;clouds|radiation;http://data.example/d2
ISCCP_D2.199001;January 1990;;ISCCP;;ISCCP_D2;;1990-01-01;1990-01-31;;;;;;
;No identifier;;;;;;;;;;;;;
X1;Bad date;;;;;;someday;;;;;;;
X2;Half a box;;;;;;;;1;;;;;
`;
const formats = createFormatRegistry();
const extract = createExtraction({ formats, validation: 'report' });
const piece = (bytes: Uint8Array) => ({
  bytes,
  syntax: 'xml' as const,
  where: 'table',
  line: 1,
  fallbackIdentifier: 'none',
});

test('a table is known by its first line, other CSV is left alone', () => {
  const sniff = (text: string) => sniffContent(Buffer.from(text));
  assert.equal(sniff(TABLE), 'table');
  assert.equal(sniff('\ufeffentry_id,title\r\na,b\r\n'), 'table');
  assert.equal(sniff('id,name,value\n1,2,3\n'), 'other');
  assert.equal(sniff('entry_id title'), 'other');
});

test('rows become DIF that is found by its fields, and Dublin Core of it', () => {
  const [first, second] = [...readTable(TABLE)];
  assert.ok(first && 'bytes' in first && second && 'bytes' in second);
  const { record, problems } = extract(piece(first.bytes));
  assert.deepEqual(problems, []);
  assert.equal(record?.format, 'dif9');
  assert.equal(record?.identifier, 'ISCCP_D2');
  const fields = record?.document.fields ?? {};
  assert.deepEqual(fields.project, ['ISCCP']);
  assert.deepEqual(fields.variable, ['CLOUD AMOUNT']);
  assert.deepEqual(fields.bbox, [{ west: -180, south: -90, east: 180, north: 90 }]);
  const dublinCore = toDublinCore(formats.get('dif9'), fields);
  assert.deepEqual(dublinCore.description, ['Means of "cloud" amount; 280 km']);
  assert.ok(dublinCore.subject?.includes('radiation'));
  const granule = extract(piece(second.bytes)).record;
  assert.deepEqual(granule?.document.fields.relation, ['ISCCP_D2']);
});

test('rows that cannot be records are told with their line', () => {
  const problems = [...readTable(TABLE)].flatMap((row) =>
    'problem' in row ? [`${row.line}: ${row.problem}`] : [],
  );
  assert.deepEqual(problems, [
    '4: the column entry_id is empty',
    '5: start: "someday" is no date',
    '6: west, south, east and north go together',
  ]);
});

test('every row is valid DIF', { skip }, () => {
  const schema = schemaOf();
  for (const row of readTable(TABLE)) {
    if (!('bytes' in row)) continue;
    using document = parseXml(row.bytes);
    assert.deepEqual(schema.validate(document), []);
  }
});

test('whatever is said, the DIF that we write is valid', { skip }, () => {
  const schema = schemaOf();
  const word = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 });
  const words = fc.array(word, { maxLength: 3 });
  const record = fc.record(
    {
      creators: words,
      parameters: words,
      isoTopics: words,
      keywords: words,
      instruments: words,
      platforms: words,
      places: words,
      languages: words,
      rights: word,
      parent: word,
      start: fc.constant('1999'),
      box: fc.constant({ west: 1, south: 2, east: 3, north: 4 }),
      dataCenter: fc.record({ name: word, contact: word }),
      projects: fc.array(fc.record({ shortName: word, longName: word }), { maxLength: 2 }),
      urls: fc.array(fc.record({ url: word }), { maxLength: 2 }),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(word, word, word, record, (entryId, title, summary, more) => {
      using document = parseXml(Buffer.from(writeDif9({ entryId, title, summary, ...more })));
      assert.deepEqual(schema.validate(document), []);
    }),
    { numRuns: 60 },
  );
});
