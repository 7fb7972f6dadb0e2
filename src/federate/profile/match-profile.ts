/** Whether one profile matches a query: what is certain of a product, and possible where it leaves values open. */
import { type Attribute, attributeKey } from '../../core/attributes.ts';
import { GarnerError } from '../../core/errors.ts';
import type { Profile } from '../../formats/oodt-profile/profile.ts';
import { listAttributes } from '../../formats/oodt-profile/profile-attributes.ts';
import type { QueryNode } from '../../query/ast.ts';
import { compileComparison, matchesAttribute } from '../../query/compare.ts';

export type AttributeTest = (attributes: ReadonlyMap<string, readonly Attribute[]>) => boolean;

/** One query for many profiles. */
export function compileProfileTest(query: QueryNode): (profile: Profile) => boolean {
  const test = compileTest(query);
  return (profile) => test(gather(profile));
}

function gather(profile: Profile): Map<string, Attribute[]> {
  const attributes = new Map<string, Attribute[]>();
  for (const attribute of listAttributes(profile)) {
    const key = attributeKey(attribute.name);
    attributes.set(key, [...(attributes.get(key) ?? []), attribute]);
  }
  return attributes;
}

function compileTest(query: QueryNode): AttributeTest {
  switch (query.type) {
    case 'all':
      return () => true;
    case 'not': {
      const test = compileTest(query.of);
      return (attributes) => !test(attributes);
    }
    case 'and': {
      const tests = query.of.map(compileTest);
      return (attributes) => tests.every((test) => test(attributes));
    }
    case 'or': {
      const tests = query.of.map(compileTest);
      return (attributes) => tests.some((test) => test(attributes));
    }
    case 'compare': {
      const comparison = compileComparison(query.operator, query.value);
      const key = attributeKey(query.field);
      return (attributes) =>
        attributes.get(key)?.some((attribute) => matchesAttribute(comparison, attribute)) ?? false;
    }
    default:
      throw new GarnerError(
        'query.unsupported',
        `profiles are asked by comparisons, not by "${query.type}"`,
        {
          details: { expected: 'comparisons', found: query.type },
        },
      );
  }
}
