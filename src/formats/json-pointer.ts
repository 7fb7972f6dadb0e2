/**
 * JSON Pointers (RFC 6901), with `*` for any array element or object member and `*?key=value` for those
 * of them whose member `key` is, or as an array contains, that value.
 */
import { GarnerError } from '../core/errors.ts';

interface Step {
  /** Undefined for `*`. */
  readonly key: string | undefined;
  readonly filter?: { readonly key: string; readonly value: string };
}

export interface CompiledPointer {
  readonly pointer: string;
  readonly steps: readonly Step[];
}

export function compilePointer(pointer: string): CompiledPointer {
  if (pointer !== '' && !pointer.startsWith('/'))
    throw new GarnerError('config.invalid', `JSON Pointer "${pointer}" does not start with "/"`, {
      details: { pointer },
    });
  return { pointer, steps: pointer.split('/').slice(1).map(readStep) };
}

function readStep(token: string): Step {
  if (token === '*') return { key: undefined };
  const filter = /^\*\?([^=]+)=(.*)$/s.exec(token);
  if (filter)
    return {
      key: undefined,
      filter: { key: decodeToken(filter[1] ?? ''), value: decodeToken(filter[2] ?? '') },
    };
  return { key: decodeToken(token) };
}

const decodeToken = (token: string) => token.replaceAll('~1', '/').replaceAll('~0', '~');

/** Everything that the pointer leads to, nulls left out. */
export function followPointer({ steps }: CompiledPointer, from: unknown): unknown[] {
  let places: unknown[] = [from];
  for (const step of steps) {
    places = places.flatMap((place) => takeStep(step, place));
    if (places.length === 0) break;
  }
  return places.filter((place) => place !== null && place !== undefined);
}

function takeStep({ key, filter }: Step, place: unknown): unknown[] {
  if (!isContainer(place)) return [];
  if (key !== undefined) return Object.hasOwn(place, key) ? [Reflect.get(place, key)] : [];
  const members: unknown[] = Object.values(place);
  return filter ? members.filter((member) => hasMember(member, filter)) : members;
}

function hasMember(member: unknown, { key, value }: NonNullable<Step['filter']>): boolean {
  if (!isContainer(member) || !Object.hasOwn(member, key)) return false;
  const found: unknown = Reflect.get(member, key);
  return Array.isArray(found) ? found.some((one) => String(one) === value) : String(found) === value;
}

export const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;
