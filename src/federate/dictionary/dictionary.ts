/** A data dictionary: elements of one registry, each in one or several versions. */
import { z } from 'zod';
import { GarnerError } from '../../core/errors.ts';
import { NAME_PATTERN } from '../../core/identifiers.ts';
import { compareVersions, type DataElement, dataElementSchema, elementKey } from './data-element.ts';

export interface DataDictionary {
  /** A name of letters, digits, `-` and `_`. */
  readonly identifier: string;
  readonly title: string;
  /** By key of the name, older versions first. */
  readonly elements: readonly DataElement[];
}

const dictionarySchema = z.strictObject({
  identifier: z.string().regex(NAME_PATTERN, 'must be a name of letters, digits, - and _').max(100),
  title: dataElementSchema.shape.definition,
  elements: z.array(dataElementSchema).min(1, 'must not be empty'),
});

/** What a reader can say of an entry of the plain value: a line, a row. */
export type PlaceOf = (path: readonly PropertyKey[]) => string | undefined;

/** Checks a plain value that a file was read into. Throws `dictionary.invalid` with every mistake. */
export function readDictionary(value: unknown, placeOf: PlaceOf = () => undefined): DataDictionary {
  const parsed = dictionarySchema.safeParse(value);
  if (!parsed.success)
    throw invalidDictionary(
      parsed.error.issues.map(({ path, message }) => {
        const what = describePath(path, value);
        return { message: what === '' ? message : `${what}: ${message}`, place: placeOf(path) };
      }),
    );
  const { elements, ...rest } = parsed.data;
  const seen = new Map<string, number>();
  const twice = elements.flatMap(({ name, version }, i) => {
    const key = versionKey({ name, version });
    const first = seen.get(key);
    seen.set(key, first ?? i);
    const message = `${name}: version ${version} stands twice`;
    return first === undefined ? [] : [{ message, place: placeOf(['elements', i, 'name']) }];
  });
  if (twice.length > 0) throw invalidDictionary(twice);
  return { ...rest, elements: sortElements(elements) };
}

export interface DictionaryMistake {
  readonly message: string;
  readonly place: string | undefined;
}

const MOST_MISTAKES = 20;

export function invalidDictionary(mistakes: readonly DictionaryMistake[]): GarnerError {
  const lines = mistakes.map(({ message, place }) =>
    place === undefined ? message : `${place}: ${message}`,
  );
  const shown = lines.slice(0, MOST_MISTAKES);
  if (lines.length > shown.length) shown.push(`… and ${lines.length - shown.length} more`);
  return new GarnerError('dictionary.invalid', shown.join('\n'), { details: { mistakes: lines } });
}

/** What tells one version of an element from all others of its dictionary. */
export function versionKey({ name, version }: Pick<DataElement, 'name' | 'version'>): string {
  return JSON.stringify([elementKey(name), version]);
}

export function sortElements(elements: readonly DataElement[]): DataElement[] {
  return elements
    .map((element) => ({ element, key: elementKey(element.name) }))
    .sort((a, b) =>
      a.key === b.key ? compareVersions(a.element.version, b.element.version) : a.key < b.key ? -1 : 1,
    )
    .map(({ element }) => element);
}

/** `elements[3].unit` says less than `exposure_duration: unit`. */
function describePath(path: readonly PropertyKey[], value: unknown): string {
  if (path[0] !== 'elements' || typeof path[1] !== 'number') return path.join('.');
  const elements: unknown = typeof value === 'object' && value !== null && Reflect.get(value, 'elements');
  const element: unknown = Array.isArray(elements) ? elements[path[1]] : undefined;
  const name: unknown = typeof element === 'object' && element !== null && Reflect.get(element, 'name');
  const who = typeof name === 'string' && name.trim() !== '' ? name : `element ${path[1] + 1}`;
  const rest = path.slice(2).map((step) => (typeof step === 'number' ? step + 1 : step));
  return [who, rest.join(' ')].filter((part) => part !== '').join(': ');
}
