/** The source kind `oai`, as its configuration describes it. */
import { GarnerError } from '../../core/errors.ts';
import { OAI_DIDL } from '../../formats/didl/didl.ts';
import { webCapture } from '../../formats/web-capture.ts';
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
  /** Files in DIDL that are there by reference only. */
  readonly references?: 'note' | 'fetch';
}

/**
 * Every prefix in every set. With several prefixes each must have a format of its own: deletions are
 * told per prefix, and a deleted record has nothing to be known by.
 */
export function planLists(source: OaiSource, isFormat: (name: string) => boolean): ListSpec[] {
  const prefixes = Object.entries(source.prefixes);
  return prefixes.flatMap(([prefix, named]) => {
    if ((named ?? prefix) === OAI_DIDL.prefix && !isFormat(OAI_DIDL.prefix))
      return inSets(source, { prefix, format: webCapture.name, captures: true });
    const format = named ?? (prefixes.length > 1 && isFormat(prefix) ? prefix : undefined);
    if (prefixes.length > 1 && format === undefined)
      throw new GarnerError(
        'config.invalid',
        `source "${source.name}": which format is ${prefix}? Write prefixes: { ${prefix}: FORMAT, … }`,
      );
    const list: ListSpec = { prefix, ...(format !== undefined && { format }) };
    return inSets(source, list);
  });
}

const inSets = ({ sets }: OaiSource, list: ListSpec): ListSpec[] =>
  sets ? sets.map((set) => ({ ...list, set })) : [list];
