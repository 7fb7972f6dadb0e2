/** How verbs name an item: by identifier, or by its repository-unique OAI identifier; `--source` when two share one. */
import { OPERATOR } from '../core/access.ts';
import { GarnerError } from '../core/errors.ts';
import type { ItemStore, StoredItem } from '../store/index.ts';

export async function findNamedItem(
  items: ItemStore,
  name: string,
  source: string | undefined,
): Promise<StoredItem> {
  if (source !== undefined) {
    const item = await items.findItem({ source, identifier: name }, OPERATOR);
    if (item) return item;
    throw new GarnerError('item.unknown', `source "${source}" has no item "${name}"`);
  }
  const byIdentifier = await items.findItemsByIdentifier(name, OPERATOR);
  if (byIdentifier.length > 1) {
    const sources = byIdentifier.map((item) => item.source).join(', ');
    throw new GarnerError(
      'usage.invalid',
      `"${name}" is in several sources (${sources}); say which with --source`,
    );
  }
  const item = byIdentifier[0] ?? (await items.findItemByOaiIdentifier(name, OPERATOR));
  if (item) return item;
  throw new GarnerError('item.unknown', `there is no item "${name}"`);
}

/** The one positional argument that a verb needs. */
export function onePositional(positionals: readonly string[], what: string, usage: string): string {
  const [value, ...more] = positionals;
  if (value === undefined || more.length > 0) {
    throw new GarnerError(
      'usage.invalid',
      `${value === undefined ? 'missing' : 'just one'} ${what}, please\nusage: garner ${usage}`,
    );
  }
  return value;
}
