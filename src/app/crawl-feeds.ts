/** Archives that follow feeds: what web servers tell by OAI-PMH is fetched, and what they no longer have is marked. */
import type { Garner } from '../app.ts';
import { identifierOf } from '../archive/items/index.ts';
import type { RecordProblem } from '../core/model.ts';
import { ARCHIVE_ENTRY } from '../harvest/archive/index.ts';
import { listKnownEntries } from '../harvest/files/known-entries.ts';
import type { HttpPolicy } from '../harvest/http/index.ts';
import { readUrlFeed, type UrlFeed } from '../harvest/oai/index.ts';
import { withRun } from '../harvest/with-run.ts';
import { mapHosts } from '../net/host-map.ts';
import { userAgent } from '../net/user-agent.ts';

/** What the feeds of a source tell since its last crawl. */
export interface FeedNews {
  readonly seeds: readonly string[];
  readonly feeds: ReadonlyMap<string, UrlFeed>;
}

const entryName = (feed: string) => `${ARCHIVE_ENTRY}feed ${feed}`;

export async function readFeeds(
  { store, config }: Garner,
  source: string,
  urls: readonly string[],
  { allowPrivate, signal }: { readonly allowPrivate: boolean; readonly signal: AbortSignal },
): Promise<FeedNews> {
  const { baseUrl, adminEmail } = config.repository;
  const policy: HttpPolicy = {
    userAgent: userAgent({ url: baseUrl, email: adminEmail }),
    allowPrivate,
    ...mapHosts(config.net.hosts),
  };
  const feeds = new Map<string, UrlFeed>();
  const entries = await listKnownEntries(store.items, source);
  for (const url of urls) {
    const known = entries.get(entryName(url));
    feeds.set(url, await readUrlFeed(url, policy, { signal, ...(known && { sinceAt: known.modifiedAt }) }));
  }
  return { seeds: [...feeds.values()].flatMap((feed) => feed.urls), feeds };
}

/** After a crawl that got everything: from here on only what is newer is asked for. */
export async function settleFeeds(garner: Garner, source: string, { feeds }: FeedNews): Promise<void> {
  const { runs, items } = garner.store;
  await withRun(runs, source, 'feed', async (runId) => {
    const all = [...feeds];
    const problems: RecordProblem[] = all.flatMap(([, feed]) => feed.problems);
    await items.commit({
      source,
      runId,
      problems,
      deletions: all.flatMap(([, { deleted }]) => deleted.map((url) => ({ identifier: identifierOf(url) }))),
      readEntries: all.flatMap(([url, { readAt }]) =>
        readAt === undefined ? [] : [{ entry: entryName(url), digest: 'feed', size: 0, modifiedAt: readAt }],
      ),
    });
  });
}
