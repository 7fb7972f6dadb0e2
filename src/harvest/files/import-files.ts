/** The source kind `files`: brings a source up to date with folders, files and archives of records. */
import { asGarnerError, GarnerError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import type { RecordProblem } from '../../core/model.ts';
import type { Clock } from '../../core/time.ts';
import type { GarnerStore } from '../../store/index.ts';
import type { Ingest } from '../ingest.ts';
import { Batch } from './batch.ts';
import { CommitLine } from './commit-line.ts';
import type { FileEntry, Finding } from './entry.ts';
import { labelOrigins, type Origin } from './entry-name.ts';
import { listKnownDigests } from './known-digests.ts';
import { type IsRecordRoot, readEntry } from './read-entry.ts';
import type { ImportProgress, ImportReport } from './report.ts';
import { judgeVanished, type Verdict } from './vanished.ts';
import { walkOrigin } from './walk.ts';

const HEARTBEAT_MS = 10_000;
/** Files between two reports of progress when nothing is committed. */
const PROGRESS_ENTRIES = 200;

export interface ImportDeps {
  readonly store: Pick<GarnerStore, 'items' | 'runs'>;
  readonly ingest: Ingest;
  readonly formats: { isRecordRoot(namespace: string, localName: string): boolean };
  readonly log?: Log;
  readonly clock?: Clock;
}

export interface FilesSource {
  readonly name: string;
  readonly paths: readonly string[];
  /** 0 to 1: how much of the source may vanish at once. */
  readonly maxDeleteShare: number;
  /** Local name of the element that is one record; default: the roots of known formats. */
  readonly record?: string;
}

export interface ImportOptions {
  /** Deletes more than `maxDeleteShare` allows. */
  readonly force?: boolean;
  readonly onProgress?: (progress: Readonly<ImportProgress>) => void;
  /** Ends the run as `interrupted` after what is on its way; the next one goes on where it stopped. */
  readonly signal?: AbortSignal;
}

export async function importFiles(
  deps: ImportDeps,
  source: FilesSource,
  options: ImportOptions = {},
): Promise<ImportReport> {
  const { runs } = deps.store;
  const { id } = await runs.startRun(source.name, 'import');
  deps.log?.('run.started', { source: source.name, kind: 'import', runId: id });
  const lost = new AbortController();
  const heartbeat = setInterval(() => {
    runs.heartbeat(id).catch((error: unknown) => lost.abort(error));
  }, HEARTBEAT_MS);
  try {
    const report = await new ImportRun(deps, source, options, id, lost.signal).run();
    await runs.finishRun(id, report.status, report.message);
    const durationMs = Math.round(report.seconds * 1000);
    deps.log?.('run.finished', { source: source.name, runId: id, status: report.status, durationMs });
    return report;
  } catch (thrown) {
    const error = asGarnerError(thrown);
    deps.log?.('run.failed', { source: source.name, runId: id, error });
    // Without its lease the run is no longer ours to finish.
    if (error.code !== 'store.lease-lost')
      await runs.finishRun(id, 'failed', error.message).catch((cause: unknown) => {
        throw new GarnerError(error.code, error.message, { cause, details: { ...error.details } });
      });
    throw error;
  } finally {
    clearInterval(heartbeat);
  }
}

class ImportRun {
  readonly #deps: ImportDeps;
  readonly #source: FilesSource;
  readonly #options: ImportOptions;
  readonly #runId: number;
  /** Aborted when the lease is lost. */
  readonly #lost: AbortSignal;
  readonly #clock: Clock;
  readonly #startedAt: number;
  readonly #line: CommitLine;
  readonly #progress: ImportProgress = {
    entriesSeen: 0,
    bytesRead: 0,
    records: 0,
    committed: 0,
    problems: 0,
  };
  readonly #emptyOrigins: string[] = [];
  readonly #unlisted: string[] = [];
  #unread = 0;
  #unchanged = 0;
  #skipped = 0;
  #batch = new Batch();

  constructor(
    deps: ImportDeps,
    source: FilesSource,
    options: ImportOptions,
    runId: number,
    lost: AbortSignal,
  ) {
    this.#deps = deps;
    this.#source = source;
    this.#options = options;
    this.#runId = runId;
    this.#lost = lost;
    this.#clock = deps.clock ?? Date.now;
    this.#startedAt = this.#clock();
    this.#line = new CommitLine(
      deps.store.items,
      deps.ingest,
      { source: source.name, runId },
      ({ records, problems, result }) => {
        this.#progress.committed += records;
        this.#progress.problems += problems.length + (result.duplicates?.length ?? 0);
        for (const problem of [...problems, ...(result.duplicates ?? [])]) this.#logProblem(problem);
        this.#tellProgress();
      },
    );
  }

  async run(): Promise<ImportReport> {
    const known = await listKnownDigests(this.#deps.store.items, this.#source.name);
    try {
      for (const origin of labelOrigins(this.#source.paths)) {
        if (this.#stopped) break;
        await this.#readOrigin(origin, known);
      }
      await this.#flush();
    } finally {
      // A failure of the walk must not leave commits under way behind it.
      await this.#line.finish();
    }
    this.#tellProgress();
    if (this.#stopped) {
      this.#lost.throwIfAborted();
      return this.#report('interrupted', {});
    }
    return await this.#settle();
  }

  get #stopped(): boolean {
    return this.#lost.aborted || this.#options.signal?.aborted === true;
  }

  async #readOrigin(origin: Origin, known: Map<string, string>): Promise<void> {
    const before = this.#progress.entriesSeen;
    const unlistedBefore = this.#unlisted.length;
    for await (const finding of walkOrigin(origin)) {
      if (finding.kind === 'entry') await this.#readEntry(finding.entry, known.get(finding.entry.name));
      else this.#note(finding);
      if (this.#batch.isFull) await this.#flush();
      if (this.#stopped) return;
    }
    const missing = this.#unlisted.length > unlistedBefore;
    if (this.#progress.entriesSeen === before && !missing) this.#noteEmpty(origin, known);
  }

  /** A folder that never held anything is empty by right, as long as others are not. */
  #noteEmpty({ path, label }: Origin, known: Map<string, string>): void {
    const only = this.#source.paths.length === 1;
    const had = known
      .keys()
      .some((name) => name.startsWith(label) && /^(?:[/!]|$)/.test(name.slice(label.length)));
    if (only || had) this.#emptyOrigins.push(path);
  }

  async #readEntry(entry: FileEntry, knownDigest: string | undefined): Promise<void> {
    const { name } = entry;
    if (++this.#progress.entriesSeen % PROGRESS_ENTRIES === 0) this.#tellProgress();
    const countBytes = (count: number) => {
      this.#progress.bytesRead += count;
    };
    const { record } = this.#source;
    const isRecord: IsRecordRoot = (namespace, localName) =>
      record === undefined ? this.#deps.formats.isRecordRoot(namespace, localName) : localName === record;
    this.#batch.meet(name);
    for await (const event of readEntry(entry, knownDigest, isRecord, countBytes)) {
      if (event.kind === 'piece') {
        // Here and not after the last piece, so that an entry's end comes with its last record.
        if (this.#batch.isFull) await this.#flush();
        if (this.#stopped) return;
        this.#batch.meet(name);
        this.#batch.addPiece(event.piece);
        this.#progress.records++;
      } else if (event.kind === 'problem') {
        this.#batch.problems.push(event.problem);
        this.#batch.flawed.add(name);
      } else if (event.kind === 'read') {
        this.#batch.read.push(event.state);
      } else {
        this.#batch.kept.push(name);
        if (event.kind === 'unchanged') this.#unchanged++;
        else this.#unread++;
      }
    }
  }

  #note(finding: Exclude<Finding, { kind: 'entry' }>): void {
    const source = this.#source.name;
    if (finding.kind === 'skipped') {
      this.#skipped++;
      this.#deps.log?.('import.skipped', { source, file: finding.name, reason: finding.reason });
      return;
    }
    this.#batch.problems.push(finding.problem);
    if (finding.loss === 'rest') this.#unlisted.push(finding.problem.where ?? finding.name);
    if (finding.loss !== 'entry') return;
    this.#unread++;
    this.#batch.meet(finding.name);
    this.#batch.kept.push(finding.name);
  }

  async #flush(): Promise<void> {
    const batch = this.#batch;
    if (batch.isEmpty) return;
    this.#batch = new Batch();
    await this.#line.add(batch);
  }

  async #settle(): Promise<ImportReport> {
    const { items } = this.#deps.store;
    const { name, maxDeleteShare } = this.#source;
    const { vanished, live } = await items.countVanished(name, this.#runId);
    const verdict = judgeVanished({
      vanished,
      live,
      maxDeleteShare,
      force: this.#options.force === true,
      emptyOrigins: this.#emptyOrigins,
      unlisted: this.#unlisted,
      unread: this.#unread,
    });
    const { counts } = this.#line;
    counts.unchanged = Math.max(0, live - vanished - counts.added - counts.updated);
    if (verdict.mayDelete) counts.deleted += (await items.deleteVanished(name, this.#runId)).deleted;
    return this.#report(verdict.complete ? 'complete' : 'incomplete', verdict);
  }

  #report(
    status: ImportReport['status'],
    { code, message }: Pick<Verdict, 'code' | 'message'>,
  ): ImportReport {
    const seconds = (this.#clock() - this.#startedAt) / 1000;
    return {
      runId: this.#runId,
      status,
      ...(code && { code }),
      ...(message !== undefined && { message }),
      counts: this.#line.counts,
      ...this.#progress,
      entriesUnchanged: this.#unchanged,
      entriesSkipped: this.#skipped,
      seconds,
      recordsPerSecond: seconds > 0 ? Math.round(this.#progress.committed / seconds) : 0,
    };
  }

  #tellProgress(): void {
    this.#options.onProgress?.({ ...this.#progress });
  }

  #logProblem({ code, message, where, line }: RecordProblem): void {
    this.#deps.log?.('run.problem', {
      source: this.#source.name,
      runId: this.#runId,
      code,
      message,
      ...(where !== undefined && { where }),
      ...(line !== undefined && { line }),
    });
  }
}
