import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { parseSmallTree, type SmallElement } from '../../xml/small-tree.ts';
import { readXmlQuery } from './read-xmlquery.ts';
import { writeXmlQuery } from './write-xmlquery.ts';
import { QUERY_TOKEN_ROLES, XMLQUERY_DEFAULTS, type XmlQuery } from './xmlquery.ts';

const QUERY: XmlQuery = {
  ...XMLQUERY_DEFAULTS,
  id: 'q-1',
  parentIds: ['p'],
  childIds: ['c1', 'c2'],
  revisionNotes: ['first'],
  mimeAccept: ['image/png', 'image/*'],
  expression: 'TARGET_NAME = IO & LINES > 800',
  statistics: [{ url: 'http://a.example/prof', timeMs: 12 }],
  select: [{ role: 'elemName', value: 'LINES' }],
  from: [],
  where: [
    { role: 'elemName', value: 'TARGET_NAME' },
    { role: 'LITERAL', value: ' IO <1> ' },
    { role: 'RELOP', value: 'EQ' },
  ],
  resultSet: [
    {
      id: 'r1',
      mediaType: 'text/plain',
      profileId: 'p1',
      resourceId: 'urn:x:1',
      header: [{ name: 'LINES', type: 'INTEGER', unit: 'pixel' }, { name: 'ID' }],
      classified: true,
      validityMs: 5000,
      content: Buffer.from('  a & b\n'),
    },
  ],
};

const read = (text: string): XmlQuery => readXmlQuery(Buffer.from(text));
const namesIn = (element: SmallElement | undefined): string[] =>
  element?.children.map(({ name }) => name) ?? [];

test('what is written stands in the order of the DTD', () => {
  const root = parseSmallTree(Buffer.from(writeXmlQuery(QUERY)));
  assert.deepEqual(namesIn(root), [
    'queryAttributes',
    'queryResultModeId',
    'queryPropogationType',
    'queryPropogationLevels',
    'queryMimeAccept',
    'queryMimeAccept',
    'queryMaxResults',
    'queryResults',
    'queryKWQString',
    'queryStatistics',
    'querySelectSet',
    'queryFromSet',
    'queryWhereSet',
    'queryResultSet',
  ]);
  assert.deepEqual(namesIn(root?.children[0]), [
    'queryId',
    'queryTitle',
    'queryDesc',
    'queryType',
    'queryStatusId',
    'querySecurityType',
    'queryParentId',
    'queryChildId',
    'queryChildId',
    'queryRevisionNote',
    'queryDataDictId',
  ]);
  const result = root?.children.at(-1)?.children[0];
  assert.deepEqual(namesIn(result), [
    'resultId',
    'resultMimeType',
    'profId',
    'identifier',
    'resultHeader',
    'resultValue',
  ]);
});

const text = fc
  .string({ unit: 'grapheme', maxLength: 10 })
  .map((value) => value.replace(/[\x00-\x1f\ufffe\uffff]/g, '').trim())
  .filter((value) => value !== '');
const record = <T>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record(model, { noNullPrototype: true });
const tokens = fc.array(record({ role: fc.constantFrom(...QUERY_TOKEN_ROLES), value: text }), {
  maxLength: 4,
});
const bytes = fc.uint8Array({ maxLength: 30 }).map((array) => Buffer.from(array));
const result = fc
  .record({
    id: text,
    profileId: text,
    resourceId: text,
    header: fc.array(
      fc
        .record({ name: text, type: text, unit: text }, { requiredKeys: ['name'] })
        .map((head) => ({ ...head })),
      { maxLength: 2 },
    ),
    classified: fc.boolean(),
    validityMs: fc.integer({ min: -1, max: 1e12 }),
    payload: fc.oneof(
      fc.record({
        mediaType: fc.constantFrom('image/png', 'application/pdf', 'text/html', 'text/css'),
        content: bytes,
      }),
      fc.record({
        mediaType: fc.constantFrom('text/plain', 'text/xml', 'application/vnd.jpl.large-product'),
        content: text.map((value) => Buffer.from(`  ${value}\n\t`)),
      }),
    ),
  })
  .map(({ payload, ...rest }) => ({ ...rest, ...payload }));

const anyQuery: fc.Arbitrary<XmlQuery> = record({
  id: text,
  title: text,
  description: text,
  type: text,
  status: text,
  securityType: text,
  parentIds: fc.array(text, { maxLength: 2 }),
  childIds: fc.array(text, { maxLength: 2 }),
  revisionNotes: fc.array(text, { maxLength: 2 }),
  dataDictionaryId: text,
  resultMode: text,
  propagationType: text,
  propagationLevels: text,
  mimeAccept: fc.array(text, { minLength: 1, maxLength: 3 }),
  maxResults: fc.nat(),
  results: fc.nat(),
  expression: text,
  statistics: fc.array(record({ url: text, timeMs: fc.nat() }), { maxLength: 2 }),
  select: tokens,
  from: tokens,
  where: tokens,
  resultSet: fc.array(result, { maxLength: 2 }),
});

test('reading what was written gives the same query, its results byte by byte', () => {
  fc.assert(
    fc.property(anyQuery, (query) => assert.deepEqual(read(writeXmlQuery(query)), query)),
    { numRuns: 150 },
  );
  assert.deepEqual(read(writeXmlQuery(QUERY)), QUERY);
});

test('a DTD may be named, but is never more than a name', () => {
  const body = '<query><queryKWQString>a = 1</queryKWQString></query>';
  const named = `<?xml version="1.0"?>\n<!DOCTYPE query PUBLIC "-//JPL//DTD OODT Query 1.0//EN" "http://nowhere.invalid/query.dtd">\n${body}`;
  assert.equal(read(named).expression, 'a = 1');
  for (const subset of ['<!ENTITY a "b">', '<!ENTITY % p SYSTEM "file:///etc/passwd"> %p;', ''])
    assert.throws(() => read(`<!DOCTYPE query PUBLIC "x" "y" [${subset}]>${body}`), {
      code: 'xml.forbidden',
    });
  assert.throws(() => read(`<!DOCTYPE query [<!ENTITY a "b">]><query>&a;</query>`), {
    code: 'xml.forbidden',
  });
});

test('parts that are missing take what old servers took', () => {
  assert.deepEqual(read('<query/>'), {
    ...XMLQUERY_DEFAULTS,
    expression: '',
    select: [],
    from: [],
    where: [],
  });
});

test('other encodings are understood', () => {
  const document =
    '<?xml version="1.0" encoding="ISO-8859-1"?><query><queryKWQString>a = \u00e9</queryKWQString></query>';
  assert.equal(readXmlQuery(Buffer.from(document, 'latin1')).expression, 'a = \u00e9');
});

const REFUSED: readonly (readonly [what: string, document: string, code: string])[] = [
  ['another document', '<profile/>', 'xml.invalid'],
  ['broken XML', '<query><queryId></query>', 'xml.malformed'],
  ['a number that is none', '<query><queryMaxResults>ten</queryMaxResults></query>', 'xml.invalid'],
  [
    'a role that is none',
    '<query><queryWhereSet><queryElement><tokenRole>VERB</tokenRole></queryElement></queryWhereSet></query>',
    'xml.invalid',
  ],
  [
    'bytes that are no base64',
    '<query><queryResultSet><resultElement><resultMimeType>image/png</resultMimeType><resultValue>%%</resultValue></resultElement></queryResultSet></query>',
    'xml.invalid',
  ],
  [
    'packed text that does not unpack',
    '<query><queryResultSet><resultElement><resultMimeType>text/html</resultMimeType><resultValue>AQID</resultValue></resultElement></queryResultSet></query>',
    'xml.invalid',
  ],
  [
    'packed text that unpacks without end',
    `<query><queryResultSet><resultElement><resultMimeType>text/html</resultMimeType><resultValue>${gzipSync(Buffer.alloc(65 * 1024 * 1024)).toString('base64')}</resultValue></resultElement></queryResultSet></query>`,
    'xml.invalid',
  ],
];

for (const [what, document, code] of REFUSED) {
  test(`${what} is refused`, () => {
    assert.throws(() => read(document), { code });
  });
}

const samples = fileURLToPath(new URL('../../../../shared/oodt/xmlquery/', import.meta.url));
const skip = existsSync(samples) ? false : 'the samples are not here';

test('a document of the historic implementation is read with its results', { skip }, () => {
  const query = readXmlQuery(readFileSync(`${samples}own-generated-by-oodt.xml`));
  assert.equal(query.maxResults, 25);
  assert.equal(query.where.map(({ value }) => value).join(' '), 'TARGET MARS EQ LAT -10 GT AND');
  assert.deepEqual(query.statistics, [{ url: 'urn:eda:rmi:A', timeMs: 12 }]);
  assert.deepEqual(
    query.resultSet.map(({ content }) => Buffer.from(content).toString('latin1')),
    ['hi <there>', '<p>hello</p>', '\x01\x02\x03\x04', 'image/png 1048576'],
  );
  assert.deepEqual(query.resultSet[0]?.header, [{ name: 'LAT', type: 'real', unit: 'deg' }]);
  assert.deepEqual(read(writeXmlQuery(query)), query);
});

test('documents that name their DTD are read, broken ones refused', { skip }, () => {
  assert.equal(
    readXmlQuery(readFileSync(`${samples}unit-test-bad-host.xml`)).select[0]?.value,
    'SPECIMEN_COLLECTED_CODE',
  );
  assert.equal(readXmlQuery(readFileSync(`${samples}doc-servlet-sample-3.xml`)).where.length, 3);
  assert.throws(() => readXmlQuery(readFileSync(`${samples}doc-servlet-sample-2.xml`)), {
    code: 'xml.malformed',
  });
});
