/** RDF that Garner writes as another library reads it, and what that one writes as Garner reads it: Python's rdflib, where it is installed. */
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { loadOntology } from '../src/federate/ontology/load-ontology.ts';
import { PROFILE_FORMS, type ProfileForm, readProfilesAs } from '../src/formats/oodt-profile/forms.ts';
import type { Profile } from '../src/formats/oodt-profile/profile.ts';
import { PRODUCTS } from './planetary-garner.ts';

const run = promisify(execFile);
const isHere = spawnSync('python3', ['-c', 'import rdflib'], { stdio: 'ignore' }).status === 0;
const skip = isHere ? false : 'rdflib is not installed: pip install rdflib';

/** Arguments: files, each with the name of its syntax; prints what differs between the first and each other one. */
const COMPARE = `
import sys
from rdflib import Graph
from rdflib.compare import graph_diff, to_isomorphic
graphs = [to_isomorphic(Graph().parse(path, format=name)) for path, name in zip(sys.argv[1::2], sys.argv[2::2])]
for other in graphs[1:]:
    _, first, second = graph_diff(graphs[0], other)
    print(first.serialize(format='nt') + second.serialize(format='nt'), end='')
print(len(graphs[0]))
`;
/** Arguments: a file, its syntax, the file and the syntax to write. Prefixes that nobody chose are made up. */
const REWRITE = `
import sys
from rdflib import Graph
graph = Graph().parse(sys.argv[1], format=sys.argv[2])
plain = Graph()
for triple in graph: plain.add(triple)
plain.serialize(sys.argv[3], format=sys.argv[4])
`;
const python = async (script: string, ...args: readonly string[]) =>
  (await run('python3', ['-c', script, ...args])).stdout.trimEnd().split('\n');

const ODD: Profile = {
  prof: {
    profId: ['urn:odd'],
    profType: ['profile'],
    profStatusId: ['active'],
    profRevisionNote: ['a', 'b'],
  },
  res: {
    Identifier: ['odd "quoted" \\ back'],
    Title: ['Ünï ✓ 𝒜 <b>&amp;'],
    Description: ['It’s “so” {braced} @en ^^ # and % more'],
    resContext: ['C'],
    resClass: ['data.odd'],
    resLocation: ['http://example.org/a b?c=d&e=%20'],
  },
  elements: [
    {
      elemName: ['N'],
      elemType: ['REAL'],
      elemEnumFlag: ['F'],
      elemMinValue: ['-1e-5'],
      elemMaxValue: ['007'],
    },
    {
      elemName: ['TEXT'],
      elemEnumFlag: ['T'],
      elemValue: ['1996-06', 'true', 'x'],
      elemUnit: ['°'],
    },
  ],
};

const ONTOLOGY = `
@prefix x-1: <http://example.org/space#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
<http://example.org/space> a owl:Ontology ; owl:imports <http://nowhere.example/upper>, <http://example.org/space> .
x-1:image a owl:Class ; rdfs:subClassOf x-1:product,
  [ a owl:Restriction ; owl:onProperty x-1:lines ; owl:cardinality 1 ] .
x-1:product a owl:Class ; rdfs:subClassOf x-1:thing .
x-1:thing a owl:Class ; rdfs:subClassOf x-1:image ; rdfs:label "Ding"@de, "thing"@en .
x-1:instrument a owl:Class .
x-1:produces a owl:ObjectProperty ; rdfs:domain x-1:instrument ;
  rdfs:range [ a owl:Class ; owl:unionOf ( x-1:image [ owl:unionOf ( x-1:product ) ] ) ] .
x-1:filter_name a owl:DatatypeProperty ; rdfs:domain x-1:instrument .
x-1:lines a owl:DatatypeProperty ; rdfs:domain x-1:image .
x-1:SSI a x-1:instrument ; x-1:filter_name "RED", "GREEN" .
`;

describe('rdflib', { skip }, () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'garner-rdflib-'));
  });
  after(() => rm(folder, { recursive: true }));

  async function write(form: ProfileForm, profiles: readonly Profile[]): Promise<string> {
    const path = join(folder, `profiles.${PROFILE_FORMS[form].ending}`);
    let text = '';
    for await (const piece of PROFILE_FORMS[form].write(profiles)) text += piece;
    await writeFile(path, text);
    return path;
  }

  test('reads the same triples from Turtle and JSON-LD, and what it writes of them are the same profiles', async () => {
    const profiles = [...PRODUCTS.slice(0, 3), ODD];
    const turtle = await write('turtle', profiles);
    const jsonld = await write('jsonld', profiles);
    const [count, ...differences] = (await python(COMPARE, turtle, 'turtle', jsonld, 'json-ld')).toReversed();
    assert.deepEqual(differences, []);
    assert.ok(Number(count) > 4 * 20);
    const ours = await readProfilesAs('turtle', await readFile(turtle));
    for (const [form, name] of [
      ['turtle', 'turtle'],
      ['jsonld', 'json-ld'],
    ] as const) {
      const again = join(folder, `again.${form}`);
      await python(REWRITE, turtle, 'turtle', again, name);
      const theirs = await readProfilesAs(form, await readFile(again));
      const byId = ({ prof: a }: Profile, { prof: b }: Profile) =>
        (a.profId ?? '') < (b.profId ?? '') ? -1 : 1;
      assert.equal(plain(theirs.toSorted(byId)), plain(ours.toSorted(byId)), name);
    }
    assert.deepEqual(ours.at(-1)?.res, ODD.res);
  });

  test('writes an ontology in three ways, with prefixes of its own, that are read as one and the same', async () => {
    const source = join(folder, 'space.ttl');
    await writeFile(source, ONTOLOGY);
    const expected = await loadOntology([source]);
    assert.deepEqual([...expected.ontology.classes.keys()].map((iri) => iri.split('#')[1] ?? '').sort(), [
      'image',
      'instrument',
      'product',
      'thing',
    ]);
    assert.deepEqual([...(expected.ontology.relations.values().next().value?.ranges ?? [])].length, 2);
    for (const [ending, name] of [
      ['owl', 'xml'],
      ['rdf', 'pretty-xml'],
      ['jsonld', 'json-ld'],
      ['nt', 'nt'],
    ] as const) {
      const path = join(folder, `space-${name}.${ending}`);
      await python(REWRITE, source, 'turtle', path, name);
      const { ontology, facts } = await loadOntology([path]);
      assert.equal(plain(ontology), plain(expected.ontology), name);
      assert.equal(plain(facts), plain(expected.facts), name);
    }
  });
});

/** Graphs have no order: maps and lists are compared without one. */
const plain = (value: unknown): string => JSON.stringify(value, (_, one: unknown) => sorted(one));

function sorted(value: unknown): unknown {
  if (value instanceof Map)
    return Object.fromEntries([...value].sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)));
  if (Array.isArray(value)) return value.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  return value;
}
