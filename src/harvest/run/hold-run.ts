/** A run that takes its time: lease taken and kept by heartbeats, outcome recorded, everything told to the log. */
import { asGarnerError, GarnerError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import type { GarnerStore, RunStart, StartedRun } from '../../store/index.ts';
import type { ImportReport } from './report.ts';

const HEARTBEAT_MS = 10_000;

export interface RunDeps {
  readonly store: Pick<GarnerStore, 'items' | 'runs'>;
  readonly log?: Log;
}

export interface HeldRun extends StartedRun {
  /** Aborted when the lease is lost. */
  readonly lost: AbortSignal;
}

export async function holdRun(
  { store: { runs }, log }: RunDeps,
  source: string,
  kind: string,
  options: RunStart,
  work: (run: HeldRun) => Promise<ImportReport>,
): Promise<ImportReport> {
  const started = await runs.startRun(source, kind, options);
  const runId = started.id;
  log?.('run.started', { source, kind, runId, ...(started.checkpoint !== undefined && { resumed: true }) });
  const lost = new AbortController();
  const heartbeat = setInterval(() => {
    runs.heartbeat(runId).catch((error: unknown) => lost.abort(error));
  }, HEARTBEAT_MS);
  try {
    const report = await work({ ...started, lost: lost.signal });
    await runs.finishRun(runId, report.status, report.message, report.counts.unchanged);
    const durationMs = Math.round(report.seconds * 1000);
    const { status, message, counts } = report;
    log?.('run.finished', { source, runId, status, durationMs, counts, ...(message && { message }) });
    return report;
  } catch (thrown) {
    const error = asGarnerError(thrown);
    log?.('run.failed', { source, runId, error });
    // Without its lease the run is no longer ours to finish.
    if (error.code !== 'store.lease-lost')
      await runs.finishRun(runId, 'failed', error.message).catch((cause: unknown) => {
        throw new GarnerError(error.code, error.message, { cause, details: { ...error.details } });
      });
    throw error;
  } finally {
    clearInterval(heartbeat);
  }
}
