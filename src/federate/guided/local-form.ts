/** The form of this installation: attributes from the gathered profiles, counts from the index. */
import type { Viewer } from '../../core/access.ts';
import { attributeField } from '../../core/attributes.ts';
import type { FieldSpec } from '../../core/model.ts';
import { isDomainKey } from '../../formats/oodt-profile/profile.ts';
import type { QueryNode } from '../../query/ast.ts';
import type { FacetCount, FacetRequest, GarnerStore } from '../../store/index.ts';
import { Aggregate } from '../aggregate/aggregate.ts';
import type { Aggregates } from '../aggregate/aggregates.ts';
import type { AttributeSummary } from '../aggregate/summary.ts';
import { type Choosable, listChoosable } from './choosable.ts';
import { byUse, type GuidedAttribute, type GuidedForm, sortCounts, stepWidth } from './form.ts';

export interface LocalFormDeps {
  readonly store: Pick<GarnerStore, 'search'>;
  readonly aggregates: Pick<Aggregates, 'find'>;
  /** Of all formats. */
  readonly fields: readonly FieldSpec[];
  readonly valueLimit: number;
}

/** More are left to those who know their names. */
const MOST_ATTRIBUTES = 40;
const MOST_VALUES = 100;
const MOST_YEARS = 1000;
const MOST_STEPS = 64;

/** Fields whose values count under the name of a Dublin Core element. */
const FIELD_OF: Readonly<Record<string, string>> = { format: 'mediaType', coverage: 'place' };

/** `query`: with all that is meant by its terms. */
export async function localForm(
  { store, aggregates, fields, valueLimit }: LocalFormDeps,
  query: QueryNode,
  viewer: Viewer,
): Promise<GuidedForm> {
  const join = (groups: readonly Aggregate[]): Aggregate => {
    const joined = new Aggregate(valueLimit);
    for (const group of groups) joined.join(group);
    return joined;
  };
  const choosable = listChoosable(aggregates, query, join).slice(0, MOST_ATTRIBUTES);
  const specs = new Map(fields.filter(({ facet }) => facet).map((field) => [field.name, field]));
  const plans = choosable.map((one) => planAttribute(one, specs));
  const facets = plans.flatMap(({ texts, numbers, years }) => [
    ...texts,
    ...(numbers ? [numbers] : []),
    ...(years ? [years] : []),
  ]);
  const answer = await store.search.search({ query, limit: 0, facets }, viewer);
  return {
    total: answer.total,
    attributes: plans.flatMap((plan) => readAttribute(plan, answer.facets) ?? []).sort(byUse),
  };
}

interface AttributePlan extends Choosable {
  /** There are values that are not listed: a reader types them. */
  readonly isOpen: boolean;
  readonly texts: readonly FacetRequest[];
  readonly numbers?: FacetRequest & { readonly width: number };
  readonly years?: FacetRequest;
}

/** Attributes of profiles have fields of their own; what all kinds of records have is in ordinary ones. */
function planAttribute({ key, summary }: Choosable, specs: ReadonlyMap<string, FieldSpec>): AttributePlan {
  const spec = specs.get(FIELD_OF[key] ?? key);
  const fieldFor = (part: 'number' | 'date') => spec?.name ?? attributeField(key, part);
  const ofProfiles = { field: attributeField(key, 'text'), limit: MOST_VALUES + 1 };
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
    ...(summary.numbers && {
      numbers: {
        field: fieldFor('number'),
        limit: MOST_STEPS,
        width: stepWidth(summary.numbers.min, summary.numbers.max),
      },
    }),
    ...(summary.dates && { years: { field: fieldFor('date'), limit: MOST_YEARS } }),
  };
}

type FacetAnswer = Readonly<Record<string, readonly FacetCount[]>>;

/** Undefined when no match has it. */
function readAttribute(plan: AttributePlan, facets: FacetAnswer): GuidedAttribute | undefined {
  const { key, summary, isOpen, texts, numbers, years } = plan;
  const values = texts.flatMap(({ field }) => [...(facets[field] ?? [])]);
  const steps = numbers ? (facets[numbers.field] ?? []) : [];
  const dates = years ? (facets[years.field] ?? []) : [];
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
  const steps = counts
    .map(({ value, count }) => ({ from: Number(value), count }))
    .sort((a, b) => a.from - b.from);
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
