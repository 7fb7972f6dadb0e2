/** Summaries as JSON: in the state on disk, and in the comments of gathered profiles for other Garners. */
import { z } from 'zod';
import { Bloom } from './bloom.ts';
import { AttributeSummary } from './summary.ts';

const schema = z.strictObject({
  present: z.int().min(0),
  any: z.boolean().exactOptional(),
  words: z.boolean().exactOptional(),
  unlisted: z.boolean().exactOptional(),
  numbers: z.strictObject({ min: z.number(), max: z.number() }).exactOptional(),
  dates: z
    .strictObject({ startAt: z.number(), endAt: z.number(), first: z.string(), last: z.string() })
    .exactOptional(),
  texts: z.array(z.tuple([z.string(), z.string()])).exactOptional(),
  filter: z.string().exactOptional(),
  textBounds: z.strictObject({ low: z.string(), high: z.string() }).exactOptional(),
});

export type SummaryJson = z.output<typeof schema>;

export function summaryToJson(summary: AttributeSummary): SummaryJson {
  const { present, any, words, unlisted, numbers, dates, texts, filter, textBounds } = summary;
  return {
    present,
    ...(any && { any }),
    ...(words && { words }),
    ...(unlisted && { unlisted }),
    ...(numbers && { numbers }),
    ...(dates && { dates }),
    ...(texts && texts.size > 0 && { texts: [...texts] }),
    ...(filter && { filter: filter.toString() }),
    ...(textBounds && { textBounds }),
  };
}

/** Undefined when it is none, wherever it came from. */
export function summaryFromJson(json: unknown): AttributeSummary | undefined {
  const read = schema.safeParse(json);
  if (!read.success) return undefined;
  const { present, any, words, unlisted, numbers, dates, texts, filter, textBounds } = read.data;
  const summary = new AttributeSummary();
  summary.present = present;
  summary.any = any ?? false;
  summary.words = words ?? false;
  summary.unlisted = unlisted ?? false;
  summary.numbers = numbers;
  summary.dates = dates;
  for (const [folded, written] of texts ?? []) summary.addText(folded, written, Number.POSITIVE_INFINITY);
  if (textBounds) summary.addTextBounds(textBounds);
  if (filter === undefined) return summary;
  const bloom = Bloom.parse(filter);
  if (!bloom) return undefined;
  summary.addFilter(bloom);
  return summary;
}
