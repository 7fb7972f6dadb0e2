/** What is understood of RDF Schema, OWL and SKOS. */
const rdf = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';
const rdfs = 'http://www.w3.org/2000/01/rdf-schema#';
const owl = 'http://www.w3.org/2002/07/owl#';
const skos = 'http://www.w3.org/2004/02/skos/core#';

export const XSD = 'http://www.w3.org/2001/XMLSchema#';

export const IRI = {
  type: `${rdf}type`,
  first: `${rdf}first`,
  rest: `${rdf}rest`,
  nil: `${rdf}nil`,
  property: `${rdf}Property`,
  langString: `${rdf}langString`,
  class: `${rdfs}Class`,
  literal: `${rdfs}Literal`,
  subClassOf: `${rdfs}subClassOf`,
  subPropertyOf: `${rdfs}subPropertyOf`,
  domain: `${rdfs}domain`,
  range: `${rdfs}range`,
  label: `${rdfs}label`,
  comment: `${rdfs}comment`,
  owlClass: `${owl}Class`,
  objectProperty: `${owl}ObjectProperty`,
  datatypeProperty: `${owl}DatatypeProperty`,
  annotationProperty: `${owl}AnnotationProperty`,
  ontology: `${owl}Ontology`,
  equivalentClass: `${owl}equivalentClass`,
  equivalentProperty: `${owl}equivalentProperty`,
  inverseOf: `${owl}inverseOf`,
  sameAs: `${owl}sameAs`,
  unionOf: `${owl}unionOf`,
  intersectionOf: `${owl}intersectionOf`,
  onProperty: `${owl}onProperty`,
  someValuesFrom: `${owl}someValuesFrom`,
  allValuesFrom: `${owl}allValuesFrom`,
  onClass: `${owl}onClass`,
  concept: `${skos}Concept`,
  prefLabel: `${skos}prefLabel`,
  altLabel: `${skos}altLabel`,
  hiddenLabel: `${skos}hiddenLabel`,
  notation: `${skos}notation`,
  definition: `${skos}definition`,
  broader: `${skos}broader`,
  narrower: `${skos}narrower`,
  exactMatch: `${skos}exactMatch`,
} as const;
