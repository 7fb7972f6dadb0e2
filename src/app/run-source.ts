/** A configured source brought up to date, with everything that belongs to a run: log, politeness, notification. */
import { createSourceIngest, type Garner } from '../app.ts';
import { GarnerError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import { systemClock } from '../core/time.ts';
import { harvestSource, isHarvested } from '../harvest/harvest-source.ts';
import { createHostGate, createHttpClient, userAgent } from '../harvest/http/index.ts';
import { sourcePolicy } from '../harvest/http/source-policy.ts';
import type { IntakeOptions } from '../harvest/run/intake.ts';
import type { ImportReport } from '../harvest/run/report.ts';
import { notifyRun } from '../workflow/notify.ts';
import { createQualityReports, type QualityReports } from '../workflow/quality/index.ts';
import { pruneOldRuns } from '../workflow/retention.ts';
import { createRunLogs, type RunLogs } from '../workflow/run-logs.ts';
import { type Scheduler, startScheduler } from '../workflow/scheduler.ts';
import { openDiscovery } from './discover.ts';

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
  const policy = 'attempts' in source ? { ...sourcePolicy(source, config.repository), hostGate } : undefined;
  const ingest = createSourceIngest(garner, name);
  const archive = { captures: store.captures, fields: formats.fieldSpecs(), dataFolder: config.data };
  const before = (await store.runs.listRuns({ source: name, limit: 1 }))[0]?.id ?? 0;
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

/** Of the run that was started here, however it ended. */
async function notifyOfLast(garner: Garner, source: string, before: number, log: Log): Promise<void> {
  const { store, config } = garner;
  const { notify } = config.runs;
  if (!notify) return;
  const [run] = await store.runs.listRuns({ source, limit: 1 });
  if (!run || run.id <= before || run.status === 'running') return;
  const { baseUrl, adminEmail } = config.repository;
  const client = createHttpClient({
    userAgent: userAgent({ url: baseUrl, email: adminEmail }),
    allowPrivate: notify.allowPrivate,
    attempts: 3,
    connectTimeoutMs: 10_000,
    idleTimeoutMs: 10_000,
    maxRedirects: 0,
  });
  try {
    await notifyRun(run, {
      settings: notify,
      baseUrl,
      clock: systemClock,
      log,
      post: async (url, body, headers) => {
        const response = await client.request({ url, method: 'POST', body, headers });
        response.discard();
      },
    });
  } finally {
    client.close();
  }
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** What `garner serve` does beside serving: runs when they are due, old ones forgotten. */
export function startWorkflow(garner: Garner, log: Log): Scheduler {
  const { config, store } = garner;
  const { timeZone, jitterMs, concurrent, keepDays } = config.runs;
  const jobs = Object.entries(config.sources).flatMap(([source, sourceConfig]) =>
    isHarvested(sourceConfig) && 'schedule' in sourceConfig && sourceConfig.schedule !== undefined
      ? [{ source, schedule: sourceConfig.schedule }]
      : [],
  );
  const { schedule } = config.discover;
  const topicJobs =
    schedule === undefined ? [] : [...garner.topics.keys()].map((source) => ({ source, schedule }));
  const discovery = openDiscovery(garner, openRunLogs(garner).tee(log));
  const scheduler = startScheduler([...jobs, ...topicJobs], {
    runs: store.runs,
    start: (source, signal) =>
      garner.topics.has(source)
        ? discovery.run(source, { signal })
        : runSource(garner, source, log, { signal }),
    log,
    timeZone,
    jitterMs,
    concurrent,
    clock: systemClock,
  });
  const logs = openRunLogs(garner);
  let pruning = Promise.resolve();
  const prune = () => {
    pruning = pruneOldRuns(keepDays, { runs: store.runs, logs, log, clock: systemClock }).then(
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
      discovery[Symbol.dispose]();
    },
  };
}
