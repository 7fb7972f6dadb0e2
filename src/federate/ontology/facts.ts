/** What an ontology says of individuals: their values, and what they are related to. */
import type { Triple } from '../../formats/rdf/triple.ts';
import type { PathStep } from './infer-attributes.ts';
import type { Ontology } from './ontology.ts';

export interface Facts {
  /** Whether any individual has a value of the attribute. */
  hasValues(attributeIri: string): boolean;
  /** In the order in which they stand. */
  valuesOf(individual: string, attributeIri: string): readonly string[];
  /** The individuals that one step leads to. */
  follow(individual: string, step: Pick<PathStep, 'relation' | 'direction'>): readonly string[];
}

export function collectFacts(triples: readonly Triple[], { attributes, relations }: Ontology): Facts {
  const values = new Map<string, string[]>();
  const used = new Set<string>();
  const forward = new Map<string, string[]>();
  const inverse = new Map<string, string[]>();
  const add = (to: Map<string, string[]>, node: string, property: string, value: string) => {
    const key = JSON.stringify([node, property]);
    const known = to.get(key);
    if (!known) to.set(key, [value]);
    else if (!known.includes(value)) known.push(value);
  };
  const entailedBy = createEntailment(relations);
  for (const { subject, predicate, object } of triples)
    if (object.kind === 'literal') {
      const text = object.value.trim();
      if (!attributes.has(predicate) || text === '') continue;
      used.add(predicate);
      add(values, subject.value, predicate, text);
    } else
      for (const { iri, flipped } of entailedBy(predicate)) {
        const [from, to] = flipped ? [object.value, subject.value] : [subject.value, object.value];
        add(forward, from, iri, to);
        add(inverse, to, iri, from);
      }
  return {
    hasValues: (attributeIri) => used.has(attributeIri),
    valuesOf: (individual, attributeIri) => values.get(JSON.stringify([individual, attributeIri])) ?? [],
    follow: (individual, { relation, direction }) =>
      (direction === 'forward' ? forward : inverse).get(JSON.stringify([individual, relation.iri])) ?? [],
  };
}

interface Entailed {
  readonly iri: string;
  readonly flipped: boolean;
}

/** What also holds where a relation does: those that it specialises, and those that lead the other way. */
function createEntailment(relations: Ontology['relations']): (iri: string) => readonly Entailed[] {
  const known = new Map<string, readonly Entailed[]>();
  return (start) => {
    const remembered = known.get(start);
    if (remembered) return remembered;
    const found: Entailed[] = relations.has(start) ? [{ iri: start, flipped: false }] : [];
    for (const { iri, flipped } of found) {
      const relation = relations.get(iri);
      for (const next of [
        ...(relation?.above ?? []).map((other) => ({ iri: other, flipped })),
        ...(relation?.inverses ?? []).map((other) => ({ iri: other, flipped: !flipped })),
      ])
        if (!found.some((one) => one.iri === next.iri && one.flipped === next.flipped)) found.push(next);
    }
    known.set(start, found);
    return found;
  };
}
