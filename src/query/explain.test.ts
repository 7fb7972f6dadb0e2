import assert from 'node:assert/strict';
import test from 'node:test';
import { CASE_FIELDS, makeCaseDocuments } from './case-documents.ts';
import { createCatalogue } from './catalogue.ts';
import { explainMatch } from './explain.ts';
import { parseQuery } from './parse.ts';

const catalogue = createCatalogue(CASE_FIELDS);

test('an explanation tells which clauses match and what the document has in the field', () => {
  const [doc] = makeCaseDocuments('values');
  assert.ok(doc);
  const node = parseQuery('depth:>9 OR NOT (code:ab-1 AND date:2004) OR updated:2020', catalogue);
  assert.deepEqual(explainMatch(node, doc, CASE_FIELDS), {
    clause: 'depth:{9 TO *] OR NOT (code:="ab-1" AND date:[2004 TO 2004]) OR updated:[2020 TO 2020]',
    type: 'or',
    matches: true,
    children: [
      { clause: 'depth:{9 TO *]', type: 'range', matches: false, note: 'depth is 5', children: [] },
      {
        clause: 'NOT (code:="ab-1" AND date:[2004 TO 2004])',
        type: 'not',
        matches: true,
        children: [
          {
            clause: 'code:="ab-1" AND date:[2004 TO 2004]',
            type: 'and',
            matches: false,
            children: [
              { clause: 'code:="ab-1"', type: 'value', matches: true, note: 'code is AB-1', children: [] },
              {
                clause: 'date:[2004 TO 2004]',
                type: 'range',
                matches: false,
                note: 'date has no value',
                children: [],
              },
            ],
          },
        ],
      },
      {
        clause: 'updated:[2020 TO 2020]',
        type: 'range',
        matches: false,
        note: 'updated is 2026-03-01T12:00:00.000Z',
        children: [],
      },
    ],
  });
});
