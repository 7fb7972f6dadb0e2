/** The form of this installation: attributes from the gathered profiles, counts from the index. */
import type { Viewer } from '../../core/access.ts';
import { type AttributeValue, attributeField } from '../../core/attributes.ts';
import { edgeField, edgeNamed } from '../../core/box-edges.ts';
import type { FieldSpec } from '../../core/model.ts';
import { isDomainKey } from '../../formats/oodt-profile/profile.ts';
import type { QueryNode } from '../../query/ast.ts';
import type { FacetCount, FacetRequest, GarnerStore } from '../../store/index.ts';
import { Aggregate } from '../aggregate/aggregate.ts';
import type { Aggregates } from '../aggregate/aggregates.ts';
import type { AttributeSummary, NumberBounds } from '../aggregate/summary.ts';
import type { ItemMeaning } from '../profile/item-meaning.ts';
import { type Choosable, listChoosable } from './choosable.ts';
import { byUse, type GuidedAttribute, type GuidedForm, regroup, sortCounts, stepWidth } from './form.ts';

export interface LocalFormDeps {
  readonly store: Pick<GarnerStore, 'search'>;
  readonly aggregates: Pick<Aggregates, 'find'>;
  readonly meaning: Pick<ItemMeaning, 'lower' | 'listGains' | 'isMade'>;
  /** Of all formats. */
  readonly fields: readonly FieldSpec[];
  readonly valueLimit: number;
}

/** More are left to those who know their names. */
const MOST_ATTRIBUTES = 40;
const MOST_VALUES = 100;
const MOST_YEARS = 1000;
const MOST_STEPS = 64;
/** Each is a question to the index. */
const MOST_GAINS = 20;

/** Fields whose values count under the name of a Dublin Core element. */
const FIELD_OF: Readonly<Record<string, string>> = { format: 'mediaType', coverage: 'place' };

/** `query`: with all that is meant by its terms. */
export async function localForm(
  { store, aggregates, meaning, fields, valueLimit }: LocalFormDeps,
  query: QueryNode,
  viewer: Viewer,
): Promise<GuidedForm> {
  const join = (groups: readonly Aggregate[]): Aggregate => {
    const joined = new Aggregate(valueLimit);
    for (const group of groups) joined.join(group);
    return joined;
  };
  const choosable = listChoosable(aggregates, query, join).slice(0, MOST_ATTRIBUTES);
  const countable = fields.filter(({ facet, type }) => facet || type === 'bbox');
  const specs = new Map(countable.map((field) => [field.name, field]));
  const plans = choosable.map((one) => (meaning.isMade(one.key) ? planMade(one) : planAttribute(one, specs)));
  const facets = plans.flatMap(({ texts, numbers, years }) => [
    ...texts,
    ...(numbers?.requests ?? []),
    ...(years ? [years] : []),
  ]);
  const lowered = meaning.lower(query);
  const answer = await store.search.search({ query: lowered, limit: 0, facets }, viewer);
  const counted = new Map(Object.entries(answer.facets));
  for (const plan of plans)
    for (const gain of meaning.listGains(plan.key).slice(0, MOST_GAINS)) {
      const of = { type: 'and', of: [lowered, gain.query] } as const;
      const { total } = await store.search.search({ query: of, limit: 0 }, viewer);
      if (total > 0) addGain(counted, plan, gain.value, total);
    }
  return {
    total: answer.total,
    attributes: plans.flatMap((plan) => readAttribute(plan, counted) ?? []).sort(byUse),
  };
}

/** What is inferred stands in no field, so that it is counted by itself. */
function addGain(
  facets: Map<string, readonly FacetCount[]>,
  plan: AttributePlan,
  gained: AttributeValue,
  count: number,
) {
  const { numbers, years, texts } = plan;
  const [field, value] =
    gained.kind === 'number' && numbers
      ? [numbers.requests[0]?.field, String(Math.floor(gained.number / numbers.width) * numbers.width)]
      : gained.kind === 'date' && years
        ? [years.field, gained.date.slice(0, 4)]
        : [texts[0]?.field, gained.text];
  if (field === undefined) return;
  const known = facets.get(field) ?? [];
  const before = known.find((one) => one.value === value)?.count ?? 0;
  facets.set(field, [...known.filter((one) => one.value !== value), { value, count: before + count }]);
}

interface AttributePlan extends Choosable {
  /** There are values that are not listed: a reader types them. */
  readonly isOpen: boolean;
  readonly texts: readonly FacetRequest[];
  readonly numbers?: { readonly width: number; readonly requests: readonly FacetRequest[] };
  readonly years?: FacetRequest;
}

/** Values that a template makes are in no field. */
const planMade = (one: Choosable): AttributePlan => ({ ...one, isOpen: true, texts: [] });

/** Attributes of profiles have fields of their own; what all kinds of records have is in ordinary ones. */
function planAttribute({ key, summary }: Choosable, specs: ReadonlyMap<string, FieldSpec>): AttributePlan {
  const spec = specs.get(FIELD_OF[key] ?? key);
  const fieldFor = (part: 'number' | 'date') => spec?.name ?? attributeField(key, part);
  const ofProfiles = { field: attributeField(key, 'text'), limit: MOST_VALUES + 1 };
  const edge = edgeNamed(key);
  const edges = edge
    ? [...specs.values()].flatMap(({ name, type }) => (type === 'bbox' ? edgeField(name, edge) : []))
    : [];
  const ofFields = spec && !spec.type.match(/^(?:number|date|interval)$/);
  return {
    key,
    summary,
    isOpen: summary.filter !== undefined || summary.any || summary.unlisted,
    texts: [
      ...(ofFields ? [{ field: spec.name, limit: MOST_VALUES + 1 }] : []),
      // As many as there are products would be counted for nothing.
      ...((!spec || isDomainKey(key)) && summary.texts && summary.texts.size > 0 ? [ofProfiles] : []),
    ],
    ...(summary.numbers && { numbers: planNumbers(summary.numbers, [fieldFor('number'), ...edges]) }),
    ...(summary.dates && { years: { field: fieldFor('date'), limit: MOST_YEARS } }),
  };
}

function planNumbers(
  { min, max }: NumberBounds,
  fields: readonly string[],
): AttributePlan['numbers'] & object {
  const width = stepWidth(min, max);
  return { width, requests: fields.map((field) => ({ field, limit: MOST_STEPS, width })) };
}

type FacetAnswer = ReadonlyMap<string, readonly FacetCount[]>;

/** Undefined when no match has it. */
function readAttribute(plan: AttributePlan, facets: FacetAnswer): GuidedAttribute | undefined {
  const { key, summary, isOpen, texts, numbers, years } = plan;
  const values = texts.flatMap(({ field }) => [...(facets.get(field) ?? [])]);
  const steps = numbers?.requests.flatMap(({ field }) => facets.get(field) ?? []) ?? [];
  const dates = years ? (facets.get(years.field) ?? []) : [];
  const counted = sum(values) + sum(steps) + sum(dates);
  if (counted === 0 && !isOpen) return undefined;
  return {
    name: key.toUpperCase(),
    present: isOpen && counted === 0 ? summary.present / 1e6 : Math.max(counted, 0),
    values: sortCounts(values.map(({ value, count }) => ({ value, count }))).slice(0, MOST_VALUES),
    moreValues: values.length > MOST_VALUES || isOpen,
    ...(numbers && summary.numbers && steps.length > 0 && numbersPart(summary, numbers.width, steps)),
    ...(summary.dates && dates.length > 0 && datesPart(summary, dates)),
  };
}

function numbersPart(
  { numbers }: AttributeSummary,
  width: number,
  counts: readonly FacetCount[],
): Pick<GuidedAttribute, 'numbers'> {
  const steps = regroup(
    counts.map(({ value, count }) => ({ from: Number(value), count })),
    width,
  );
  const first = steps[0]?.from ?? 0;
  const last = (steps.at(-1)?.from ?? 0) + width;
  const min = Math.max(numbers?.min ?? first, first);
  const max = Math.min(numbers?.max ?? last, last);
  return { numbers: { min, max, width, steps } };
}

function datesPart(
  { dates }: AttributeSummary,
  counts: readonly FacetCount[],
): Pick<GuidedAttribute, 'dates'> {
  const years = counts.map(({ value }) => Number(value));
  const [first, last] = [Math.min(...years), Math.max(...years)].map((year) => String(year).padStart(4, '0'));
  const narrower = (known: string | undefined, year: string | undefined) =>
    known?.startsWith(year ?? '') ? known : (year ?? '');
  return {
    dates: {
      first: narrower(dates?.first, first),
      last: narrower(dates?.last, last),
      years: counts.map(({ value, count }) => ({ value, count })),
    },
  };
}

const sum = (counts: readonly FacetCount[]): number => counts.reduce((total, { count }) => total + count, 0);
