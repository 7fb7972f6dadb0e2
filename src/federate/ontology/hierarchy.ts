/** Ways up and down an ontology; circles do no harm. */
import { elementKey } from '../dictionary/data-element.ts';
import type { Ontology, OntologyNode } from './ontology.ts';

/** A node, and the way to it: the IRIs of all nodes from the start to itself. */
export interface ReachedNode {
  readonly node: OntologyNode;
  readonly path: readonly string[];
}

export interface Hierarchy {
  get(iri: string): OntologyNode | undefined;
  /** The IRI itself and all that is more general, nearest first. */
  above(iri: string): readonly string[];
  /** The node itself and all that is more special, nearest first, each by a shortest way. */
  below(iri: string): ReachedNode[];
  /** Nodes by IRI, name, label or synonym, however it is written. */
  findNamed(text: string): OntologyNode[];
}

export function createHierarchy({ classes, attributes, relations, terms }: Ontology): Hierarchy {
  const nodes = new Map<string, OntologyNode>([...terms, ...relations, ...attributes, ...classes]);
  const lower = new Map<string, string[]>();
  const byName = new Map<string, Set<OntologyNode>>();
  for (const [iri, node] of nodes) {
    for (const high of node.above) {
      const known = lower.get(high);
      if (known) known.push(iri);
      else lower.set(high, [iri]);
    }
    for (const text of [iri, ...namesOf(node)]) {
      const key = elementKey(text);
      byName.set(key, (byName.get(key) ?? new Set()).add(node));
    }
  }
  const higher = (iri: string): readonly string[] => nodes.get(iri)?.above ?? [];
  const closures = new Map<string, readonly string[]>();

  return {
    get: (iri) => nodes.get(iri),
    above(iri) {
      const found = closures.get(iri) ?? walk(iri, higher).map((path) => path.at(-1) ?? iri);
      closures.set(iri, found);
      return found;
    },
    below: (iri) =>
      walk(iri, (at) => lower.get(at) ?? []).flatMap((path) => {
        const node = nodes.get(path.at(-1) ?? '');
        return node ? [{ node, path }] : [];
      }),
    findNamed: (text) => [...(byName.get(elementKey(text)) ?? [])],
  };
}

/** What a node is called, label first. */
export function namesOf({ label, synonyms, name }: OntologyNode): string[] {
  return [...new Set([label, ...synonyms, name])];
}

/** Breadth first, each node once. */
function walk(start: string, next: (iri: string) => readonly string[]): string[][] {
  const paths: string[][] = [[start]];
  const seen = new Set([start]);
  for (const path of paths)
    for (const iri of next(path.at(-1) ?? start)) {
      if (seen.has(iri)) continue;
      seen.add(iri);
      paths.push([...path, iri]);
    }
  return paths;
}
