/** What `garner serve` runs by itself, and when. */
import type { Garner } from '../app.ts';
import { isHarvested } from '../harvest/harvest-source.ts';
import type { ScheduledJob } from '../workflow/scheduler.ts';

/** Sources and topics with a schedule of their own or, of topics, the one for all. */
export function scheduledJobs({ config, topics }: Pick<Garner, 'config' | 'topics'>): ScheduledJob[] {
  const sources = Object.entries(config.sources).flatMap(([source, sourceConfig]) =>
    (isHarvested(sourceConfig) || sourceConfig.kind === 'archive') &&
    'schedule' in sourceConfig &&
    sourceConfig.schedule !== undefined
      ? [{ source, schedule: sourceConfig.schedule }]
      : [],
  );
  const found = [...topics.values()].flatMap(({ acronym, schedule }) =>
    schedule === undefined ? [] : [{ source: acronym, schedule }],
  );
  return [...sources, ...found];
}
