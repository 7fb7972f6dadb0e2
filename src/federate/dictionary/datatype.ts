/** Datatypes by the names that dictionaries use (CHARACTER, REAL, xs:double …), and what their values are. */
import { dateSpan } from '../../core/time.ts';

export type ValueKind = 'text' | 'integer' | 'number' | 'date' | 'time' | 'boolean' | 'uri';

/** Folded, without `xs:`/`xsd:`, `ASCII_` and punctuation. */
const KINDS: Readonly<Record<string, ValueKind>> = {
  character: 'text',
  characterstring: 'text',
  char: 'text',
  varchar: 'text',
  string: 'text',
  text: 'text',
  alphanumeric: 'text',
  alphabet: 'text',
  identifier: 'text',
  token: 'text',
  integer: 'integer',
  int: 'integer',
  long: 'integer',
  short: 'integer',
  nonnegativeinteger: 'integer',
  positiveinteger: 'integer',
  real: 'number',
  double: 'number',
  float: 'number',
  decimal: 'number',
  numeric: 'number',
  number: 'number',
  date: 'date',
  datetime: 'date',
  gyear: 'date',
  gyearmonth: 'date',
  time: 'time',
  boolean: 'boolean',
  logical: 'boolean',
  uri: 'uri',
  anyuri: 'uri',
  url: 'uri',
};

/** Undefined for a datatype that is absent or not known here: its values are not checked. */
export function valueKind(datatype: string | undefined): ValueKind | undefined {
  if (datatype === undefined) return undefined;
  const plain = datatype
    .toLowerCase()
    .replace(/^(?:xsd?|ascii)[:_]/, '')
    .replace(/[^a-z]/g, '');
  return KINDS[plain];
}

const INTEGER = /^[+-]?\d+$/;
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eEdD][+-]?\d+)?$/;
const TIME = /^\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?$/;

/** Fortran's `D` exponents are common in planetary labels. */
function readNumber(value: string): number | undefined {
  return NUMBER.test(value) ? Number(value.replace(/[dD]/, 'e')) : undefined;
}

const TESTS: Readonly<Record<ValueKind, (value: string) => boolean>> = {
  text: () => true,
  integer: (value) => INTEGER.test(value),
  number: (value) => readNumber(value) !== undefined,
  date: (value) => dateSpan(value) !== undefined,
  // PDS writes instants as TIME as well.
  time: (value) => TIME.test(value) || dateSpan(value) !== undefined,
  boolean: (value) => /^(?:true|false|yes|no|[tfyn01])$/i.test(value),
  uri: (value) => /^[A-Za-z][A-Za-z0-9+.-]*:[^\s<>"{}|\\^`]+$/.test(value),
};

export function isOfDatatype(datatype: string | undefined, value: string): boolean {
  const kind = valueKind(datatype);
  return kind === undefined || TESTS[kind](value.trim());
}

/** Negative when `a` comes first; numbers by size, dates by their start, everything else by code points. */
export function compareValues(datatype: string | undefined, a: string, b: string): number {
  const kind = valueKind(datatype);
  const read = kind === 'date' || kind === 'time' ? (text: string) => dateSpan(text)?.startAt : readNumber;
  const [left, right] = kind === 'text' ? [] : [read(a.trim()), read(b.trim())];
  if (left !== undefined && right !== undefined) return left - right;
  return a < b ? -1 : a > b ? 1 : 0;
}

/** A value lies at or below an upper bound also when the bound is a whole month or year that holds it. */
export function isAtMost(datatype: string | undefined, value: string, bound: string): boolean {
  const kind = valueKind(datatype);
  if (kind === 'date' || kind === 'time') {
    const span = dateSpan(value.trim());
    const limit = dateSpan(bound.trim());
    if (span && limit) return span.startAt < limit.endAt;
  }
  return compareValues(datatype, value, bound) <= 0;
}

/** Why a text cannot bound the values of a datatype; undefined when it can. */
export function checkBound(datatype: string | undefined, bound: string): string | undefined {
  const kind = valueKind(datatype);
  if (kind === 'boolean' || kind === 'uri') return `values of ${datatype} have no order`;
  return isOfDatatype(datatype, bound) ? undefined : `"${bound}" is not of the datatype ${datatype}`;
}
