/** What an ontology says of individuals: their values, and what they are related to. */
import type { Triple } from '../../formats/rdf/triple.ts';
import type { PathStep } from './infer-attributes.ts';
import type { Ontology } from './ontology.ts';

export interface Facts {
  /** In the order in which they stand. */
  valuesOf(individual: string, attributeIri: string): readonly string[];
  /** The individuals that one step leads to. */
  follow(individual: string, step: Pick<PathStep, 'relation' | 'direction'>): readonly string[];
}

export function collectFacts(triples: readonly Triple[], { attributes, relations }: Ontology): Facts {
  const values = new Map<string, string[]>();
  const forward = new Map<string, string[]>();
  const inverse = new Map<string, string[]>();
  const add = (to: Map<string, string[]>, node: string, property: string, value: string) => {
    const key = JSON.stringify([node, property]);
    const known = to.get(key);
    if (!known) to.set(key, [value]);
    else if (!known.includes(value)) known.push(value);
  };
  for (const { subject, predicate, object } of triples)
    if (object.kind === 'literal') {
      const text = object.value.trim();
      if (attributes.has(predicate) && text !== '') add(values, subject.value, predicate, text);
    } else if (relations.has(predicate)) {
      add(forward, subject.value, predicate, object.value);
      add(inverse, object.value, predicate, subject.value);
    }
  return {
    valuesOf: (individual, attributeIri) => values.get(JSON.stringify([individual, attributeIri])) ?? [],
    follow: (individual, { relation, direction }) =>
      (direction === 'forward' ? forward : inverse).get(JSON.stringify([individual, relation.iri])) ?? [],
  };
}
