/**
 * The source kind `push`: records that others send. Whoever sends is answered after the commit. Requests
 * that come close together share a run and its commits, so that a thousand small ones are not a thousand runs.
 */
import { OPERATOR } from '../../core/access.ts';
import { asGarnerError, type GarnerError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import type { RecordProblem } from '../../core/model.ts';
import type { GarnerStore, RecordOutcome } from '../../store/index.ts';
import type { Ingest } from '../ingest.ts';
import { type ExtractedChange, extractChanges, type PushChange } from './push-change.ts';

export interface PushOutcome {
  /** Absent when the change named none and none could be read from the record. */
  readonly identifier?: string;
  /** `absent`: there was nothing to delete; `filtered`: the source does not want it; `refused`: see `problems`. */
  readonly status: RecordOutcome | 'deleted' | 'absent' | 'filtered' | 'refused';
  readonly problems: readonly RecordProblem[];
}

export interface PushIntake {
  /** In the order of the changes. Throws when the source is taken by another run, or the store fails. */
  push(source: string, changes: readonly PushChange[]): Promise<readonly PushOutcome[]>;
  /** Ends what is under way. */
  close(): Promise<void>;
}

export interface PushDeps {
  readonly store: Pick<GarnerStore, 'items' | 'runs'>;
  readonly createIngest: (source: string) => Ingest;
  readonly log?: Log;
  /** How long a run waits for more; default 1 s. */
  readonly lingerMs?: number;
  /** How long extraction stays ready without work; default 1 min. */
  readonly idleMs?: number;
}

interface Job {
  readonly changes: readonly PushChange[];
  readonly resolve: (outcomes: readonly PushOutcome[]) => void;
  readonly reject: (error: GarnerError) => void;
}

/** Changes in one commit; one larger request is still one. */
const MAX_CHANGES = 500;
const HEARTBEAT_MS = 10_000;

export function createPushIntake(deps: PushDeps): PushIntake {
  const lanes = new Map<string, Lane>();
  let closing = false;
  return {
    push: (source, changes) => {
      let lane = lanes.get(source);
      if (!lane) {
        lane = new Lane(deps, source);
        lanes.set(source, lane);
      }
      return lane.push(changes, closing);
    },
    close: async () => {
      closing = true;
      await Promise.all(lanes.values().map((lane) => lane.close()));
    },
  };
}

/** All changes of one source, one after the other. */
class Lane {
  readonly #deps: PushDeps;
  readonly #source: string;
  readonly #waiting: Job[] = [];
  #working: Promise<void> | undefined;
  #wake: (() => void) | undefined;
  #ingest: Ingest | undefined;
  #idle: NodeJS.Timeout | undefined;
  #closing = false;

  constructor(deps: PushDeps, source: string) {
    this.#deps = deps;
    this.#source = source;
  }

  push(changes: readonly PushChange[], closing: boolean): Promise<readonly PushOutcome[]> {
    const { promise, resolve, reject } = Promise.withResolvers<readonly PushOutcome[]>();
    this.#waiting.push({ changes, resolve, reject });
    this.#closing ||= closing;
    this.#wake?.();
    this.#working ??= this.#work().finally(() => {
      this.#working = undefined;
    });
    return promise;
  }

  async close(): Promise<void> {
    this.#closing = true;
    this.#wake?.();
    await this.#working;
    clearTimeout(this.#idle);
    await this.#ingest?.close();
    this.#ingest = undefined;
  }

  async #work(): Promise<void> {
    clearTimeout(this.#idle);
    const { runs } = this.#deps.store;
    let runId: number;
    try {
      runId = (await runs.startRun(this.#source, 'push')).id;
    } catch (thrown) {
      this.#rejectAll(asGarnerError(thrown));
      return;
    }
    const { log } = this.#deps;
    const startedAt = Date.now();
    log?.('run.started', { source: this.#source, kind: 'push', runId });
    const heartbeat = setInterval(() => {
      // A lost lease shows itself at the next commit, which tells the sender.
      runs.heartbeat(runId).catch(() => {});
    }, HEARTBEAT_MS);
    try {
      let refused = 0;
      do refused += await this.#takeWaiting(runId);
      while (await this.#isMoreComing());
      // Nothing is remembered as missing: whoever sent it was told, and may send it again.
      const message =
        refused === 0
          ? undefined
          : `${refused === 1 ? '1 record' : `${refused} records`} could not be taken in; the problems of the run name each.`;
      const status = refused === 0 ? 'complete' : 'incomplete';
      await runs.finishRun(runId, status, message);
      log?.('run.finished', {
        source: this.#source,
        runId,
        status,
        durationMs: Date.now() - startedAt,
        ...(message && { message }),
      });
    } catch (thrown) {
      const error = asGarnerError(thrown);
      log?.('run.failed', { source: this.#source, runId, error });
      this.#rejectAll(error);
      if (error.code !== 'store.lease-lost')
        await runs.finishRun(runId, 'failed', error.message).catch(() => {});
    } finally {
      clearInterval(heartbeat);
    }
    // Somebody may have come while the run was being finished.
    if (this.#waiting.length > 0) return this.#work();
    this.#idle = setTimeout(() => void this.#rest(), this.#deps.idleMs ?? 60_000);
    this.#idle.unref();
  }

  async #rest(): Promise<void> {
    if (this.#working) return;
    const ingest = this.#ingest;
    this.#ingest = undefined;
    await ingest?.close();
  }

  #rejectAll(error: GarnerError): void {
    for (const job of this.#waiting.splice(0)) job.reject(error);
  }

  async #isMoreComing(): Promise<boolean> {
    if (this.#waiting.length > 0) return true;
    if (this.#closing) return false;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, this.#deps.lingerMs ?? 1000);
    this.#wake = resolve;
    await promise;
    clearTimeout(timer);
    this.#wake = undefined;
    return this.#waiting.length > 0;
  }

  /** How many changes were refused. */
  async #takeWaiting(runId: number): Promise<number> {
    let refused = 0;
    while (this.#waiting.length > 0) {
      const jobs: Job[] = [];
      let count = 0;
      while (this.#waiting[0] && (count === 0 || count + this.#waiting[0].changes.length <= MAX_CHANGES)) {
        const job = this.#waiting.shift();
        if (!job) break;
        jobs.push(job);
        count += job.changes.length;
      }
      try {
        const outcomes = await this.#take(
          runId,
          jobs.flatMap(({ changes }) => changes),
        );
        refused += outcomes.filter(({ status }) => status === 'refused').length;
        let from = 0;
        for (const { changes, resolve } of jobs) {
          resolve(outcomes.slice(from, from + changes.length));
          from += changes.length;
        }
      } catch (thrown) {
        const error = asGarnerError(thrown);
        for (const { reject } of jobs) reject(error);
        throw error;
      }
    }
    return refused;
  }

  async #take(runId: number, changes: readonly PushChange[]): Promise<PushOutcome[]> {
    this.#ingest ??= this.#deps.createIngest(this.#source);
    const extracted = await extractChanges(this.#ingest, changes);
    const outcomes: PushOutcome[] = [];
    for (const segment of cutSegments(extracted)) outcomes.push(...(await this.#commit(runId, segment)));
    return outcomes;
  }

  async #commit(runId: number, segment: readonly ExtractedChange[]): Promise<PushOutcome[]> {
    const { items } = this.#deps.store;
    const source = this.#source;
    const live = new Set<string>();
    for (const change of segment) {
      if (change.kind !== 'delete') continue;
      const item = await items.findItem({ source, identifier: change.identifier }, OPERATOR);
      if (item?.status === 'live') live.add(change.identifier);
    }
    const result = await items.commit({
      source,
      runId,
      records: segment.flatMap((change) => (change.kind === 'put' ? [change.record] : [])),
      deletions: segment.flatMap((change) =>
        change.kind === 'delete' || change.kind === 'filtered' ? [{ identifier: change.identifier }] : [],
      ),
      problems: segment.flatMap(({ problems }) => problems),
      tellOutcomes: true,
    });
    const recordOutcomes = [...(result.outcomes ?? [])];
    return segment.map((change): PushOutcome => {
      const { problems } = change;
      if (change.kind === 'refused')
        return {
          ...(change.identifier !== undefined && { identifier: change.identifier }),
          status: 'refused',
          problems,
        };
      const { identifier } = change;
      if (change.kind === 'filtered') return { identifier, status: 'filtered', problems };
      if (change.kind === 'delete')
        return { identifier, status: live.has(identifier) ? 'deleted' : 'absent', problems };
      return { identifier, status: recordOutcomes.shift() ?? 'unchanged', problems };
    });
  }
}

/** A commit takes records before deletions; a change of the same item comes in the next one, so that the last wins. */
function cutSegments(changes: readonly ExtractedChange[]): ExtractedChange[][] {
  const segments: ExtractedChange[][] = [];
  let met = new Set<string>();
  for (const change of changes) {
    const { identifier } = change;
    if (segments.length === 0 || (identifier !== undefined && met.has(identifier))) {
      segments.push([]);
      met = new Set();
    }
    if (identifier !== undefined) met.add(identifier);
    segments.at(-1)?.push(change);
  }
  return segments;
}
