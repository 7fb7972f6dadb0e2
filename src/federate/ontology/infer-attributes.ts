/**
 * The attributes of a class: its own, those of the classes above it, and those of classes that relations lead
 * to, in either direction. “Instrument produces image” gives an image the instrument's `filter_name`.
 */
import type { Hierarchy } from './hierarchy.ts';
import type { Ontology, OntologyProperty } from './ontology.ts';

export interface PathStep {
  readonly relation: OntologyProperty;
  /** `inverse`: from what the relation leads to back to where it starts. */
  readonly direction: 'forward' | 'inverse';
  /** IRIs of the classes on both sides of the step. */
  readonly from: string;
  readonly to: string;
}

export interface InferredAttribute {
  readonly attribute: OntologyProperty;
  /** Empty: the class has the attribute itself, or inherits it. */
  readonly path: readonly PathStep[];
}

export interface InferenceOptions {
  /** Over at most so many relations. */
  readonly hops: number;
}

export type InferAttributes = (classIri: string, options: InferenceOptions) => InferredAttribute[];

/** Each attribute once, by a shortest path; those with shorter paths first. */
export function createInference(ontology: Ontology, hierarchy: Hierarchy): InferAttributes {
  const attributes = groupBy(ontology.attributes.values(), ({ domains }) => domains);
  const outgoing = groupBy(ontology.relations.values(), ({ domains }) => domains);
  const incoming = groupBy(ontology.relations.values(), ({ ranges }) => ranges);

  function* stepsFrom(from: string): Generator<PathStep> {
    for (const iri of hierarchy.above(from)) {
      for (const relation of outgoing.get(iri) ?? [])
        for (const to of relation.ranges) yield { relation, direction: 'forward', from, to };
      for (const relation of incoming.get(iri) ?? [])
        for (const to of relation.domains) yield { relation, direction: 'inverse', from, to };
    }
  }

  return (classIri, { hops }) => {
    const found = new Map<string, InferredAttribute>();
    const seen = new Set([classIri]);
    let edge: { readonly at: string; readonly path: readonly PathStep[] }[] = [{ at: classIri, path: [] }];
    for (let hop = 0; edge.length > 0; hop++) {
      for (const { at, path } of edge)
        for (const iri of hierarchy.above(at))
          for (const attribute of attributes.get(iri) ?? [])
            if (!found.has(attribute.iri)) found.set(attribute.iri, { attribute, path });
      if (hop >= hops) break;
      edge = edge.flatMap(({ at, path }) =>
        [...stepsFrom(at)].flatMap((step) => {
          if (seen.has(step.to)) return [];
          seen.add(step.to);
          return [{ at: step.to, path: [...path, step] }];
        }),
      );
    }
    return [...found.values()];
  };
}

/** `image ← produces ← instrument`; arrows point as the relation does. */
export function describePath(hierarchy: Hierarchy, path: readonly PathStep[]): string {
  const nameOf = (iri: string): string => hierarchy.get(iri)?.name ?? iri;
  return path
    .map(({ relation, direction, from, to }, i) => {
      const arrow = direction === 'forward' ? '→' : '←';
      const step = `${arrow} ${relation.name} ${arrow} ${nameOf(to)}`;
      return i === 0 ? `${nameOf(from)} ${step}` : step;
    })
    .join(' ');
}

function groupBy<T>(items: Iterable<T>, keysOf: (item: T) => readonly string[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items)
    for (const key of keysOf(item)) {
      const group = groups.get(key);
      if (group) group.push(item);
      else groups.set(key, [item]);
    }
  return groups;
}
