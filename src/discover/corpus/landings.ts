/** Where seeds led: the documents that stand for them after redirects. */
import { surtKey } from '../../archive/index.ts';
import { OPERATOR } from '../../core/access.ts';
import type { WebSnapshot } from '../../formats/web-snapshot.ts';
import type { GarnerStore } from '../../store/index.ts';
import { canonicalKey } from '../fusion/canonical.ts';
import { refuse } from '../fusion/refuse.ts';
import type { TopicSeed } from '../run/topic-run.ts';

const MOST_REDIRECTS = 10;

/** Keys of documents by keys of seeds; only of those that were redirected. */
export async function findLandings(
  { captures }: Pick<GarnerStore, 'captures'>,
  source: string,
  { startedAt, endedAt }: Pick<WebSnapshot, 'startedAt' | 'endedAt'>,
  seeds: readonly TopicSeed[],
): Promise<Record<string, string>> {
  const during = { sources: [source], fromAt: Date.parse(startedAt), untilAt: Date.parse(endedAt) + 1000 };
  const landings: Record<string, string> = {};
  for (const { key, url } of seeds) {
    let at = url;
    for (let hop = 0; hop < MOST_REDIRECTS; hop++) {
      const visits = await captures.list({ urlKey: surtKey(at), ...during, limit: 10 }, OPERATOR);
      const next = visits.findLast(({ status = 0 }) => status >= 300 && status < 400)?.redirect;
      const target = next === undefined ? null : URL.parse(next, at);
      if (!target || target.href === at || refuse(target.href, true) !== undefined) break;
      at = target.href;
    }
    const landed = canonicalKey(at);
    if (landed !== key) landings[key] = landed;
  }
  return landings;
}
