/**
 * A data element with the basic attributes of ISO/IEC 11179-3 (1994), as the profile framework uses them, and
 * beside them unit and value range. Every text is trimmed and can stand in XML; all three file forms keep it.
 */
import { z } from 'zod';
import { fold } from '../../query/words.ts';
import { checkBound, compareValues } from './datatype.ts';
import { findLayoutMistake } from './layout.ts';

/** The life of an element in its registry, as ISO/IEC 11179-6 names its stages. */
export const REGISTRATION_STATUSES = [
  'incomplete',
  'candidate',
  'recorded',
  'qualified',
  'standard',
  'preferred standard',
  'standardized elsewhere',
  'application',
  'superseded',
  'historical',
  'retired',
] as const;

/** What XML 1.0 cannot hold. */
const FORBIDDEN = /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/;

const text = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .refine((value) => value.isWellFormed() && !FORBIDDEN.test(value), 'has a character that XML cannot hold');
const size = z.int().min(0).max(1_000_000_000);
const texts = z.array(text).default([]);

const name = text.refine((value) => elementKey(value) !== '', 'must have a letter or a digit');

const shape = {
  name,
  identifier: text.exactOptional(),
  version: text.default('1'),
  registrationAuthority: text.exactOptional(),
  synonyms: z.array(z.strictObject({ name, context: text.exactOptional() })).default([]),
  context: text.exactOptional(),
  definition: text,
  classifications: texts,
  keywords: texts,
  related: z.array(z.strictObject({ reference: text, relationship: text.exactOptional() })).default([]),
  category: text.exactOptional(),
  form: text.exactOptional(),
  datatype: text.exactOptional(),
  maximumSize: size.exactOptional(),
  minimumSize: size.exactOptional(),
  layout: text.exactOptional(),
  unit: text.exactOptional(),
  minimum: text.exactOptional(),
  maximum: text.exactOptional(),
  permissibleValues: z.array(z.strictObject({ value: text, meaning: text.exactOptional() })).default([]),
  permissibleName: text.exactOptional(),
  permissibleReference: text.exactOptional(),
  permissibleRule: text.exactOptional(),
  responsibleOrganization: text.exactOptional(),
  registrationStatus: z.enum(REGISTRATION_STATUSES).default('recorded'),
  submittingOrganization: text.exactOptional(),
  comments: text.exactOptional(),
} as const;

export const dataElementSchema = z.strictObject(shape).superRefine((element, context) => {
  const mistake = (path: keyof typeof shape, message: string) =>
    context.addIssue({ code: 'custom', path: [path], message });
  const { minimumSize, maximumSize, layout, minimum, maximum, datatype } = element;
  if (minimumSize !== undefined && maximumSize !== undefined && minimumSize > maximumSize)
    mistake('minimumSize', `is more than the maximum size, ${maximumSize}`);
  const layoutMistake = layout === undefined ? undefined : findLayoutMistake(layout);
  if (layoutMistake !== undefined) mistake('layout', layoutMistake);
  let boundsRead = true;
  for (const key of ['minimum', 'maximum'] as const) {
    const message = element[key] === undefined ? undefined : checkBound(datatype, element[key]);
    if (message === undefined) continue;
    boundsRead = false;
    mistake(key, message);
  }
  if (boundsRead && minimum !== undefined && maximum !== undefined)
    if (compareValues(datatype, minimum, maximum) > 0) mistake('minimum', `is more than ${maximum}`);
  const values = element.permissibleValues.map(({ value }) => value);
  const twice = values.find((value, i) => values.indexOf(value) < i);
  if (twice !== undefined) mistake('permissibleValues', `has ${twice} twice`);
});

type DeepReadonly<T> = T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T;
export type DataElement = DeepReadonly<z.output<typeof dataElementSchema>>;
export type DataElementInput = DeepReadonly<z.input<typeof dataElementSchema>>;

/**
 * What names are compared by: `EXPOSURE_DURATION`, `exposure duration` and `Exposure-Duration` are one name.
 * Also the last part of an element's address.
 */
export function elementKey(elementName: string): string {
  return fold(elementName)
    .replace(/[^\p{L}\p{N}\p{M}.]+/gu, '_')
    .replace(/^[_.]+|[_.]+$/g, '');
}

const collator = new Intl.Collator('en', { numeric: true });

/** Older first: `1.9` before `1.10`. */
export function compareVersions(a: string, b: string): number {
  return collator.compare(a, b) || (a < b ? -1 : a > b ? 1 : 0);
}
