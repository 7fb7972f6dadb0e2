/** Profiles as JSON: the names of the XML, what may repeat as lists. */
import { z } from 'zod';
import { GarnerError } from '../../core/errors.ts';
import {
  ELEMENT_PARTS,
  listSection,
  type Occurs,
  PROF_ATTRIBUTES,
  type Profile,
  plainElement,
  RES_ATTRIBUTES,
} from './profile.ts';

export type JsonSection = Readonly<Record<string, string | readonly string[]>>;

export interface JsonProfile {
  readonly profAttributes: JsonSection;
  readonly resAttributes: JsonSection;
  readonly profElements: readonly JsonSection[];
}

export function profileToJson({ prof, res, elements }: Profile): JsonProfile {
  return {
    profAttributes: toJson(PROF_ATTRIBUTES, prof),
    resAttributes: toJson(RES_ATTRIBUTES, res),
    profElements: elements.map((element) => toJson(ELEMENT_PARTS, plainElement(element))),
  };
}

function toJson<Name extends string>(
  table: Readonly<Record<Name, Occurs>>,
  section: Readonly<Partial<Record<Name, readonly string[]>>>,
): JsonSection {
  const json: Record<string, string | readonly string[]> = {};
  for (const [name, occurs, values] of listSection(table, section))
    json[name] = occurs === '1' || occurs === '?' ? (values[0] ?? '') : values;
  return json;
}

const scalar = z.union([z.string(), z.number(), z.boolean()]).transform(String);
const values = z.union([scalar.transform((value) => [value]), z.array(scalar)]);

const sectionSchema = <Name extends string>(table: Readonly<Record<Name, Occurs>>) =>
  z.strictObject(
    Object.fromEntries(Object.keys(table).map((name) => [name, values.exactOptional()])) as Record<
      Name,
      z.ZodExactOptional<typeof values>
    >,
  );

const profileSchema = z.strictObject({
  profAttributes: sectionSchema(PROF_ATTRIBUTES),
  resAttributes: sectionSchema(RES_ATTRIBUTES),
  profElements: z.array(sectionSchema(ELEMENT_PARTS)).default([]),
});

/** One profile, or a list of them. Throws `profile.malformed` with the place of the first mistake. */
export function profilesFromJson(json: unknown): Profile[] {
  return (Array.isArray(json) ? json : [json]).map((entry: unknown, index) => {
    const read = profileSchema.safeParse(entry);
    if (read.success) {
      const { profAttributes, resAttributes, profElements } = read.data;
      return { prof: profAttributes, res: resAttributes, elements: profElements };
    }
    const [issue] = read.error.issues;
    const place = [...(Array.isArray(json) ? [index] : []), ...(issue?.path ?? [])].join('.');
    throw new GarnerError('profile.malformed', `${place || 'the profile'}: ${issue?.message ?? 'is none'}`, {
      details: { place },
    });
  });
}
