/** What is true of items: what they say, what Garner says of all of them, and what the ontology infers. */
import { type Attribute, attributeField, attributeKey } from '../../core/attributes.ts';
import type { FieldSpec } from '../../core/model.ts';
import { anyOf, type QueryNode } from '../../query/ast.ts';
import { isOneOf } from '../../query/one-of.ts';
import { foldValue } from '../../query/words.ts';
import { createInference, type GainedAttribute, type HasText, type ValueGain } from '../infer/inference.ts';
import type { InferenceRule } from '../infer/rules.ts';
import { createDublinCoreFields, type DublinCoreFields, isDcElement } from './dublin-core-fields.ts';
import { OWN_IDENTIFIERS } from './find-by-id.ts';
import { type AttributedItem, type ItemAttribute, isProfile, listItemAttributes } from './item-attributes.ts';
import { lowerDublinCore } from './lower-dublin-core.ts';
import { lowerMade, ORDINARY } from './made-attributes.ts';

export interface ItemMeaning {
  /** All attributes by key, as comparisons find them. */
  attributesOf(item: AttributedItem): Map<string, ItemAttribute>;
  gainedBy(item: AttributedItem): readonly GainedAttribute[];
  /** A query about attributes as one that the store can answer. */
  lower(query: QueryNode): QueryNode;
  /** Whether values of the attribute are made of others: they can be found, but not counted. */
  isMade(key: string): boolean;
  /** The values of an attribute that items may gain, and what the store is asked for those that do. */
  listGains(key: string): readonly ValueGain[];
}

export interface MeaningDeps {
  /** Of all formats. */
  readonly fields: readonly FieldSpec[];
  /** Absent: as generic records have it. */
  readonly dublinCore?: DublinCoreFields;
  /** Of items that are no profiles. */
  readonly made?: ReadonlyMap<string, Attribute>;
  readonly rules?: readonly InferenceRule[];
}

export function createItemMeaning({
  fields,
  made = new Map(),
  rules = [],
  ...given
}: MeaningDeps): ItemMeaning {
  const specs = new Map(fields.map((field) => [field.name, field]));
  const { dublinCore = createDublinCoreFields({ specs }) } = given;
  const inference = createInference(rules, textQuestions(fields, made));
  const ownAttributes = (item: AttributedItem): Map<string, ItemAttribute> => {
    const own = listItemAttributes(item, specs, dublinCore);
    if (!isProfile(item.fields))
      for (const said of [made, OWN_IDENTIFIERS])
        for (const [key, attribute] of said) own.set(key, attribute);
    return own;
  };
  const lower = (query: QueryNode): QueryNode =>
    lowerDublinCore(lowerMade(query, made), { dublinCore, specs });
  return {
    attributesOf(item) {
      const own = ownAttributes(item);
      for (const gained of inference.gain(own)) own.set(gained.key, gained);
      return own;
    },
    gainedBy: (item) => inference.gain(ownAttributes(item)),
    lower: (query) => lower(inference.lower(query)),
    isMade: (key) =>
      isDcElement(key) && dublinCore.groupsOf(key).some(({ template }) => template !== undefined),
    listGains: (key) => inference.listGains(key).map(({ value, query }) => ({ value, query: lower(query) })),
  };
}

/** Texts of profiles are in fields of their own, those of other items in ordinary ones, or the same for all. */
function textQuestions(fields: readonly FieldSpec[], made: ReadonlyMap<string, Attribute>): HasText {
  const whole = fields.filter(({ type, indexed }) => indexed && (type === 'string' || type === 'uri'));
  const fieldOf = new Map(whole.map(({ name }) => [attributeKey(name), name]));
  return (key, values, parts = false) => {
    const asked = (field: string): QueryNode => ({ type: 'oneOf', field, values, ...(parts && { parts }) });
    const ordinary = fieldOf.get(key);
    const wanted = new Set(values.map(foldValue));
    const said = made.get(key)?.values.some(({ text }) => isOneOf(foldValue(text), wanted, parts)) === true;
    return anyOf([
      asked(attributeField(key, 'text')),
      ...(said ? [ORDINARY] : []),
      ...(ordinary === undefined ? [] : [{ type: 'and', of: [ORDINARY, asked(ordinary)] } as const]),
    ]);
  };
}
