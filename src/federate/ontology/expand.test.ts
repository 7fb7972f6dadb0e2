import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { QueryNode } from '../../query/ast.ts';
import { parseDis } from '../../query/dis/parse-dis.ts';
import { writeDis } from '../../query/dis/write-dis.ts';
import { PLANETARY } from '../dictionary/dictionaries.fixture.ts';
import { createElementIndex } from '../dictionary/element-index.ts';
import { expandQuery } from './expand-query.ts';
import { expandName, expandTerm } from './expansions.ts';
import { createHierarchy } from './hierarchy.ts';
import { loadOntology } from './load-ontology.ts';
import { readTurtle, SYSTEMS_TURTLE } from './ontologies.fixture.ts';
import type { Ontology } from './ontology.ts';

const texts = (ontology: Ontology, text: string): string[] =>
  expandTerm(ontology, createHierarchy(ontology), text).map((expansion) => expansion.text);

test('“UNIX compatible” finds Linux and Solaris, and not what stands above or beside', async () => {
  const ontology = await readTurtle(SYSTEMS_TURTLE);
  assert.deepEqual(texts(ontology, 'UNIX compatible').toSorted(), [
    'Debian',
    'GNU/Linux',
    'Linux',
    'POSIX',
    'Solaris',
    'SunOS 5',
    'UNIX-like',
    'unix',
  ]);
  assert.deepEqual(texts(ontology, 'unix-COMPATIBLE').length, 8);
  assert.deepEqual(texts(ontology, 'debian'), []);
  assert.deepEqual(texts(ontology, 'VMS'), []);
});

test('an expansion tells its way', async () => {
  const ontology = await readTurtle(SYSTEMS_TURTLE);
  const debian = expandTerm(ontology, createHierarchy(ontology), 'POSIX').find(
    ({ text }) => text === 'Debian',
  );
  assert.deepEqual(debian?.path, ['POSIX', 'UNIX compatible', 'Linux', 'Debian']);
});

test('a term that stands for too many is refused, not cut', async () => {
  const many = Array.from({ length: 1001 }, (_, i) => `:c${i} rdfs:subClassOf :all .`).join('\n');
  const ontology = await readTurtle(many);
  assert.throws(() => texts(ontology, 'all'), { code: 'query.too-broad' });
});

test('names of attributes expand by dictionaries and by special and equivalent properties', async () => {
  const ontology = await readTurtle(`
    :when a owl:DatatypeProperty . :start_time a owl:DatatypeProperty ; rdfs:subPropertyOf :when .
    :begin owl:equivalentProperty :start_time . :begin a owl:DatatypeProperty . :when_class a owl:Class ; rdfs:label "when" .`);
  const elements = createElementIndex([PLANETARY]);
  const names = (name: string) => expandName(ontology, createHierarchy(ontology), elements, name);
  assert.deepEqual(names('WHEN'), ['start_time', 'begin']);
  assert.deepEqual(names('start_time'), ['begin']);
  assert.deepEqual(names('integration_time'), ['EXPOSURE_DURATION']);
  assert.deepEqual(names('exposure_duration'), ['integration time']);
  assert.deepEqual(names('lines'), []);
});

const expansions = {
  values: (value: string) => (value.toLowerCase() === 'unix' ? ['Linux', 'Open Solaris'] : []),
  fields: (name: string) => (name === 'os' ? ['platform'] : []),
};

test('conditions of DIS become any of what is meant, also below NOT', () => {
  const cases: readonly (readonly [string, string])[] = [
    [
      'os = UNIX AND cores > 4',
      '(os = UNIX OR platform = UNIX OR os = Linux OR platform = Linux OR os = "Open Solaris" OR platform = "Open Solaris") AND cores > 4',
    ],
    ['NOT x = unix', 'NOT (x = unix OR x = Linux OR x = "Open Solaris")'],
    ['x != unix', 'x != unix'],
    ['os LIKE un%', 'os LIKE un% OR platform LIKE un%'],
    ['os ISNOT NULL', 'os ISNOT NULL OR platform ISNOT NULL'],
    ['a = 1 OR b = 2', 'a = 1 OR b = 2'],
  ];
  for (const [given, expanded] of cases)
    assert.equal(writeDis(expandQuery(parseDis(given).query, expansions)), expanded);
});

test('words become words or phrases; what cannot be meant otherwise stays', () => {
  const term: QueryNode = { type: 'boost', factor: 2, of: { type: 'term', text: 'Unix' } };
  assert.deepEqual(expandQuery(term, expansions), {
    type: 'boost',
    factor: 2,
    of: {
      type: 'or',
      of: [
        { type: 'term', text: 'Unix' },
        { type: 'term', text: 'Linux' },
        { type: 'phrase', text: 'Open Solaris', slop: 0 },
      ],
    },
  });
  const range: QueryNode = { type: 'range', field: 'os', from: { value: 'unix', inclusive: true } };
  assert.deepEqual(expandQuery(range, expansions), {
    type: 'or',
    of: [range, { ...range, field: 'platform' }],
  });
  for (const node of [{ type: 'all' }, { type: 'fuzzy', text: 'unix', distance: 1 }] as const)
    assert.equal(expandQuery(node, expansions), node);
  const value: QueryNode = { type: 'value', field: 'x', value: 'unix' };
  assert.deepEqual(expandQuery(value, { ...expansions, values: () => ['A'] }), {
    type: 'or',
    of: [value, { type: 'value', field: 'x', value: 'A' }],
  });
});

test('files of all syntaxes are one ontology, and a broken one is named', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'garner-ontology-'));
  try {
    writeFileSync(
      join(folder, 'a.ttl'),
      '<http://e.example/b> <http://www.w3.org/2000/01/rdf-schema#subClassOf> <http://e.example/a> .',
    );
    writeFileSync(
      join(folder, 'b.jsonld'),
      JSON.stringify({ '@id': 'http://e.example/a', 'http://www.w3.org/2000/01/rdf-schema#label': 'top' }),
    );
    const { ontology } = await loadOntology([join(folder, 'a.ttl'), join(folder, 'b.jsonld')]);
    assert.deepEqual(texts(ontology, 'top'), ['a', 'b']);
    writeFileSync(join(folder, 'c.jsonld'), '{"@context": "https://c.example/"}');
    await assert.rejects(loadOntology([join(folder, 'c.jsonld')]), {
      code: 'rdf.remote',
      message: 'c.jsonld: the context https://c.example/ is not fetched',
    });
    await assert.rejects(loadOntology([join(folder, 'd.doc')]), { code: 'rdf.malformed' });
    await assert.rejects(loadOntology([join(folder, 'none.ttl')]), /none\.ttl/);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
