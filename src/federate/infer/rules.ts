/**
 * What profiles gain from the ontology, as rules: of a resource of these classes, which names this individual in
 * one of these attributes, these values are true as well. An image with INSTRUMENT_ID = SSI gains what the
 * ontology knows of the instrument SSI, and of the spacecraft that carries it.
 */
import { attributeKey } from '../../core/attributes.ts';
import { namesOf } from '../ontology/hierarchy.ts';
import { describePath, type InferredAttribute, type PathStep } from '../ontology/infer-attributes.ts';
import type { Vocabulary } from '../vocabulary.ts';

export interface InferenceRule {
  /** As profiles show it. */
  readonly name: string;
  readonly key: string;
  /** Classes of resources, by all their names. */
  readonly classNames: readonly string[];
  /** Keys of the attributes that may name an individual. */
  readonly naming: readonly string[];
  readonly individuals: readonly NamedIndividual[];
  /** `image ← produces ← instrument` */
  readonly path: string;
}

export interface NamedIndividual {
  readonly names: readonly string[];
  /** Of the attribute; never empty. */
  readonly values: readonly string[];
}

/** Attributes that say which thing is meant, rather than how it is. */
const IDENTIFYING = /(?:^|_)(?:id|identifier|name|code)$/i;
const IDENTIFYING_ENDS = ['', '_id', '_name'];

/** Only of attributes that the ontology has values for. */
export function listInferenceRules(vocabulary: Vocabulary): InferenceRule[] {
  const { ontology, hierarchy, facts } = vocabulary;
  const rules = new Map<string, InferenceRule & { readonly classNames: string[] }>();
  const naming = createNamingAttributes(vocabulary);
  if (![...ontology.attributes.keys()].some((iri) => facts.hasValues(iri))) return [];
  for (const resource of ontology.classes.values())
    for (const inferred of vocabulary.inferAttributes(resource.iri)) {
      const [first] = inferred.path;
      if (!first || !facts.hasValues(inferred.attribute.iri)) continue;
      // The same way from several classes is one rule.
      const way = JSON.stringify([
        inferred.attribute.iri,
        inferred.path.map(({ relation, direction, to }) => [relation.iri, direction, to]),
      ]);
      const known = rules.get(way);
      if (known) known.classNames.push(...spellings(namesOf(resource)));
      else
        rules.set(way, {
          name: inferred.attribute.name,
          key: attributeKey(inferred.attribute.name),
          classNames: spellings(namesOf(resource)),
          naming: naming(first),
          individuals: individualsAlong(vocabulary, inferred),
          path: describePath(hierarchy, inferred.path),
        });
    }
  return [...rules.values()].filter(({ individuals }) => individuals.length > 0);
}

/** `INSTRUMENT`, `INSTRUMENT_ID`, `PRODUCED_BY` …, and identifying attributes that the class declares. */
function createNamingAttributes({ ontology, hierarchy }: Vocabulary): (step: PathStep) => string[] {
  return ({ relation, to }) => {
    const below = hierarchy.below(to).filter(({ node }) => ontology.classes.has(node.iri));
    const related = new Set([...hierarchy.above(to), ...below.map(({ node }) => node.iri)]);
    const declared = [...ontology.attributes.values()].filter(
      ({ name, domains }) => IDENTIFYING.test(name) && domains.some((domain) => related.has(domain)),
    );
    const relations = [relation.iri, ...relation.inverses].flatMap(
      (iri) => ontology.relations.get(iri)?.name ?? [],
    );
    const names = [
      ...below.flatMap(({ node }) =>
        [node.name, node.label].flatMap((name) => IDENTIFYING_ENDS.map((end) => name + end)),
      ),
      ...declared.map(({ name }) => name),
      ...relations,
    ];
    return [...new Set(names.map((name) => attributeKey(name.replace(/\s+/g, '_'))))];
  };
}

function individualsAlong(
  { hierarchy, facts }: Vocabulary,
  { attribute, path: [first, ...steps] }: InferredAttribute,
): NamedIndividual[] {
  if (!first) return [];
  return hierarchy.below(first.to).flatMap(({ node }) => {
    let reached = [node.iri];
    for (const step of steps)
      reached = [...new Set(reached.flatMap((individual) => facts.follow(individual, step)))];
    const values = [...new Set(reached.flatMap((individual) => facts.valuesOf(individual, attribute.iri)))];
    return values.length === 0 ? [] : [{ names: spellings(namesOf(node)), values }];
  });
}

/** Names of the ontology as profiles may write them. */
function spellings(names: readonly string[]): string[] {
  return [...new Set(names.flatMap((name) => [name, name.replace(/\s+/g, '_'), name.replace(/_+/g, ' ')]))];
}
