/**
 * An ontology as far as profiles and queries need it: classes, their attributes, relations between them, and
 * terms (individuals and concepts). Several domains of a property are read as “any of them”, as modellers mean
 * it, not as RDF Schema's “all of them at once”: that can only show more attributes, never hide one.
 */
import type { Triple } from '../../formats/rdf/triple.ts';
import { createGraph, type Graph, namedParts } from './graph.ts';
import { type Named, nameOf } from './names.ts';
import { findExtents, type PropertyExtent } from './property-extents.ts';
import { IRI, XSD } from './vocabulary.ts';

export interface OntologyNode extends Named {
  /**
   * IRIs of what is directly more general: superclasses, superproperties, broader concepts, the classes of an
   * individual. Those that mean the same are each above the other, so that there are circles.
   */
  readonly above: readonly string[];
}

export interface OntologyProperty extends OntologyNode, PropertyExtent {}

/** All by IRI. */
export interface Ontology {
  readonly classes: ReadonlyMap<string, OntologyNode>;
  /** Properties with values: `filter_name`. */
  readonly attributes: ReadonlyMap<string, OntologyProperty>;
  /** Properties that lead from one class to another: `instrument produces image`. */
  readonly relations: ReadonlyMap<string, OntologyProperty>;
  /** Individuals of classes, and concepts of vocabularies. */
  readonly terms: ReadonlyMap<string, OntologyNode>;
}

export function buildOntology(triples: readonly Triple[]): Ontology {
  const graph = createGraph(triples);
  const kinds = findKinds(graph);
  const findHigher = findAbove(graph);
  const extents = findExtents(graph);
  const node = (iri: string): OntologyNode => ({
    ...nameOf(graph, iri),
    above: findHigher(iri).filter((high) => kinds.has(high)),
  });
  const pick = <T>(kind: Kind, make: (iri: string) => T): Map<string, T> =>
    new Map(
      [...kinds]
        .filter(([iri, other]) => other === kind && !graph.isBlank(iri))
        .map(([iri]) => [iri, make(iri)]),
    );
  return {
    classes: pick('class', node),
    attributes: pick('attribute', (iri) => ({ ...node(iri), ...extents(iri) })),
    relations: pick('relation', (iri) => ({ ...node(iri), ...extents(iri) })),
    terms: pick('term', node),
  };
}

type Kind = 'class' | 'attribute' | 'relation' | 'term';

/** By what a subject says it is, else by what is said of it. */
function findKinds(graph: Graph): Map<string, Kind> {
  const kinds = new Map<string, Kind>();
  const types = (iri: string) => graph.nodes(iri, IRI.type);
  for (const iri of graph.subjects) {
    const related = [...graph.nodes(iri, IRI.subClassOf), ...graph.nodes(iri, IRI.equivalentClass)];
    for (const other of [
      ...related,
      ...(related.length > 0 ? [iri] : []),
      ...namedParts(graph, graph.nodes(iri, IRI.domain)),
      ...(types(iri).includes(IRI.objectProperty) ? namedParts(graph, graph.nodes(iri, IRI.range)) : []),
    ])
      kinds.set(other, 'class');
    if (types(iri).some((type) => type === IRI.class || type === IRI.owlClass)) kinds.set(iri, 'class');
  }
  for (const iri of graph.subjects) {
    const kind = propertyKind(graph, iri, types(iri), kinds);
    if (kind) kinds.set(iri, kind);
  }
  for (const iri of graph.subjects) {
    if (kinds.has(iri)) continue;
    const isTerm = types(iri).some((type) => type === IRI.concept || kinds.get(type) === 'class');
    if (isTerm || [IRI.broader, IRI.narrower].some((predicate) => graph.nodes(iri, predicate).length > 0))
      kinds.set(iri, 'term');
    for (const other of [...graph.nodes(iri, IRI.broader), ...graph.nodes(iri, IRI.narrower)])
      if (!kinds.has(other)) kinds.set(other, 'term');
  }
  return kinds;
}

function propertyKind(
  graph: Graph,
  iri: string,
  types: readonly string[],
  kinds: ReadonlyMap<string, Kind>,
): 'attribute' | 'relation' | undefined {
  if (types.includes(IRI.objectProperty)) return 'relation';
  if (types.includes(IRI.datatypeProperty)) return 'attribute';
  const saysSo = types.includes(IRI.property) || types.includes(IRI.annotationProperty);
  const isUsed = [IRI.domain, IRI.range, IRI.subPropertyOf, IRI.inverseOf].some(
    (predicate) => graph.nodes(iri, predicate).length > 0,
  );
  if (!saysSo && !isUsed) return undefined;
  if (graph.nodes(iri, IRI.inverseOf).length > 0) return 'relation';
  const ranges = namedParts(graph, graph.nodes(iri, IRI.range)).filter((range) => !isDatatype(range));
  return ranges.some((range) => kinds.get(range) === 'class') ? 'relation' : 'attribute';
}

const isDatatype = (iri: string): boolean =>
  iri.startsWith(XSD) || iri === IRI.literal || iri === IRI.langString;

/** What stands above each node, equivalence in both directions. */
function findAbove(graph: Graph): (iri: string) => string[] {
  const above = new Map<string, Set<string>>();
  const add = (low: string, high: string) => {
    if (low === high) return;
    const known = above.get(low) ?? new Set();
    above.set(low, known.add(high));
  };
  const members = (node: string): string[] => {
    if (!graph.isBlank(node)) return [node];
    // Of a union, none of its members need stand above the class.
    return namedParts(graph, graph.nodes(node, IRI.intersectionOf).flatMap(graph.list));
  };
  for (const iri of graph.subjects) {
    for (const predicate of [IRI.subClassOf, IRI.subPropertyOf, IRI.broader, IRI.type])
      for (const high of graph.nodes(iri, predicate).flatMap(members)) add(iri, high);
    for (const low of graph.nodes(iri, IRI.narrower)) add(low, iri);
    for (const predicate of [IRI.equivalentClass, IRI.equivalentProperty, IRI.sameAs, IRI.exactMatch])
      for (const node of graph.nodes(iri, predicate)) {
        for (const other of members(node)) add(iri, other);
        if (!graph.isBlank(node)) add(node, iri);
        for (const low of graph.nodes(node, IRI.unionOf).flatMap(graph.list)) add(low, iri);
      }
  }
  return (iri) => [...(above.get(iri) ?? [])];
}
