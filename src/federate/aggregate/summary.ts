/**
 * What the values of one attribute are, over many products. It may say of too many values that they occur,
 * never of too few: texts are listed up to a limit, beyond it a filter and their first and last in order
 * remain; numbers and dates are ranges.
 */
import type { AttributeValue } from '../../core/attributes.ts';
import { dateSpan } from '../../core/time.ts';
import { compareStrings, type TimeSpan } from '../../query/range.ts';
import { foldValue } from '../../query/words.ts';
import type { ItemAttribute } from '../profile/item-attributes.ts';
import { Bloom } from './bloom.ts';

export interface NumberBounds {
  readonly min: number;
  readonly max: number;
}

/** With the earliest beginning and the latest end as written. */
export interface DateBounds extends TimeSpan {
  readonly first: string;
  readonly last: string;
}

/** Folded; both included. */
export interface TextBounds {
  readonly low: string;
  readonly high: string;
}

/** Spellings of one text may be many. */
const MAX_SEEN = 1000;

export class AttributeSummary {
  /** How many products have the attribute. */
  present = 0;
  /** Some product has it without saying what it is: any comparison holds. */
  any = false;
  /** Some values are found by their words, too: patterns may hold that their whole does not tell of. */
  words = false;
  /** Some values are not told of at all: any comparison may hold. */
  unlisted = false;
  numbers: NumberBounds | undefined;
  dates: DateBounds | undefined;
  /** Folded → as first written; undefined when there are too many. */
  texts: Map<string, string> | undefined = new Map();
  filter: Bloom | undefined;
  textBounds: TextBounds | undefined;
  /** Texts as written that are in already. */
  readonly #seen = new Set<string>();

  addProduct({ values, range, words, unlisted }: ItemAttribute, limit: number): void {
    this.present++;
    if (words) this.words = true;
    if (unlisted) this.unlisted = true;
    else if (values.length === 0 && !range) this.any = true;
    for (const value of values) this.#addValue(value, limit);
    if (range) {
      this.#addValue(range.min, limit);
      this.#addValue(range.max, limit);
    }
  }

  #addValue(value: AttributeValue, limit: number): void {
    switch (value.kind) {
      case 'number':
        this.addNumbers({ min: value.number, max: value.number });
        break;
      case 'date': {
        if (this.dates && isDateWithin(value.date, this.dates)) break;
        const span = dateSpan(value.date);
        if (span) this.addDates({ ...span, first: value.date, last: value.date });
        break;
      }
      case 'text':
        if (this.#seen.has(value.text)) return;
        if (this.texts && this.#seen.size < MAX_SEEN) this.#seen.add(value.text);
        this.addText(foldValue(value.text), value.text, limit);
    }
  }

  addNumbers({ min, max }: NumberBounds): void {
    const known = this.numbers;
    if (!known) this.numbers = { min, max };
    else if (min < known.min || max > known.max)
      this.numbers = { min: Math.min(known.min, min), max: Math.max(known.max, max) };
  }

  addDates(dates: DateBounds): void {
    const known = this.dates;
    if (!known) this.dates = dates;
    else {
      const earlier = dates.startAt < known.startAt;
      const later = dates.endAt > known.endAt;
      if (earlier || later)
        this.dates = {
          startAt: earlier ? dates.startAt : known.startAt,
          first: earlier ? dates.first : known.first,
          endAt: later ? dates.endAt : known.endAt,
          last: later ? dates.last : known.last,
        };
    }
  }

  addText(folded: string, written: string, limit: number): void {
    if (this.texts?.has(folded)) return;
    if (!this.textBounds || !isTextWithin(folded, this.textBounds))
      this.addTextBounds({ low: folded, high: folded });
    if (this.texts && this.texts.size < limit) {
      this.texts.set(folded, written);
      return;
    }
    this.#stopListing().add(folded);
  }

  addTextBounds({ low, high }: TextBounds): void {
    const known = this.textBounds;
    if (!known) this.textBounds = { low, high };
    else if (compareStrings(low, known.low) < 0 || compareStrings(high, known.high) > 0)
      this.textBounds = {
        low: compareStrings(low, known.low) < 0 ? low : known.low,
        high: compareStrings(high, known.high) > 0 ? high : known.high,
      };
  }

  addFilter(filter: Bloom): void {
    this.#stopListing().join(filter);
  }

  /** What both tell of. `present` is counted on. */
  join(other: AttributeSummary, limit: number): void {
    this.present += other.present;
    this.any ||= other.any;
    this.words ||= other.words;
    this.unlisted ||= other.unlisted;
    if (other.numbers) this.addNumbers(other.numbers);
    if (other.dates) this.addDates(other.dates);
    if (other.textBounds) this.addTextBounds(other.textBounds);
    if (other.filter) this.addFilter(other.filter);
    for (const [folded, written] of other.texts ?? []) this.addText(folded, written, limit);
  }

  #stopListing(): Bloom {
    if (!this.filter) {
      this.filter = new Bloom();
      for (const folded of this.texts?.keys() ?? []) this.filter.add(folded);
      this.texts = undefined;
      this.#seen.clear();
    }
    return this.filter;
  }
}

const SIMPLE_DATE = /^\d{4}/;

/** Seen without reading it as a date: of one precision, the order of dates is that of their texts. */
function isDateWithin(date: string, { first, last }: DateBounds): boolean {
  return (
    date.length === first.length &&
    date.length === last.length &&
    date >= first &&
    date <= last &&
    SIMPLE_DATE.test(first)
  );
}

/** From here on the order of code units may differ from that of code points. */
const HIGH_UNIT = /[\ud800-\uffff]/;

/** Seen by the quick order of code units. */
const isTextWithin = (folded: string, { low, high }: TextBounds): boolean =>
  folded >= low && folded <= high && !HIGH_UNIT.test(folded);
