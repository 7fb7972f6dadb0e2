/** A configured source brought up to date, with everything that belongs to a run: log, politeness, notification. */
import { createSourceIngest, type Garner } from '../app.ts';
import { GarnerError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import { systemClock } from '../core/time.ts';
import { harvestSource } from '../harvest/harvest-source.ts';
import { createHostGate } from '../harvest/http/index.ts';
import { sourcePolicy } from '../harvest/http/source-policy.ts';
import type { IntakeOptions } from '../harvest/run/intake.ts';
import type { ImportReport } from '../harvest/run/report.ts';
import { mapHosts } from '../net/host-map.ts';
import { createQualityReports, type QualityReports } from '../workflow/quality/index.ts';
import { pruneOldRuns } from '../workflow/retention.ts';
import { createRunLogs, type RunLogs } from '../workflow/run-logs.ts';
import { type Scheduler, startScheduler } from '../workflow/scheduler.ts';
import { configuredCrawl, crawlArchive } from './crawl-archive.ts';
import { findLastRun, notifyOfLast } from './notify-run.ts';
import { scheduledJobs } from './scheduled-jobs.ts';
import { thinVersions } from './thin-versions.ts';
import { openTopicPipeline, type TopicPipeline } from './topic-pipeline.ts';

/** Shared by all runs of the process, so that two sources on one host are polite together. */
const hostGate = createHostGate();

export function openRunLogs({ config }: Garner): RunLogs {
  return createRunLogs(config.data, systemClock);
}

export function openQuality({ store, formats, config }: Garner): QualityReports {
  return createQualityReports({
    store,
    fields: formats.fieldSpecs(),
    dataFolder: config.data,
    clock: systemClock,
  });
}

export async function runSource(
  garner: Garner,
  name: string,
  log: Log,
  options: IntakeOptions = {},
): Promise<ImportReport> {
  const { store, formats, config } = garner;
  const source = config.sources[name];
  if (!source) throw new GarnerError('source.unknown', `there is no source "${name}"`);
  const told = openRunLogs(garner).tee(log);
  const policy =
    'attempts' in source
      ? { ...sourcePolicy(source, config.repository), ...mapHosts(config.net.hosts), hostGate }
      : undefined;
  const ingest = createSourceIngest(garner, name);
  const archive = { captures: store.captures, fields: formats.fieldSpecs(), dataFolder: config.data };
  const before = await findLastRun(garner, name);
  try {
    return await harvestSource(
      { store, ingest, formats, archive, log: told, ...(policy && { policy }) },
      name,
      source,
      options,
    );
  } finally {
    await ingest.close();
    await notifyOfLast(garner, name, before, told);
  }
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** What `garner serve` does beside serving: runs when they are due, old ones forgotten. */
export function startWorkflow(garner: Garner, log: Log): Scheduler {
  const { config, store } = garner;
  const { timeZone, jitterMs, concurrent, keepDays } = config.runs;
  const logs = openRunLogs(garner);
  const pipeline = openTopicPipeline(garner, logs.tee(log));
  const scheduler = startScheduler(scheduledJobs(garner), {
    runs: store.runs,
    start: (source, signal) => {
      if (garner.topics.has(source)) return runTopicInTime(pipeline, source, signal);
      const crawl = configuredCrawl(config, source);
      return crawl
        ? crawlArchive(garner, crawl, logs.tee(log), { signal })
        : runSource(garner, source, log, { signal });
    },
    log,
    timeZone,
    jitterMs,
    concurrent,
    clock: systemClock,
  });
  let pruning = Promise.resolve();
  const prune = () => {
    pruning = pruneOldRuns(keepDays, { runs: store.runs, logs, log, clock: systemClock })
      .then(() => thinVersions(garner, log))
      .then(
        () => {},
        (error: unknown) => log('schedule.failed', { source: '', error }),
      );
  };
  prune();
  const daily = setInterval(prune, DAY_MS);
  return {
    stop: async () => {
      clearInterval(daily);
      await Promise.all([scheduler.stop(), pruning]);
      pipeline[Symbol.dispose]();
    },
  };
}

/** What a stopped run left is finished first; then it is time for a new one. */
async function runTopicInTime(pipeline: TopicPipeline, acronym: string, signal: AbortSignal): Promise<void> {
  const { resumed, status } = await pipeline.run(acronym, { signal });
  if (resumed && status !== 'interrupted') await pipeline.run(acronym, { signal });
}
