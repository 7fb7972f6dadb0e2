/** What the words of profiles and queries mean here: dictionaries and ontology together. */
import { elementKey } from './dictionary/data-element.ts';
import type { Dictionaries } from './dictionary/dictionaries.ts';
import { convertQuantity } from './dictionary/units.ts';
import type { Expansions } from './ontology/expand-query.ts';
import { expandName, expandTerm, type TermExpansion } from './ontology/expansions.ts';
import type { Facts } from './ontology/facts.ts';
import { createHierarchy, type Hierarchy } from './ontology/hierarchy.ts';
import { createInference, type InferredAttribute } from './ontology/infer-attributes.ts';
import type { LoadedOntology } from './ontology/load-ontology.ts';
import type { Ontology, OntologyNode } from './ontology/ontology.ts';

export interface Vocabulary {
  readonly dictionaries: Dictionaries;
  readonly ontology: Ontology;
  readonly hierarchy: Hierarchy;
  readonly facts: Facts;
  /** By IRI, name, label or synonym. */
  findClass(name: string): OntologyNode | undefined;
  inferAttributes(classIri: string): InferredAttribute[];
  expandTerm(text: string): TermExpansion[];
  /** For `expandQuery`. Where fields are given, only those are ever asked for; attributes of profiles need none. */
  expansions(fields?: Iterable<string>): Expansions;
}

export function createVocabulary(
  dictionaries: Dictionaries,
  { ontology, facts }: LoadedOntology,
  { hops }: { readonly hops: number },
): Vocabulary {
  const hierarchy = createHierarchy(ontology);
  const infer = createInference(ontology, hierarchy);
  return {
    dictionaries,
    ontology,
    hierarchy,
    facts,
    findClass: (name) => hierarchy.findNamed(name).find(({ iri }) => ontology.classes.has(iri)),
    inferAttributes: (classIri) => infer(classIri, { hops }),
    expandTerm: (text) => expandTerm(ontology, hierarchy, text),
    expansions(fields) {
      const byKey = fields && new Map([...fields].map((field) => [elementKey(field), field]));
      return {
        values: (value) => expandTerm(ontology, hierarchy, value).map(({ text }) => text),
        quantity: (name, value) => {
          const unit = dictionaries.index().lookUp(name)[0]?.entry.current.unit;
          return unit === undefined ? undefined : convertQuantity(value, unit);
        },
        fields: (name) =>
          expandName(ontology, hierarchy, dictionaries.index(), name).flatMap((other) =>
            byKey ? (byKey.get(elementKey(other)) ?? []) : [...new Set([other, other.replace(/\s+/g, '_')])],
          ),
      };
    },
  };
}
