/**
 * Inferred attributes, shown and found: `gain` gives those of one resource, `lower` says in a query what the
 * store does not know. Both come from the same rules; a property test holds them together.
 */
import {
  type Attribute,
  type AttributeValue,
  attributeKey,
  readAttributeValue,
} from '../../core/attributes.ts';
import { anyOf, type CompareNode, type QueryNode } from '../../query/ast.ts';
import { compileComparison } from '../../query/compare.ts';
import { isOneOf } from '../../query/one-of.ts';
import { foldValue } from '../../query/words.ts';
import type { InferenceRule } from './rules.ts';

export interface GainedAttribute extends Attribute {
  readonly key: string;
  readonly path: string;
}

export interface ValueGain {
  readonly value: AttributeValue;
  /** Finds what gains it. */
  readonly query: QueryNode;
}

export interface Inference {
  /** What a resource has beyond its own attributes; what it says itself stays. */
  gain(own: ReadonlyMap<string, Attribute>): readonly GainedAttribute[];
  /** The query with conditions under which a resource gains what is asked for. */
  lower(query: QueryNode): QueryNode;
  /** All values of an attribute that some resource may gain. */
  listGains(key: string): readonly ValueGain[];
}

/** Whether some text of an attribute is one of these; with `parts` also what follows one of its dots. */
export type HasText = (key: string, texts: readonly string[], parts?: boolean) => QueryNode;

/** Resources repeat each other's classes and instruments. */
const MOST_REMEMBERED = 10_000;

export function createInference(rules: readonly InferenceRule[], hasText: HasText): Inference {
  const byKey = Map.groupBy(rules, ({ key }) => key);
  const deciding = [...new Set(['type', 'resclass', ...rules.flatMap(({ naming }) => naming)])];
  const compiled = rules.map(compileRule);
  const remembered = new Map<string, readonly GainedAttribute[]>();

  function gainAll(textsOf: TextsOf): readonly GainedAttribute[] {
    const gained = new Map<string, GainedAttribute>();
    for (const { rule, isMeant, valuesOf } of compiled) {
      if (!isMeant(textsOf)) continue;
      const known = gained.get(rule.key);
      const texts = new Set([...(known?.values.map(({ text }) => text) ?? []), ...valuesOf(textsOf)]);
      if (texts.size === 0) continue;
      const { name, key, path } = rule;
      const values = [...texts].map((text) => readAttributeValue(text));
      gained.set(key, { name, key, path: known?.path ?? path, values });
    }
    return [...gained.values()];
  }

  /** Undefined: nothing gains such a value. */
  function gainQuery(key: string, isWanted: (value: string) => boolean): QueryNode | undefined {
    const ways = (byKey.get(key) ?? []).flatMap(({ classNames, naming, individuals }): QueryNode[] => {
      const names = individuals.flatMap((one) => (one.values.some(isWanted) ? one.names : []));
      if (names.length === 0) return [];
      const isMeant = anyOf([hasText('type', classNames), hasText('resclass', classNames, true)]);
      return [{ type: 'and', of: [isMeant, anyOf(naming.map((attribute) => hasText(attribute, names)))] }];
    });
    if (ways.length === 0) return undefined;
    // What a resource says itself counts alone.
    const own: QueryNode = { type: 'compare', field: key, operator: 'EXISTS', value: '' };
    return { type: 'and', of: [{ type: 'not', of: own }, anyOf(ways)] };
  }

  function lowerComparison(node: CompareNode): QueryNode {
    const { value: holds } = compileComparison(node.operator, node.value);
    const gains = gainQuery(attributeKey(node.field), (text) => holds(readAttributeValue(text)));
    return gains ? { type: 'or', of: [node, gains] } : node;
  }

  function lower(query: QueryNode): QueryNode {
    switch (query.type) {
      case 'and':
      case 'or':
        return { type: query.type, of: query.of.map(lower) };
      case 'not':
      case 'boost':
        return { ...query, of: lower(query.of) };
      case 'compare':
        return lowerComparison(query);
      default:
        return query;
    }
  }

  return {
    gain(own) {
      if (rules.length === 0) return [];
      const textsOf: TextsOf = (key) =>
        own.get(key)?.values.flatMap((value) => (value.kind === 'text' ? foldValue(value.text) : [])) ?? [];
      const signature = JSON.stringify(deciding.map(textsOf));
      let gained = remembered.get(signature);
      if (!gained) {
        gained = gainAll(textsOf);
        if (remembered.size >= MOST_REMEMBERED) remembered.clear();
        remembered.set(signature, gained);
      }
      return gained.filter(({ key }) => !own.has(key));
    },
    lower,
    listGains(key) {
      const individuals = byKey.get(key)?.flatMap((rule) => rule.individuals) ?? [];
      return [...new Set(individuals.flatMap(({ values }) => values))].flatMap((value) => {
        const query = gainQuery(key, (text) => text === value);
        return query ? [{ value: readAttributeValue(value), query }] : [];
      });
    },
  };
}

/** The folded texts of an attribute. */
type TextsOf = (key: string) => readonly string[];

function compileRule(rule: InferenceRule) {
  const classes = new Set(rule.classNames.map(foldValue));
  const byName = new Map<string, string[]>();
  for (const { names, values } of rule.individuals)
    for (const name of new Set(names.map(foldValue)))
      byName.set(name, [...(byName.get(name) ?? []), ...values]);
  return {
    rule,
    /** By `Type`, by `resClass` or by its last parts: `data.image` is an image. */
    isMeant: (textsOf: TextsOf): boolean =>
      textsOf('type').some((text) => classes.has(text)) ||
      textsOf('resclass').some((text) => isOneOf(text, classes, true)),
    valuesOf: (textsOf: TextsOf): string[] =>
      rule.naming.flatMap((key) => textsOf(key).flatMap((text) => byName.get(text) ?? [])),
  };
}
