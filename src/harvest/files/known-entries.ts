/** What the source remembers of its files, by entry name. */
import type { EntryState, ItemStore } from '../../store/index.ts';

const PAGE = 5000;

export async function listKnownEntries(
  items: Pick<ItemStore, 'listEntries'>,
  source: string,
): Promise<Map<string, EntryState>> {
  const known = new Map<string, EntryState>();
  for (let after: string | undefined; ; ) {
    const page = await items.listEntries(source, after, PAGE);
    for (const state of page) known.set(state.entry, state);
    if (page.length < PAGE) return known;
    after = page.at(-1)?.entry;
  }
}
