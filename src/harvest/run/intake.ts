/** What every run that takes records in has: a batch being filled, a line of commits, progress, a verdict. */
import type { Log } from '../../core/log.ts';
import type { RecordProblem } from '../../core/model.ts';
import type { Clock } from '../../core/time.ts';
import type { ChangeCounts, GarnerStore } from '../../store/index.ts';
import type { Ingest, RecordPiece } from '../ingest.ts';
import { Batch } from './batch.ts';
import { CommitLine } from './commit-line.ts';
import type { HeldRun } from './hold-run.ts';
import { judgeMissing } from './losses.ts';
import type { ImportProgress, ImportReport } from './report.ts';
import { judgeVanished, type VanishedFacts, type Verdict } from './vanished.ts';

/** Between two lines of progress in the log. */
const LOG_EVERY_MS = 5000;

export interface IntakeDeps {
  readonly store: Pick<GarnerStore, 'items' | 'runs'>;
  readonly ingest: Ingest;
  readonly log?: Log;
  readonly clock?: Clock;
}

export interface IntakeOptions {
  /** Deletes more than `maxDeleteShare` allows. */
  readonly force?: boolean;
  /** Reads everything again, whatever the origin says of its age. */
  readonly full?: boolean;
  readonly onProgress?: (progress: Readonly<ImportProgress>) => void;
  /** Ends the run as `interrupted` after what is on its way; the next one goes on where it stopped. */
  readonly signal?: AbortSignal;
}

export interface IntakeSource {
  readonly name: string;
  /** 0 to 1: how much of the source may vanish at once. */
  readonly maxDeleteShare: number;
}

export class Intake {
  readonly progress: ImportProgress = {
    entriesSeen: 0,
    bytesRead: 0,
    records: 0,
    committed: 0,
    problems: 0,
  };
  entriesUnchanged = 0;
  entriesSkipped = 0;
  batch = new Batch();
  readonly #deps: IntakeDeps;
  readonly #source: IntakeSource;
  readonly #options: IntakeOptions;
  readonly #run: HeldRun;
  readonly #clock: Clock;
  readonly #startedAt: number;
  #loggedAt: number;
  readonly #line: CommitLine;

  constructor(deps: IntakeDeps, source: IntakeSource, options: IntakeOptions, run: HeldRun) {
    this.#deps = deps;
    this.#source = source;
    this.#options = options;
    this.#run = run;
    this.#clock = deps.clock ?? Date.now;
    this.#startedAt = this.#clock();
    this.#loggedAt = this.#startedAt;
    this.#line = new CommitLine(
      deps.store.items,
      deps.ingest,
      { source: source.name, runId: run.id },
      ({ records, problems, result }) => {
        this.progress.committed += records;
        this.progress.problems += problems.length + (result.duplicates?.length ?? 0);
        for (const problem of [...problems, ...(result.duplicates ?? [])]) this.#logProblem(problem);
        this.tellProgress();
      },
    );
  }

  get stopped(): boolean {
    return this.#run.lost.aborted || this.#options.signal?.aborted === true;
  }

  /** Whether an error is only the end that was asked for. */
  isStop(thrown: unknown): boolean {
    const { signal } = this.#options;
    if (signal?.aborted !== true) return false;
    return thrown === signal.reason || (thrown instanceof Error && thrown.name === 'AbortError');
  }

  addPiece(piece: RecordPiece): void {
    this.batch.addPiece(piece);
    this.progress.records++;
  }

  /** So far, and committed. */
  get counts(): Readonly<ChangeCounts> {
    return this.#line.counts;
  }

  async flush(): Promise<void> {
    const { batch } = this;
    if (batch.isEmpty) return;
    this.batch = new Batch();
    await this.#line.add(batch);
  }

  /** Resolves when everything that was flushed is committed; a failure of the walk must not leave it behind. */
  finish(): Promise<void> {
    return this.#line.finish();
  }

  /** When the walk stopped early: an error when the lease is lost, else the report of an interrupted run. */
  interrupted(): ImportReport {
    this.#run.lost.throwIfAborted();
    return this.report('interrupted', {});
  }

  /** Deletes what vanished, if that may be, and tells how it ended. `partial`: only inside what was read. */
  async settle(
    facts: Pick<VanishedFacts, 'emptyOrigins' | 'unlisted' | 'noun'> & {
      /** Files that could not be read; their records are kept anyway. */
      readonly unread?: number;
      /** Nobody knows which stored records those without names are. */
      readonly guardNameless?: boolean;
      readonly partial?: boolean;
    },
  ): Promise<ImportReport> {
    const { items, runs } = this.#deps.store;
    const { name, maxDeleteShare } = this.#source;
    const { partial = false, unread = 0, guardNameless = false, ...rest } = facts;
    const isWhole = facts.emptyOrigins.length === 0 && facts.unlisted.length === 0;
    // A list of changes begins at the last complete run, when nothing was missing but what had been accepted.
    const whole = partial ? 'unaccepted' : 'all';
    const missing = await runs.settleLosses(name, this.#run.id, { lists: [''], whole: isWhole && whole });
    const { vanished, live } = await items.countVanished(name, this.#run.id, { partial });
    const force = this.#options.force === true;
    const { counts } = this.#line;
    const keptOut = guardNameless ? missing.nameless : 0;
    const verdict = judgeVanished({ vanished, live, maxDeleteShare, force, keptOut, ...rest });
    if (!partial) counts.unchanged = Math.max(0, live - vanished - counts.added - counts.updated);
    if (verdict.mayDelete)
      counts.deleted += (await items.deleteVanished(name, this.#run.id, { partial })).deleted;
    if (!verdict.complete) return this.report('incomplete', verdict);
    const { complete, ...why } = judgeMissing(name, missing, Math.min(unread, missing.open));
    return this.report(complete ? 'complete' : 'incomplete', why);
  }

  report(status: ImportReport['status'], { code, message }: Pick<Verdict, 'code' | 'message'>): ImportReport {
    const seconds = (this.#clock() - this.#startedAt) / 1000;
    return {
      runId: this.#run.id,
      status,
      ...(code && { code }),
      ...(message !== undefined && { message }),
      counts: this.#line.counts,
      ...this.progress,
      entriesUnchanged: this.entriesUnchanged,
      entriesSkipped: this.entriesSkipped,
      seconds,
      recordsPerSecond: seconds > 0 ? Math.round(this.progress.committed / seconds) : 0,
    };
  }

  tellProgress(): void {
    this.#options.onProgress?.({ ...this.progress });
    const now = this.#clock();
    if (now < this.#loggedAt + LOG_EVERY_MS) return;
    this.#loggedAt = now;
    const { committed, expected } = this.progress;
    this.#deps.log?.('run.progress', {
      source: this.#source.name,
      runId: this.#run.id,
      done: committed,
      ...(expected !== undefined && { total: expected }),
    });
  }

  #logProblem({ code, message, where, line }: RecordProblem): void {
    this.#deps.log?.('run.problem', {
      source: this.#source.name,
      runId: this.#run.id,
      code,
      message,
      ...(where !== undefined && { where }),
      ...(line !== undefined && { line }),
    });
  }
}
