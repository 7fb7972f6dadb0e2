/** What a reader can choose next: the attributes of what matches, with values, ranges and how many have them. */
import { z } from 'zod';
import { foldValue } from '../../query/words.ts';

const countSchema = z.object({ value: z.string().max(10_000), count: z.int().min(0) });

const attributeSchema = z.object({
  /** As shown, in capitals. */
  name: z.string().min(1).max(200),
  /** How many of the matches have it; near enough, for the order. */
  present: z.number().min(0),
  /** Texts, the most frequent first. */
  values: z.array(countSchema).max(1000),
  /** There are more texts than these. */
  moreValues: z.boolean(),
  /** Counts begin at multiples of the width, a power of two, so that those of several servers add up. */
  numbers: z
    .object({
      min: z.number(),
      max: z.number(),
      width: z.number().positive(),
      steps: z.array(z.object({ from: z.number(), count: z.int().min(0) })).max(1000),
    })
    .exactOptional(),
  dates: z
    .object({
      first: z.string().max(40),
      last: z.string().max(40),
      years: z.array(countSchema).max(5000),
    })
    .exactOptional(),
});

/** As it goes from server to server. */
export const formSchema = z.object({ total: z.int().min(0), attributes: z.array(attributeSchema).max(500) });

export type GuidedForm = z.output<typeof formSchema>;
export type GuidedAttribute = z.output<typeof attributeSchema>;
type Numbers = NonNullable<GuidedAttribute['numbers']>;
type Counts = GuidedAttribute['values'];

const STEPS = 16;
/** Narrower ones could not be told apart. */
const LEAST_WIDTH = 2 ** -100;

/** A power of two, so that at most some 16 steps cover the range. */
export function stepWidth(min: number, max: number): number {
  const span = max - min;
  return span > 0 && Number.isFinite(span)
    ? Math.max(LEAST_WIDTH, 2 ** Math.ceil(Math.log2(span / STEPS)))
    : 1;
}

export function mergeForms(forms: readonly GuidedForm[]): GuidedForm {
  const byName = new Map<string, GuidedAttribute>();
  for (const { attributes } of forms)
    for (const attribute of attributes) {
      const known = byName.get(attribute.name);
      byName.set(attribute.name, known ? mergeAttributes(known, attribute) : attribute);
    }
  return {
    total: forms.reduce((sum, { total }) => sum + total, 0),
    attributes: [...byName.values()].sort(byUse),
  };
}

/** What most of the matches have comes first. */
export const byUse = (a: GuidedAttribute, b: GuidedAttribute): number =>
  b.present - a.present || (a.name < b.name ? -1 : 1);

function mergeAttributes(a: GuidedAttribute, b: GuidedAttribute): GuidedAttribute {
  const numbers = a.numbers && b.numbers ? mergeNumbers(a.numbers, b.numbers) : (a.numbers ?? b.numbers);
  const dates =
    a.dates && b.dates
      ? {
          first: [a.dates.first, b.dates.first].sort()[0] ?? '',
          last: [a.dates.last, b.dates.last].sort()[1] ?? '',
          years: mergeCounts(a.dates.years, b.dates.years),
        }
      : (a.dates ?? b.dates);
  return {
    name: a.name,
    present: a.present + b.present,
    values: mergeCounts(a.values, b.values),
    moreValues: a.moreValues || b.moreValues,
    ...(numbers && { numbers }),
    ...(dates && { dates }),
  };
}

function mergeCounts(a: Counts, b: Counts): Counts {
  const counts = new Map<string, Counts[number]>();
  for (const { value, count } of [...a, ...b]) {
    const key = foldValue(value);
    const known = counts.get(key);
    counts.set(key, { value: known?.value ?? value, count: count + (known?.count ?? 0) });
  }
  return sortCounts([...counts.values()]);
}

export function sortCounts(counts: Counts): Counts {
  return counts.sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
}

function mergeNumbers(a: Numbers, b: Numbers): Numbers {
  const min = Math.min(a.min, b.min);
  const max = Math.max(a.max, b.max);
  const width = Math.max(a.width, b.width, stepWidth(min, max));
  return { min, max, width, steps: regroup([...a.steps, ...b.steps], width) };
}

/** Steps of narrower widths lie whole within the wider ones. */
export function regroup(steps: Numbers['steps'], width: number): Numbers['steps'] {
  const counts = new Map<number, number>();
  for (const { from, count } of steps) {
    const start = Math.floor(from / width) * width;
    counts.set(start, (counts.get(start) ?? 0) + count);
  }
  return [...counts].map(([from, count]) => ({ from, count })).sort((a, b) => a.from - b.from);
}
