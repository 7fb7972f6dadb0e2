/**
 * Attributes: named values that no format knows beforehand, such as the elements of resource profiles. Each
 * becomes fields of the index whose names tell what they hold, so that every process knows a field of this
 * kind when it meets its name, and nobody has to declare it.
 */
import { readNumber } from './decimal.ts';
import type { FieldSpec, Fields, FieldType, FieldValue, IntervalValue } from './model.ts';
import { normaliseDate } from './time.ts';

/** What was written, as what it counts. A value is of one kind only. */
export type AttributeValue =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'number'; readonly text: string; readonly number: number }
  /** `date` is normalised (see `time.ts`). */
  | { readonly kind: 'date'; readonly text: string; readonly date: string };

export type ValueKind = AttributeValue['kind'];

/** Both ends belong to it, and are of the same kind, number or date. */
export interface AttributeRange {
  readonly min: AttributeValue;
  readonly max: AttributeValue;
}

export interface Attribute {
  readonly name: string;
  readonly values: readonly AttributeValue[];
  readonly range?: AttributeRange;
}

/** `any`: present, but nothing is said of its values. */
export type AttributePart = 'text' | 'number' | 'date' | 'min' | 'max' | 'any';

const PREFIX = 'attr.';
const PART_TYPES: Readonly<Record<AttributePart, FieldType>> = {
  text: 'string',
  number: 'number',
  date: 'interval',
  min: 'number',
  max: 'number',
  any: 'string',
};

/** Behind the name. */
const LABELS: Readonly<Partial<Record<AttributePart, string>>> = { min: ' from', max: ' to' };

/** Names of attributes are the same in any case. */
export function attributeKey(name: string): string {
  return name.trim().toLowerCase();
}

export function attributeField(name: string, part: AttributePart): string {
  const key = `${PREFIX}${attributeKey(name)}`;
  return part === 'text' ? key : `${key}#${part}`;
}

/** The attribute and the part of it that a field of the index holds; undefined when it is an ordinary field. */
export function parseAttributeField(field: string): ParsedField | undefined {
  if (!field.startsWith(PREFIX)) return undefined;
  let parsed = parsedFields.get(field);
  if (!parsed) {
    parsed = parseField(field);
    if (parsedFields.size >= MAX_REMEMBERED) parsedFields.clear();
    parsedFields.set(field, parsed);
  }
  return parsed;
}

interface ParsedField {
  readonly key: string;
  readonly part: AttributePart;
}

/** Documents repeat each other's fields. */
const parsedFields = new Map<string, ParsedField>();
const MAX_REMEMBERED = 10_000;

function parseField(field: string): ParsedField {
  const hash = field.lastIndexOf('#');
  const part = hash < 0 ? undefined : field.slice(hash + 1);
  return part !== undefined && isPart(part)
    ? { key: field.slice(PREFIX.length, hash), part }
    : { key: field.slice(PREFIX.length), part: 'text' };
}

function isPart(text: string): text is AttributePart {
  return Object.hasOwn(PART_TYPES, text);
}

export function attributeSpec(field: string): FieldSpec | undefined {
  const parsed = parseAttributeField(field);
  if (!parsed) return undefined;
  return {
    name: field,
    type: PART_TYPES[parsed.part],
    label: parsed.key.toUpperCase() + (LABELS[parsed.part] ?? ''),
    stored: true,
    indexed: true,
    tokenised: false,
    stemmed: false,
    facet: true,
    weight: 1,
  };
}

const DECLARED: readonly (readonly [ValueKind, RegExp])[] = [
  ['text', /^(?:char|varchar|string|text|alpha|identifier|ident|context.dependent)/i],
  ['number', /^(?:ascii_)?(?:real|int|float|double|num|decimal|long|short|byte|unsigned|signed)/i],
  ['date', /^(?:ascii_)?(?:date|time|utc)/i],
];

/** What a data type such as CHARACTER, REAL or TIME says of values; undefined: their look decides. */
export function declaredKind(type: string | undefined): ValueKind | undefined {
  return type === undefined ? undefined : DECLARED.find(([, pattern]) => pattern.test(type.trim()))?.[0];
}

/** Without a declaration only what begins like an ISO date is one: identifiers often look like other dates. */
const LIKE_A_DATE = /^\d{4}-\d/;

export function readAttributeValue(written: string, declared?: ValueKind): AttributeValue {
  const text = written.replace(/\s+/g, ' ').trim();
  if (declared !== 'text' && declared !== 'date') {
    const number = readNumber(text);
    if (number !== undefined) return { kind: 'number', text, number };
  }
  if (declared === 'date' || (declared === undefined && LIKE_A_DATE.test(text))) {
    const date = normaliseDate(text);
    if (date !== undefined) return { kind: 'date', text, date };
  }
  return { kind: 'text', text };
}

/** Beyond everything that is told: the ends of ranges that have none. */
export const FIRST_YEAR = '0000';
export const LAST_YEAR = '9999';
const FIRST = { number: String(-Number.MAX_VALUE), date: FIRST_YEAR, text: '' } as const;
const LAST = { number: String(Number.MAX_VALUE), date: LAST_YEAR, text: '' } as const;

/**
 * The range between two written bounds, of which one may be missing; undefined when they are not two numbers or
 * two dates in order.
 */
export function readAttributeRange(
  min: string | undefined,
  max: string | undefined,
  declared?: ValueKind,
): AttributeRange | undefined {
  const written = min ?? max;
  if (written === undefined) return undefined;
  const { kind } = readAttributeValue(written, declared);
  const [low, high] = [
    readAttributeValue(min ?? FIRST[kind], min === undefined ? kind : declared),
    readAttributeValue(max ?? LAST[kind], max === undefined ? kind : declared),
  ];
  if (low.kind === 'number' && high.kind === 'number' && low.number <= high.number)
    return { min: low, max: high };
  if (low.kind === 'date' && high.kind === 'date') return { min: low, max: high };
  return undefined;
}

/** Attributes as fields of the index. Several of one name are joined. */
export function attributeFields(attributes: Iterable<Attribute>): Fields {
  const fields: Record<string, FieldValue[]> = {};
  const add = (name: string, part: AttributePart, value: FieldValue) => {
    const field = attributeField(name, part);
    const values = fields[field];
    if (!values) fields[field] = [value];
    else if (typeof value === 'object' || !values.includes(value)) values.push(value);
  };
  for (const { name, values, range } of attributes) {
    for (const value of values) {
      if (value.kind === 'text') add(name, 'text', value.text);
      else if (value.kind === 'number') add(name, 'number', value.number);
      else add(name, 'date', { start: value.date, end: value.date });
    }
    if (range?.min.kind === 'number' && range.max.kind === 'number') {
      add(name, 'min', range.min.number);
      add(name, 'max', range.max.number);
    } else if (range?.min.kind === 'date' && range.max.kind === 'date')
      add(name, 'date', { start: range.min.date, end: range.max.date });
    else if (values.length === 0) add(name, 'any', 'any');
  }
  return fields;
}

interface ReadAttribute {
  readonly name: string;
  readonly values: AttributeValue[];
  range?: AttributeRange;
}

/** The attributes that fields of the index tell of, by key. */
export function readAttributeFields(fields: Fields): Map<string, Attribute> {
  const attributes = new Map<string, ReadAttribute>();
  for (const field of Object.keys(fields)) {
    const parsed = parseAttributeField(field);
    const values = fields[field];
    if (!parsed || !values) continue;
    const { key, part } = parsed;
    let attribute = attributes.get(key);
    if (!attribute) {
      attribute = { name: key, values: [] };
      attributes.set(key, attribute);
    }
    if (part === 'min') {
      const [min] = values;
      const max = fields[attributeField(key, 'max')]?.[0];
      if (typeof min === 'number' && typeof max === 'number') attribute.range = numberRange(min, max);
    } else if (part !== 'max' && part !== 'any') for (const value of values) addValue(attribute, value);
  }
  return attributes;
}

function addValue(attribute: ReadAttribute, value: FieldValue): void {
  if (typeof value === 'string') attribute.values.push({ kind: 'text', text: value });
  else if (typeof value === 'number') attribute.values.push(numberValue(value));
  else if (!('west' in value)) addDate(attribute, value);
}

/** Written out only where somebody reads it: of most numbers just the size counts. */
class IndexedNumber {
  readonly kind = 'number';
  readonly number: number;

  constructor(number: number) {
    this.number = number;
  }

  get text(): string {
    return String(this.number);
  }
}

const dateValue = (date: string): AttributeValue => ({ kind: 'date', text: date, date });
const numberValue = (number: number): AttributeValue => new IndexedNumber(number);
const numberRange = (min: number, max: number): AttributeRange => ({
  min: numberValue(min),
  max: numberValue(max),
});

function addDate(found: ReadAttribute, { start, end }: IntervalValue): void {
  if (start === undefined || end === undefined) return;
  if (start === end) found.values.push(dateValue(start));
  else found.range = { min: dateValue(start), max: dateValue(end) };
}
