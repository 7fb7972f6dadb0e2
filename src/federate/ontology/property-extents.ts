/** Which classes a property leads from and to. */
import { type Graph, namedParts } from './graph.ts';
import { IRI } from './vocabulary.ts';

export interface PropertyExtent {
  readonly domains: readonly string[];
  readonly ranges: readonly string[];
  /** IRIs of properties that lead the other way. */
  readonly inverses: readonly string[];
}

/** Where a property is at home: by itself, by its inverse, by restrictions of classes, else by what it specialises. */
export function findExtents(graph: Graph): (iri: string) => PropertyExtent {
  const domains = new Map<string, Set<string>>();
  const ranges = new Map<string, Set<string>>();
  const add = (to: Map<string, Set<string>>, iri: string, nodes: readonly string[]) => {
    const known = to.get(iri) ?? new Set();
    for (const node of namedParts(graph, nodes)) known.add(node);
    to.set(iri, known);
  };
  const inverses = new Map<string, string[]>();
  const upward = new Map<string, string[]>();
  for (const iri of graph.subjects) {
    add(domains, iri, graph.nodes(iri, IRI.domain));
    add(ranges, iri, graph.nodes(iri, IRI.range));
    for (const other of graph.nodes(iri, IRI.inverseOf)) {
      inverses.set(iri, [...(inverses.get(iri) ?? []), other]);
      inverses.set(other, [...(inverses.get(other) ?? []), iri]);
    }
    upward.set(iri, [
      ...(upward.get(iri) ?? []),
      ...graph.nodes(iri, IRI.subPropertyOf),
      ...graph.nodes(iri, IRI.equivalentProperty),
    ]);
    for (const other of graph.nodes(iri, IRI.equivalentProperty))
      upward.set(other, [...(upward.get(other) ?? []), iri]);
    for (const restriction of [...graph.nodes(iri, IRI.subClassOf), ...graph.nodes(iri, IRI.equivalentClass)])
      for (const property of graph.nodes(restriction, IRI.onProperty)) {
        add(domains, property, [iri]);
        for (const predicate of [IRI.someValuesFrom, IRI.allValuesFrom, IRI.onClass])
          add(ranges, property, graph.nodes(restriction, predicate));
      }
  }
  const find = (side: 'domain' | 'range', iri: string, seen = new Set<string>()): string[] => {
    const key = `${side} ${iri}`;
    if (seen.has(key)) return [];
    seen.add(key);
    const own = [...((side === 'domain' ? domains : ranges).get(iri) ?? [])];
    if (own.length > 0) return own;
    const other = side === 'domain' ? 'range' : 'domain';
    const mirrored = (inverses.get(iri) ?? []).flatMap((inverse) => find(other, inverse, seen));
    if (mirrored.length > 0) return [...new Set(mirrored)];
    return [...new Set((upward.get(iri) ?? []).flatMap((property) => find(side, property, seen)))];
  };
  return (iri) => ({
    domains: find('domain', iri),
    ranges: find('range', iri),
    inverses: inverses.get(iri) ?? [],
  });
}
