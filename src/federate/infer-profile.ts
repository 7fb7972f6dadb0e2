/**
 * A profile with what the ontology infers for the class of its resource. Attributes that belong to a related
 * class are marked with their path; those that the profile lacks are taken from the individuals of that class
 * which the profile names: an image with INSTRUMENT_ID = SSI gains what the ontology knows of the instrument SSI.
 */
import type { Profile, ProfileElement } from '../formats/oodt-profile/profile.ts';
import { elementKey } from './dictionary/data-element.ts';
import { namedValuesOfProfile } from './dictionary/named-values.ts';
import { namesOf } from './ontology/hierarchy.ts';
import { describePath, type InferredAttribute } from './ontology/infer-attributes.ts';
import type { OntologyNode } from './ontology/ontology.ts';
import type { Vocabulary } from './vocabulary.ts';

/** By `Type`, else by `resClass` or its last part: `data.image` is an image. */
export function findProfileClass(vocabulary: Vocabulary, { res }: Profile): OntologyNode | undefined {
  const classes = res.resClass ?? [];
  const names = [...(res.Type ?? []), ...classes, ...classes.map((name) => name.split('.').at(-1) ?? name)];
  for (const name of names) {
    const found = vocabulary.findClass(name);
    if (found) return found;
  }
  return undefined;
}

/** The profile itself when nothing is inferred. */
export function inferProfile(vocabulary: Vocabulary, profile: Profile): Profile {
  const found = findProfileClass(vocabulary, profile);
  const inferred = found ? vocabulary.inferAttributes(found.iri).filter(({ path }) => path.length > 0) : [];
  if (inferred.length === 0) return profile;
  const byKey = new Map(inferred.map((one) => [elementKey(one.attribute.name), one]));
  const marked = profile.elements.map((element) => {
    const key = elementKey(element.elemName?.[0] ?? '');
    const one = byKey.get(key);
    byKey.delete(key);
    return one && !element.elemComment ? { ...element, elemComment: [noteOf(vocabulary, one)] } : element;
  });
  const names = new Set(namedValuesOfProfile(profile).flatMap(({ values }) => values.map(elementKey)));
  const added = [...byKey.values()].flatMap((one): ProfileElement[] => {
    const values = valuesAlong(vocabulary, one, names);
    return values.length === 0
      ? []
      : [
          {
            elemName: [one.attribute.name],
            elemEnumFlag: ['T'],
            elemValue: values,
            elemComment: [noteOf(vocabulary, one)],
          },
        ];
  });
  return { ...profile, elements: [...marked, ...added] };
}

const noteOf = ({ hierarchy }: Vocabulary, { path }: InferredAttribute): string =>
  `inferred: ${describePath(hierarchy, path)}`;

function valuesAlong(
  { hierarchy, facts }: Vocabulary,
  { attribute, path: [first, ...steps] }: InferredAttribute,
  names: ReadonlySet<string>,
): string[] {
  if (!first) return [];
  // The profile says only by name which individual of the next class is meant.
  let individuals = hierarchy
    .below(first.to)
    .map(({ node }) => node)
    .filter((node) => namesOf(node).some((text) => names.has(elementKey(text))))
    .map(({ iri }) => iri);
  for (const step of steps)
    individuals = [...new Set(individuals.flatMap((individual) => facts.follow(individual, step)))];
  return [...new Set(individuals.flatMap((individual) => facts.valuesOf(individual, attribute.iri)))];
}
