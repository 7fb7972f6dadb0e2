/** How far a topic is, in one line. */
import type { CrawlProgress } from '../crawl/index.ts';
import type { TopicRun } from '../discover/index.ts';
import { formatCount } from './terminal.ts';

export function describeProgress({ acronym, engines, candidates, step, looked }: TopicRun): string {
  const done = engines.filter(({ status }) => status === 'done' || status === 'failed').length;
  return step === 'asking'
    ? `${acronym}: ${done} of ${engines.length} engines answered, ${formatCount(candidates.length)} candidates`
    : `${acronym}: looked at ${formatCount(looked)} of ${formatCount(candidates.length)}`;
}

export function describeCrawl(
  acronym: string,
  { captures, queued, active, failed, hosts }: CrawlProgress,
): string {
  const busy = hosts.filter(({ active: under }) => under > 0).map(({ host }) => host);
  return [
    `${acronym}: ${formatCount(captures)} captures`,
    `${formatCount(queued + active)} to go`,
    ...(failed > 0 ? [`${formatCount(failed)} failed`] : []),
    ...(busy.length > 0 ? [`now ${busy.slice(0, 3).join(', ')}`] : []),
  ].join(', ');
}
