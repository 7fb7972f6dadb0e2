import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type RdfSyntax, rdfSyntaxOf, readRdf } from './read-rdf.ts';
import type { Triple } from './triple.ts';

const TURTLE = `
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix ex: <http://example.org/space#> .
ex:Image rdfs:subClassOf ex:Product ; rdfs:label "Bild"@de , "image" ; ex:lines 800 .
<#local> ex:made [ ex:by "x" ] .
`;
const RDF_XML = `<?xml version="1.0"?>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#" xmlns:ex="http://example.org/space#">
  <rdf:Description rdf:about="http://example.org/space#Image">
    <rdfs:subClassOf rdf:resource="http://example.org/space#Product"/>
    <rdfs:label xml:lang="de">Bild</rdfs:label>
    <rdfs:label>image</rdfs:label>
    <ex:lines rdf:datatype="http://www.w3.org/2001/XMLSchema#integer">800</ex:lines>
  </rdf:Description>
  <rdf:Description rdf:about="#local"><ex:made><rdf:Description><ex:by>x</ex:by></rdf:Description></ex:made></rdf:Description>
</rdf:RDF>`;
const JSON_LD = JSON.stringify({
  '@context': {
    rdfs: 'http://www.w3.org/2000/01/rdf-schema#',
    ex: 'http://example.org/space#',
    subClassOf: { '@id': 'rdfs:subClassOf', '@type': '@id' },
  },
  '@graph': [
    {
      '@id': 'ex:Image',
      subClassOf: 'ex:Product',
      'rdfs:label': [{ '@value': 'Bild', '@language': 'de' }, 'image'],
      'ex:lines': 800,
    },
    { '@id': '#local', 'ex:made': { 'ex:by': 'x' } },
  ],
});

const SAMPLES: readonly (readonly [RdfSyntax, string])[] = [
  ['turtle', TURTLE],
  ['rdfxml', RDF_XML],
  ['jsonld', JSON_LD],
];
const baseIri = 'http://example.org/base';
const read = (syntax: RdfSyntax, text: string | Uint8Array) =>
  readRdf(typeof text === 'string' ? Buffer.from(text) : text, { syntax, baseIri, scope: 'f0.' });

/** Blank nodes have names that a parser chose. */
const written = (triples: readonly Triple[]): string[] =>
  triples
    .map(({ subject, predicate, object }) =>
      JSON.stringify([subject, predicate, object], (_, value) =>
        typeof value === 'object' && value?.kind === 'blank' ? { kind: 'blank' } : value,
      ),
    )
    .sort();

test('the three syntaxes give the same triples', async () => {
  const [turtle, ...others] = await Promise.all(SAMPLES.map(async ([syntax, text]) => read(syntax, text)));
  assert.ok(turtle);
  assert.equal(turtle.length, 6);
  for (const other of others) assert.deepEqual(written(other), written(turtle));
  assert.ok(
    turtle.some(
      ({ object }) => object.kind === 'literal' && object.language === 'de' && object.value === 'Bild',
    ),
  );
  assert.ok(turtle.some(({ subject }) => subject.value === 'http://example.org/base#local'));
});

test('a number in JSON-LD that has a type is read as a text of that type', async () => {
  const datatype = 'http://www.w3.org/2001/XMLSchema#nonNegativeInteger';
  const document = { '@id': 'http://a/x', 'http://a/p': { '@value': 1, '@type': datatype } };
  const [triple] = await readRdf(Buffer.from(JSON.stringify(document)), {
    syntax: 'jsonld',
    baseIri: 'http://a/',
  });
  assert.deepEqual(triple?.object, { kind: 'literal', value: '1', datatype });
});

test('blank nodes carry the scope of their document', async () => {
  for (const [syntax, text] of SAMPLES) {
    const made = (await read(syntax, text)).find(({ predicate }) => predicate.endsWith('#made'));
    assert.equal(made?.object.kind, 'blank');
    assert.match(made.object.value, /^f0\../);
  }
});

for (const [syntax, text] of SAMPLES) {
  test(`${syntax} that breaks off is refused`, async () => {
    await assert.rejects(read(syntax, text.slice(0, text.length - 12)), {
      code: syntax === 'rdfxml' ? 'xml.malformed' : 'rdf.malformed',
    });
  });
}

test('well-formed XML that is no RDF is refused', async () => {
  const text = RDF_XML.replace('rdf:about="#local"', 'rdf:about="#local" rdf:bagID="x y"');
  await assert.rejects(read('rdfxml', text), { code: 'rdf.malformed' });
});

test('bytes that are not UTF-8 are refused', async () => {
  await assert.rejects(read('turtle', Buffer.from([0x3c, 0xff, 0x3e])), { code: 'rdf.malformed' });
});

test('a JSON-LD context on another host is named and not fetched', async () => {
  for (const context of [
    'https://contexts.example.org/a.jsonld',
    [{}, 'https://contexts.example.org/a.jsonld'],
  ])
    await assert.rejects(read('jsonld', JSON.stringify({ '@context': context, name: 'x' })), {
      code: 'rdf.remote',
      details: { url: 'https://contexts.example.org/a.jsonld' },
    });
  await assert.rejects(
    read(
      'jsonld',
      JSON.stringify({ '@context': { '@version': 1.1, '@import': 'http://a.example/c' }, b: 1 }),
    ),
    { code: 'rdf.remote' },
  );
});

test('RDF/XML with a DOCTYPE is refused', async () => {
  const text = RDF_XML.replace('<rdf:RDF', '<!DOCTYPE rdf:RDF [<!ENTITY e "x">]><rdf:RDF');
  await assert.rejects(read('rdfxml', text), { code: 'xml.forbidden' });
});

test('a document over the limit is refused', async () => {
  await assert.rejects(readRdf(Buffer.from(TURTLE), { syntax: 'turtle', baseIri, maxBytes: 10 }), {
    code: 'xml.too-large',
  });
});

test('the ending of a file tells its syntax', () => {
  assert.deepEqual(['a.ttl', 'b.OWL', 'c.rdf', 'd.jsonld', 'e.txt', 'f'].map(rdfSyntaxOf), [
    'turtle',
    'rdfxml',
    'rdfxml',
    'jsonld',
    undefined,
    undefined,
  ]);
});
