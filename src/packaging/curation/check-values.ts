/** What a curator says, checked: by the form, by the API and by the command line alike. */
import { GarnerError } from '../../core/errors.ts';
import { dateSpan } from '../../core/time.ts';
import {
  type Authorities,
  CATALOGUED_LISTS,
  type CataloguedElement,
  type CataloguedValues,
} from '../../formats/catalogued.ts';

const MOST_VALUES = 100;
const LONGEST_VALUE = 4000;
const LANGUAGE_TAG = /^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*$/;

export type ElementInput = Readonly<Partial<Record<CataloguedElement, readonly string[]>>>;

export const CATALOGUED_ELEMENTS: readonly CataloguedElement[] = ['title', ...CATALOGUED_LISTS];

/** An element without values takes away what was said before. */
export function checkValues(input: ElementInput, authorities: Authorities): CataloguedValues {
  const checked = CATALOGUED_ELEMENTS.flatMap((element) => {
    const given = input[element];
    if (given === undefined) return [];
    const values = [...new Set(given.map((value) => value.trim()).filter((value) => value !== ''))];
    for (const value of values) checkValue(element, value, authorities);
    if (values.length > MOST_VALUES) throw refuse(element, `at most ${MOST_VALUES} values`);
    if (element === 'title' && values.length > 1) throw refuse(element, 'one value only');
    return [[element, element === 'title' ? (values[0] ?? '') : values] as const];
  });
  return Object.fromEntries(checked);
}

function checkValue(element: CataloguedElement, value: string, authorities: Authorities): void {
  if (value.length > LONGEST_VALUE) throw refuse(element, `at most ${LONGEST_VALUE} characters`);
  const list = authorities[element];
  if (list?.closed && !list.terms.includes(value))
    throw refuse(element, `"${value}" is not in the list of ${list.terms.length} terms`);
  if (element === 'language' && !LANGUAGE_TAG.test(value))
    throw refuse(element, `"${value}" is no language code, such as en or pt-BR`);
  if (element === 'date' && !dateSpan(value))
    throw refuse(element, `"${value}" is no date, such as 2003, 2003-04 or 2003-04-17`);
}

const refuse = (element: string, message: string): GarnerError =>
  new GarnerError('request.invalid', `${element}: ${message}`);
