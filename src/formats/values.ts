/**
 * What a record says, made into values of a field's type. A doubtful value is left out and reported; the
 * record stays. What plainly says that it is not known is left out in silence.
 */
import type { FieldSpec, FieldType, FieldValue, IntervalValue } from '../core/model.ts';
import { shorten } from '../core/shorten.ts';
import { dateSpan, normaliseDate, parseInterval } from '../core/time.ts';
import { type BoxParts, readBoxParts, splitBoxText } from './box-value.ts';

export interface ValueProblem {
  readonly code: string;
  readonly message: string;
}

export type ReportProblem = (code: string, reason: string) => void;

/** One value as it stands in the record: a text, or the texts that each of the field's parts selects. */
export type RawValue = string | readonly (readonly string[])[];

/** The values of one field, converted, without blanks and repetitions. */
export class ValueCollector {
  readonly values: FieldValue[] = [];
  readonly #type: FieldType;
  readonly #report: ReportProblem;
  /** From the second value on. */
  #seen: Set<string> | undefined;

  constructor({ name, type }: Pick<FieldSpec, 'name' | 'type'>, problems: ValueProblem[]) {
    this.#type = type;
    this.#report = (code, reason) =>
      problems.push({ code, message: `field "${name}": ${shorten(reason, MAX_REASON)}` });
  }

  /** `joiner` stands between the parts of a text. */
  add(raw: RawValue, joiner = ' '): void {
    const read = readValue(this.#type, raw, joiner, this.#report);
    if (read === undefined) return;
    const value = typeof read === 'string' && read.length > MAX_VALUE ? this.#cut(read) : read;
    if (this.values.length > 0) {
      this.#seen ??= new Set(this.values.map(keyOf));
      const key = keyOf(value);
      if (this.#seen.has(key)) return;
      this.#seen.add(key);
    }
    this.values.push(value);
  }

  #cut(value: string): string {
    this.#report(
      'value.long',
      `a value of ${value.length} characters is cut after ${MAX_VALUE}; all of it is in the record, and its words are found`,
    );
    return shorten(value, MAX_VALUE);
  }
}

/** In characters. Fields are shown, sorted and counted; a book in one of them would stand on every page. */
const MAX_VALUE = 100_000;

/** The values of a field are all of one type. */
const keyOf = (value: FieldValue): string => (typeof value === 'string' ? value : JSON.stringify(value));

const MAX_REASON = 200;

function readValue(
  type: FieldType,
  raw: RawValue,
  joiner: string,
  report: ReportProblem,
): FieldValue | undefined {
  if (type === 'interval') return typeof raw === 'string' ? readInterval(raw, report) : readEnds(raw, report);
  if (type === 'bbox') {
    const parts = typeof raw === 'string' ? splitBoxText(raw) : boxParts(raw);
    if (parts) return readBoxParts(parts, report);
    if (!isUnknown(String(raw))) report('value.box', `"${String(raw)}" is no box`);
    return undefined;
  }
  const text =
    typeof raw === 'string'
      ? raw
      : raw
          .flat()
          .map((part) => part.trim())
          .filter(Boolean)
          .join(joiner);
  switch (type) {
    case 'text':
      return readProse(text);
    case 'string':
      return text.replace(/\s+/g, ' ').trim() || undefined;
    case 'uri':
      return readUri(text, report);
    case 'number':
      return readNumber(text, report);
    case 'date':
      return readDate(text, report);
  }
}

const boxParts = ([
  west = [],
  south = [],
  east = [],
  north = [],
]: readonly (readonly string[])[]): BoxParts => [west, south, east, north];

/** Line breaks of the XML file mean nothing, empty lines are paragraphs. */
function readProse(text: string): string | undefined {
  if (!/\s\s|[^\S ]/.test(text)) return text.trim() || undefined;
  const paragraphs = text.split(/\r?\n[^\S\n]*\r?\n\s*/).map((part) => part.replace(/\s+/g, ' ').trim());
  return paragraphs.filter(Boolean).join('\n\n') || undefined;
}

/** Words that stand where a value is not known; DIF 10 requires some of them. */
const UNKNOWN =
  /^(?:|-+|\.\.|n\/?a|none|null|nil|nan|unknown|not (?:provided|available|applicable|known)|missing|inapplicable|template|tbd|unspecified|undefined)$/i;
const isUnknown = (text: string) => UNKNOWN.test(text.trim());

/** An end that is not reached yet. */
const OPEN = /^(?:now|present|on-?going|current|continuing|to date|future|unbounded|open)$/i;
const isOpen = (text: string) => OPEN.test(text.trim());

function readNumber(text: string, report: ReportProblem): number | undefined {
  if (isUnknown(text)) return undefined;
  const number = Number(text.trim());
  if (Number.isFinite(number)) return number;
  report('value.number', `"${text}" is no number`);
  return undefined;
}

function readDate(text: string, report: ReportProblem): string | undefined {
  if (isUnknown(text) || isOpen(text)) return undefined;
  const date = normaliseDate(text);
  if (date !== undefined) return date;
  // Where a range stands for a date, its beginning counts.
  const range = parseInterval(text);
  if (range) return range.start ?? range.end;
  report('value.date', `"${text}" is no date`);
  return undefined;
}

function readInterval(text: string, report: ReportProblem): IntervalValue | undefined {
  if (isUnknown(text)) return undefined;
  const interval = parseInterval(text);
  if (interval) return interval.start || interval.end ? interval : undefined;
  const ends = text.split('/');
  if (ends.length === 2) return readEnds([[ends[0] ?? ''], [ends[1] ?? '']], report);
  report('value.interval', `"${text}" is no period of time`);
  return undefined;
}

function readEnds(
  [starts = [], ends = []]: readonly (readonly string[])[],
  report: ReportProblem,
): IntervalValue | undefined {
  const start = readEnd(starts[0], report);
  // A part may select several ends (DIF 10 has many single dates in one coverage).
  const end = readEnd(ends.at(-1), report);
  if (start === undefined || end === undefined) return undefined;
  if (start && end && isReversed(start, end)) {
    report('value.interval', `the period begins (${start}) after its end (${end}); they were swapped`);
    return { start: end, end: start };
  }
  return start || end ? { ...(start && { start }), ...(end && { end }) } : undefined;
}

/** Empty when the end is open or not known, undefined when it cannot be read. */
function readEnd(text: string | undefined, report: ReportProblem): string | undefined {
  if (text === undefined || isUnknown(text) || isOpen(text)) return '';
  const date = normaliseDate(text);
  if (date === undefined) report('value.interval', `"${text}" is no date`);
  return date;
}

function isReversed(start: string, end: string): boolean {
  const [from, to] = [dateSpan(start), dateSpan(end)];
  return from !== undefined && to !== undefined && from.startAt >= to.endAt;
}

const ABSOLUTE = /^[a-z][a-z0-9+.-]+:\S+$/i;
const RELATIVE = /^(?:\.{0,2}\/|#|\?)/;
/** Schemes that would run in a reader's browser. */
const ACTIVE = /^(?:javascript|data|vbscript):/i;

function readUri(text: string, report: ReportProblem): string | undefined {
  const uri = text.trim().replace(/\s/g, '%20');
  // Relative references mean something only beside the original file.
  if (isUnknown(uri) || RELATIVE.test(uri)) return undefined;
  if (ABSOLUTE.test(uri) && !ACTIVE.test(uri)) return uri;
  report('value.uri', `"${text}" is no usable address`);
  return undefined;
}
