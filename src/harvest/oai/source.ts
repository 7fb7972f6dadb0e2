/** The source kind `oai`, as its configuration describes it. */
import { GarnerError } from '../../core/errors.ts';
import type { ListSpec } from './list-state.ts';

export interface OaiSource {
  readonly name: string;
  readonly url: string;
  /** Metadata prefixes with our names of their formats; undefined: known by looking at each record. */
  readonly prefixes: Readonly<Record<string, string | undefined>>;
  readonly sets?: readonly string[];
  readonly from?: string;
  readonly until?: string;
  readonly feed: 'records' | 'identifiers';
  readonly granularity?: 'day' | 'second';
  readonly fullEveryDays: number;
  readonly maxDeleteShare: number;
}

/**
 * Every prefix in every set. With several prefixes each must have a format of its own: deletions are
 * told per prefix, and a deleted record has nothing to be known by.
 */
export function planLists(source: OaiSource, isFormat: (name: string) => boolean): ListSpec[] {
  const prefixes = Object.entries(source.prefixes);
  return prefixes.flatMap(([prefix, named]) => {
    const format = named ?? (prefixes.length > 1 && isFormat(prefix) ? prefix : undefined);
    if (prefixes.length > 1 && format === undefined)
      throw new GarnerError(
        'config.invalid',
        `source "${source.name}": which format is ${prefix}? Write prefixes: { ${prefix}: FORMAT, … }`,
      );
    const list: ListSpec = { prefix, ...(format !== undefined && { format }) };
    return source.sets ? source.sets.map((set) => ({ ...list, set })) : [list];
  });
}
