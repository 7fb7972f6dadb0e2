/** What else is meant by a term or by the name of an attribute: synonyms, and everything more special. */
import { GarnerError } from '../../core/errors.ts';
import { elementKey } from '../dictionary/data-element.ts';
import type { ElementIndex } from '../dictionary/element-index.ts';
import { type Hierarchy, namesOf } from './hierarchy.ts';
import type { Ontology } from './ontology.ts';

export interface TermExpansion {
  readonly text: string;
  /** From the term that was given to what is meant, by their labels. */
  readonly path: readonly string[];
}

/** More would no longer be a query that a person meant. */
const MOST_EXPANSIONS = 1000;

/**
 * “UNIX compatible” → Linux, Solaris …: other names of the classes, individuals and concepts of that name, and
 * the names of all below them. Throws `query.too-broad` when there are too many to ask for.
 */
export function expandTerm(ontology: Ontology, hierarchy: Hierarchy, text: string): TermExpansion[] {
  const starts = hierarchy
    .findNamed(text)
    .filter(({ iri }) => ontology.classes.has(iri) || ontology.terms.has(iri));
  return collect(
    hierarchy,
    text,
    starts.map(({ iri }) => iri),
  );
}

/** Other names of an attribute: those of the dictionaries, and of the properties that are the same or special ones. */
export function expandName(
  ontology: Ontology,
  hierarchy: Hierarchy,
  elements: ElementIndex,
  name: string,
): string[] {
  const starts = hierarchy
    .findNamed(name)
    .filter(({ iri }) => ontology.attributes.has(iri) || ontology.relations.has(iri));
  const names = [
    ...collect(
      hierarchy,
      name,
      starts.map(({ iri }) => iri),
    ).map(({ text }) => text),
    ...elements
      .lookUp(name)
      .flatMap(({ entry: { current } }) => [
        current.name,
        ...current.synonyms.map((synonym) => synonym.name),
      ]),
  ];
  return distinct(name, names, (text) => text);
}

function collect(hierarchy: Hierarchy, text: string, starts: readonly string[]): TermExpansion[] {
  const all = starts.flatMap((start) =>
    hierarchy.below(start).flatMap(({ node, path }) => {
      const labels = path.map((iri) => hierarchy.get(iri)?.label ?? iri);
      return namesOf(node).map((name) => ({ text: name, path: labels }));
    }),
  );
  const expansions = distinct(text, all, (expansion) => expansion.text);
  if (expansions.length > MOST_EXPANSIONS)
    throw new GarnerError(
      'query.too-broad',
      `"${text}" stands for ${expansions.length} terms; at most ${MOST_EXPANSIONS} are asked for`,
      { details: { expected: `at most ${MOST_EXPANSIONS} terms`, found: expansions.length } },
    );
  return expansions;
}

function distinct<T>(given: string, all: readonly T[], textOf: (one: T) => string): T[] {
  const seen = new Set([elementKey(given)]);
  return all.filter((one) => {
    const key = elementKey(textOf(one));
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
