import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTurtle, SPACE, SPACE_TURTLE } from './ontologies.fixture.ts';

const local = (iris: Iterable<string>): string[] => [...iris].map((iri) => iri.replace(SPACE, '')).sort();

test('classes, attributes and relations are told apart', async () => {
  const { classes, attributes, relations, terms } = await readTurtle(SPACE_TURTLE);
  assert.deepEqual(local(classes.keys()), [
    'camera',
    'image',
    'instrument',
    'product',
    'spacecraft',
    'target',
  ]);
  assert.deepEqual(local(relations.keys()), ['carries', 'produces', 'shown_by', 'shows']);
  assert.equal(attributes.size, 8);
  assert.equal(terms.size, 0);
});

test('a property without a kind is a relation when it leads to a class, else an attribute', async () => {
  const { attributes, relations, classes } = await readTurtle(`
    :a a rdfs:Class . :b rdfs:subClassOf :a .
    :to_class a rdf:Property ; rdfs:domain :a ; rdfs:range :b .
    :to_text a rdf:Property ; rdfs:domain :a ; rdfs:range xsd:string .
    :bare a rdf:Property ; rdfs:domain :c .
    :angle a rdfs:Datatype . :turned rdfs:domain :a ; rdfs:range :angle .`);
  assert.deepEqual(local(relations.keys()), ['to_class']);
  assert.deepEqual(local(attributes.keys()), ['bare', 'to_text', 'turned']);
  assert.deepEqual(local(classes.keys()), ['a', 'b', 'c']);
});

test('labels: English or without a language first; the others are synonyms', async () => {
  const { classes, attributes } = await readTurtle(`
    :image a owl:Class ; rdfs:label "Bild"@de, "image"@en ; skos:altLabel "picture" ; skos:notation "IMG" ;
      rdfs:comment "Lines and samples." .
    :nur_deutsch a owl:Class ; rdfs:label "Nur deutsch"@de .
    <http://example.org/terms/f%C3%BClle> a owl:DatatypeProperty .`);
  const image = classes.get(`${SPACE}image`);
  assert.equal(image?.label, 'image');
  assert.deepEqual(image.synonyms, ['Bild', 'picture', 'IMG']);
  assert.equal(image.comment, 'Lines and samples.');
  assert.equal(classes.get(`${SPACE}nur_deutsch`)?.label, 'Nur deutsch');
  assert.deepEqual(
    [...attributes.values()].map(({ name, label }) => [name, label]),
    [['fülle', 'fülle']],
  );
});

test('domains and ranges come from the inverse, from unions, from restrictions and from what is specialised', async () => {
  const { attributes, relations } = await readTurtle(`
    :made a owl:ObjectProperty ; rdfs:domain :maker ; rdfs:range [ owl:unionOf (:image :map) ] .
    :made_by owl:inverseOf :made .
    :drew a owl:ObjectProperty ; rdfs:subPropertyOf :made .
    :image rdfs:subClassOf [ a owl:Restriction ; owl:onProperty :shows ; owl:someValuesFrom :target ] .
    :shows a owl:ObjectProperty .
    :size a owl:DatatypeProperty ; rdfs:domain [ owl:unionOf (:image [ owl:unionOf (:map :globe) ]) ] .`);
  const extent = (name: string) => {
    const found = relations.get(SPACE + name) ?? attributes.get(SPACE + name);
    return [local(found?.domains ?? []), local(found?.ranges ?? [])];
  };
  assert.deepEqual(extent('made_by'), [['image', 'map'], ['maker']]);
  assert.deepEqual(extent('drew'), [['maker'], ['image', 'map']]);
  assert.deepEqual(extent('shows'), [['image'], ['target']]);
  assert.deepEqual(extent('size'), [['globe', 'image', 'map'], []]);
});

test('circles of inverses, lists and superproperties end', async () => {
  const { relations } = await readTurtle(`
    :a owl:inverseOf :b . :b owl:inverseOf :a . :a rdfs:subPropertyOf :b . :b rdfs:subPropertyOf :a .
    :c a owl:ObjectProperty ; rdfs:domain [ owl:unionOf _:l ] . _:l rdf:first :x ; rdf:rest _:l .`);
  assert.deepEqual(relations.get(`${SPACE}a`)?.domains, []);
  assert.deepEqual(local(relations.get(`${SPACE}c`)?.domains ?? []), ['x']);
});

test('what is above: superclasses, types, broader concepts; equivalents both ways; members of a union below', async () => {
  const { classes, terms } = await readTurtle(`
    :b rdfs:subClassOf :a . :b owl:equivalentClass :c . :c a owl:Class . :i a :b .
    :d owl:equivalentClass [ owl:unionOf (:e :f) ] . :e a owl:Class . :f a owl:Class .
    :g rdfs:subClassOf [ owl:intersectionOf (:a :h) ] . :h a owl:Class .
    :moon skos:broader :body . :planet a skos:Concept . :body skos:narrower :planet .`);
  const above = (name: string) =>
    local((classes.get(SPACE + name) ?? terms.get(SPACE + name))?.above ?? ['?']);
  assert.deepEqual(above('b'), ['a', 'c']);
  assert.deepEqual(above('c'), ['b']);
  assert.deepEqual(above('i'), ['b']);
  assert.deepEqual(above('e'), ['d']);
  assert.deepEqual(above('g'), ['a', 'h']);
  assert.deepEqual(above('moon'), ['body']);
  assert.deepEqual(above('planet'), ['body']);
  assert.deepEqual(above('body'), []);
});
