/** Ontologies for tests, in our own words. */
import { readRdf } from '../../formats/rdf/read-rdf.ts';
import { collectFacts } from './facts.ts';
import type { LoadedOntology } from './load-ontology.ts';
import { buildOntology, type Ontology } from './ontology.ts';

export const SPACE = 'http://example.org/space#';

const PREFIXES = `
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix : <${SPACE}> .
`;

export async function loadTurtle(text: string): Promise<LoadedOntology> {
  const triples = await readRdf(Buffer.from(PREFIXES + text), { syntax: 'turtle', baseIri: SPACE });
  const ontology = buildOntology(triples);
  return { ontology, facts: collectFacts(triples, ontology) };
}

export async function readTurtle(text: string): Promise<Ontology> {
  return (await loadTurtle(text)).ontology;
}

/** Spacecraft carry instruments, instruments produce images, images show targets. */
export const SPACE_TURTLE = `
:product a owl:Class ; rdfs:label "data product" .
:image a owl:Class ; rdfs:subClassOf :product .
:instrument a owl:Class .
:camera a owl:Class ; rdfs:subClassOf :instrument .
:spacecraft a owl:Class .
:target a owl:Class .
:produces a owl:ObjectProperty ; rdfs:domain :instrument ; rdfs:range :image .
:carries a owl:ObjectProperty ; rdfs:domain :spacecraft ; rdfs:range :instrument .
:shows a owl:ObjectProperty ; rdfs:domain :image ; rdfs:range :target .
:shown_by owl:inverseOf :shows .
:lines a owl:DatatypeProperty ; rdfs:domain :image ; rdfs:range xsd:integer .
:line_samples a owl:DatatypeProperty ; rdfs:domain :image ; rdfs:range xsd:integer .
:product_id a owl:DatatypeProperty ; rdfs:domain :product .
:filter_name a owl:DatatypeProperty ; rdfs:domain :instrument ; rdfs:label "filter"@en .
:exposure_duration a owl:DatatypeProperty ; rdfs:domain :instrument ; rdfs:range xsd:double .
:camera_gain a owl:DatatypeProperty ; rdfs:domain :camera .
:mission_name a owl:DatatypeProperty ; rdfs:domain :spacecraft .
:target_name a owl:DatatypeProperty ; rdfs:domain :target .
`;

export const SYSTEMS_TURTLE = `
:os a owl:Class ; rdfs:label "operating system" .
:unix a owl:Class ; rdfs:label "UNIX compatible" ; rdfs:subClassOf :os ; skos:altLabel "UNIX-like" .
:posix a owl:Class ; rdfs:label "POSIX" ; owl:equivalentClass :unix .
:linux a owl:Class ; rdfs:label "Linux", "GNU/Linux"@de ; rdfs:subClassOf :unix .
:solaris a :unix ; rdfs:label "Solaris" ; skos:altLabel "SunOS 5" .
:debian a :linux ; rdfs:label "Debian" .
:windows a owl:Class ; rdfs:label "Windows" ; rdfs:subClassOf :os .
`;
