import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Triple } from '../../formats/rdf/triple.ts';
import { createHierarchy } from './hierarchy.ts';
import { createInference, describePath } from './infer-attributes.ts';
import { readTurtle, SPACE, SPACE_TURTLE } from './ontologies.fixture.ts';
import { buildOntology, type Ontology } from './ontology.ts';
import { IRI } from './vocabulary.ts';

function infer(ontology: Ontology, name: string, hops: number): Record<string, string> {
  const hierarchy = createHierarchy(ontology);
  return Object.fromEntries(
    createInference(ontology, hierarchy)(SPACE + name, { hops }).map(({ attribute, path }) => [
      attribute.name,
      describePath(hierarchy, path),
    ]),
  );
}

test('an image gains the attributes of the instrument that produces it, each with its path', async () => {
  const ontology = await readTurtle(SPACE_TURTLE);
  assert.deepEqual(infer(ontology, 'image', 1), {
    lines: '',
    line_samples: '',
    product_id: '',
    filter_name: 'image ← produces ← instrument',
    exposure_duration: 'image ← produces ← instrument',
    target_name: 'image → shows → target',
  });
});

test('the limit of hops decides how far inference goes', async () => {
  const ontology = await readTurtle(SPACE_TURTLE);
  assert.deepEqual(Object.keys(infer(ontology, 'image', 0)), ['lines', 'line_samples', 'product_id']);
  assert.equal(
    infer(ontology, 'image', 2).mission_name,
    'image ← produces ← instrument ← carries ← spacecraft',
  );
  assert.equal(infer(ontology, 'image', 1).mission_name, undefined);
  assert.equal(infer(ontology, 'target', 9).mission_name?.split(' ').at(-1), 'spacecraft');
});

test('a special class inherits attributes and relations; what belongs to a special class is not given to all', async () => {
  const ontology = await readTurtle(SPACE_TURTLE);
  assert.equal(infer(ontology, 'camera', 1).mission_name, 'camera ← carries ← spacecraft');
  assert.equal(infer(ontology, 'camera', 0).filter_name, '');
  assert.equal(infer(ontology, 'image', 8).camera_gain, undefined);
});

test('relations in a circle end, and a class that is not there has nothing', async () => {
  const ontology = await readTurtle(`
    :a a owl:Class . :b a owl:Class . :p a owl:ObjectProperty ; rdfs:domain :a, :b ; rdfs:range :a, :b .
    :x a owl:DatatypeProperty ; rdfs:domain :b . :a rdfs:subClassOf :b . :b rdfs:subClassOf :a .`);
  assert.deepEqual(infer(ontology, 'a', 100), { x: '' });
  assert.deepEqual(infer(ontology, 'none', 100), {});
});

const name = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const edges = fc.array(fc.tuple(name, name), { maxLength: 7 });
const iri = (value: string) => ({ kind: 'iri' as const, value: SPACE + value });

test('inference finds what walking all ways finds', () => {
  fc.assert(
    fc.property(edges, edges, fc.integer({ min: 0, max: 3 }), (subclasses, relations, hops) => {
      const triples: Triple[] = [
        ...['a', 'b', 'c', 'd', 'e'].flatMap((letter) => [
          {
            subject: iri(letter),
            predicate: IRI.type,
            object: { kind: 'iri' as const, value: IRI.owlClass },
          },
          { subject: iri(`of_${letter}`), predicate: IRI.domain, object: iri(letter) },
        ]),
        ...subclasses.map(([low, high]) => ({
          subject: iri(low),
          predicate: IRI.subClassOf,
          object: iri(high),
        })),
        ...relations.flatMap(([from, to], i) => [
          { subject: iri(`r${i}`), predicate: IRI.domain, object: iri(from) },
          { subject: iri(`r${i}`), predicate: IRI.range, object: iri(to) },
        ]),
      ];
      const up = (start: string, seen: readonly string[] = []): string[] => [
        start,
        ...subclasses
          .filter(([low]) => low === start && !seen.includes(start))
          .flatMap(([, high]) => up(high, [...seen, start])),
      ];
      const reach = (start: string, left: number): string[] => {
        const here = up(start);
        const next = relations.flatMap(([from, to]) => [
          ...(here.includes(from) ? [to] : []),
          ...(here.includes(to) ? [from] : []),
        ]);
        return [...here, ...(left === 0 ? [] : next.flatMap((other) => reach(other, left - 1)))];
      };
      const found = Object.keys(infer(buildOntology(triples), 'a', hops)).sort();
      assert.deepEqual(
        found,
        [...new Set(reach('a', hops))].sort().map((letter) => `of_${letter}`),
      );
    }),
    { numRuns: 200 },
  );
});
