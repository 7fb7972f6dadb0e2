/** What the source remembers of its files: digests by entry name. */
import type { ItemStore } from '../../store/index.ts';

const PAGE = 5000;

export async function listKnownDigests(
  items: Pick<ItemStore, 'listEntries'>,
  source: string,
): Promise<Map<string, string>> {
  const digests = new Map<string, string>();
  for (let after: string | undefined; ; ) {
    const page = await items.listEntries(source, after, PAGE);
    for (const { entry, digest } of page) digests.set(entry, digest);
    if (page.length < PAGE) return digests;
    after = page.at(-1)?.entry;
  }
}
