/** A topic's discovery as a run of the store: one at a time, resumable, with its problems. */
import { asGarnerError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import type { RecordProblem } from '../../core/model.ts';
import type { GarnerStore, RunStatus } from '../../store/index.ts';
import type { TopicQuestion } from '../topics/topic.ts';
import { type DiscoverDeps, type DiscoverOptions, discoverTopic } from './discover-topic.ts';
import type { TopicRun } from './topic-run.ts';
import type { TopicRuns } from './topic-runs.ts';

export interface RunTopicDeps extends DiscoverDeps {
  readonly store: Pick<GarnerStore, 'runs' | 'items'>;
  readonly runs: TopicRuns;
  readonly log: Log;
  /** How many lists of a topic are kept. */
  readonly keepRuns: number;
}

export interface RunTopicOptions extends Pick<DiscoverOptions, 'plan'> {
  readonly signal?: AbortSignal;
  /** Forget what an interrupted run knows already. */
  readonly fresh?: boolean;
  readonly onChange?: (run: TopicRun) => void;
}

export interface TopicReport {
  readonly run: TopicRun;
  readonly status: Exclude<RunStatus, 'running'>;
  readonly message?: string;
}

export const DISCOVER_RUN = 'discover';
const HEARTBEAT_MS = 10_000;

/** The newest list that was finished, before a given run. */
export function findFinished(runs: TopicRuns, acronym: string, beforeRun = Infinity): TopicRun | undefined {
  for (const runId of runs.list(acronym)) {
    const run = runId < beforeRun ? runs.find(acronym, runId) : undefined;
    if (run?.step === 'done') return run;
  }
  return undefined;
}

export async function runTopic(
  topic: TopicQuestion,
  deps: RunTopicDeps,
  options: RunTopicOptions = {},
): Promise<TopicReport> {
  const { store, runs, log } = deps;
  const { acronym } = topic;
  const { id: runId, checkpoint } = await store.runs.startRun(acronym, DISCOVER_RUN, {
    resume: options.fresh !== true,
  });
  log('run.started', { source: acronym, kind: DISCOVER_RUN, runId, resumed: checkpoint !== undefined });
  const startedAt = deps.clock();
  const lost = new AbortController();
  const heartbeat = setInterval(() => {
    store.runs.heartbeat(runId).catch((error: unknown) => lost.abort(error));
  }, HEARTBEAT_MS);
  const signal = options.signal ? AbortSignal.any([options.signal, lost.signal]) : lost.signal;
  try {
    const interrupted = findInterrupted(runs, acronym, checkpoint);
    const before = findFinished(runs, acronym, runId);
    await store.items.commit({ source: acronym, runId, checkpoint: { list: runId } });
    const run = await discoverTopic(topic, deps, {
      runId,
      ...(before && { before }),
      ...(interrupted && { interrupted }),
      ...(options.plan && { plan: options.plan }),
      signal,
      onChange: (changed) => {
        runs.write(changed);
        options.onChange?.(changed);
      },
    });
    await store.items.commit({ source: acronym, runId, problems: problemsOf(run), checkpoint: null });
    runs.prune(acronym, deps.keepRuns);
    const outcome = outcomeOf(run);
    await store.runs.finishRun(runId, outcome.status, outcome.message);
    log('run.finished', {
      source: acronym,
      runId,
      status: outcome.status,
      durationMs: deps.clock() - startedAt,
      ...(outcome.message !== undefined && { message: outcome.message }),
    });
    return { run, ...outcome };
  } catch (thrown) {
    if (lost.signal.aborted) throw asGarnerError(lost.signal.reason);
    const stopped = options.signal?.aborted === true;
    const error = asGarnerError(thrown);
    if (!stopped) log('run.failed', { source: acronym, runId, error });
    await store.runs.finishRun(
      runId,
      stopped ? 'interrupted' : 'failed',
      stopped ? 'stopped; the next run goes on with it' : error.message,
    );
    throw error;
  } finally {
    clearInterval(heartbeat);
  }
}

function findInterrupted(runs: TopicRuns, acronym: string, checkpoint: unknown): TopicRun | undefined {
  if (typeof checkpoint !== 'object' || checkpoint === null || !('list' in checkpoint)) return undefined;
  const list = runs.find(acronym, Number(checkpoint.list));
  // One that was finished when its process died has nothing left to ask.
  return list?.step === 'done' ? undefined : list;
}

function outcomeOf({ engines, candidates }: TopicRun): Omit<TopicReport, 'run'> {
  const failed = engines.filter(({ status }) => status === 'failed');
  if (failed.length === 0) return { status: 'complete' };
  const names = failed.map(({ name }) => name).join(', ');
  const verb = failed.length === 1 ? 'gives' : 'give';
  return failed.length === engines.length && candidates.length === 0
    ? { status: 'failed', message: 'no engine gives an answer' }
    : { status: 'incomplete', message: `${names} ${verb} no whole answer` };
}

function problemsOf({ engines, refused }: TopicRun): RecordProblem[] {
  return [
    ...engines.flatMap(({ name, code, message }): RecordProblem[] =>
      code === undefined ? [] : [{ code, message: message ?? '', where: name }],
    ),
    ...refused.map(
      ({ url, engine, reason }): RecordProblem => ({
        code: 'discover.refused',
        message: `${url.slice(0, 500)} ${reason}`,
        where: engine,
      }),
    ),
  ];
}
