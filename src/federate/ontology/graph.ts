/** Triples by subject and predicate. */
import type { RdfTerm, Triple } from '../../formats/rdf/triple.ts';
import { IRI } from './vocabulary.ts';

export interface Graph {
  /** IRIs and blank nodes that are the subject of something, in order. */
  readonly subjects: readonly string[];
  objects(subject: string, predicate: string): readonly RdfTerm[];
  /** Only IRIs and blank nodes. */
  nodes(subject: string, predicate: string): string[];
  isBlank(node: string): boolean;
  /** The members of an RDF list; those before the place where it breaks or goes in a circle. */
  readonly list: (head: string) => string[];
}

export function createGraph(triples: readonly Triple[]): Graph {
  const bySubject = new Map<string, Map<string, RdfTerm[]>>();
  const blanks = new Set<string>();
  for (const { subject, predicate, object } of triples) {
    for (const term of [subject, object]) if (term.kind === 'blank') blanks.add(term.value);
    const byPredicate = bySubject.get(subject.value) ?? new Map<string, RdfTerm[]>();
    bySubject.set(subject.value, byPredicate);
    const known = byPredicate.get(predicate);
    if (known) known.push(object);
    else byPredicate.set(predicate, [object]);
  }
  const objects = (subject: string, predicate: string): readonly RdfTerm[] =>
    bySubject.get(subject)?.get(predicate) ?? [];
  const nodes = (subject: string, predicate: string): string[] => {
    const found = objects(subject, predicate);
    // Most questions have no answer, and there are very many of them.
    if (found.length === 0) return [];
    return [...new Set(found.filter(({ kind }) => kind !== 'literal').map(({ value }) => value))];
  };
  return {
    subjects: [...bySubject.keys()],
    objects,
    nodes,
    isBlank: (node) => blanks.has(node),
    list: (head) => {
      const members: string[] = [];
      const seen = new Set<string>();
      for (let at: string | undefined = head; at !== undefined && at !== IRI.nil && !seen.has(at); ) {
        seen.add(at);
        members.push(...nodes(at, IRI.first));
        at = nodes(at, IRI.rest)[0];
      }
      return members;
    },
  };
}

/** Unions and intersections are taken apart; what is left are IRIs. */
export function namedParts(graph: Graph, nodes: readonly string[], seen = new Set<string>()): string[] {
  return nodes.flatMap((node) => {
    if (seen.has(node)) return [];
    seen.add(node);
    if (!graph.isBlank(node)) return [node];
    const lists = [...graph.nodes(node, IRI.unionOf), ...graph.nodes(node, IRI.intersectionOf)];
    return namedParts(graph, lists.flatMap(graph.list), seen);
  });
}
