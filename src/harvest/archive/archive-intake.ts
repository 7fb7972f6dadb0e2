/** Captures on their way into the store: gathered into batches, each committed with the place to go on from. */
import type { ContentReading, PdfReader } from '../../archive/content/index.ts';
import { type RecordingDeps, type RecordingRun, recordCaptures } from '../../archive/items/index.ts';
import type { Log } from '../../core/log.ts';
import type { RecordProblem } from '../../core/model.ts';
import type { CaptureEntry, ChangeCounts, EntryState } from '../../store/index.ts';
import type { ImportProgress } from '../run/report.ts';

const MAX_CAPTURES = 200;
const MAX_TEXT = 4_000_000;
const MAX_PROBLEMS = 1000;

export interface IntakeDeps extends RecordingDeps {
  readonly pdf: PdfReader;
  readonly log?: Log;
}

export class ArchiveIntake {
  readonly progress: ImportProgress = { entriesSeen: 0, bytesRead: 0, records: 0, committed: 0, problems: 0 };
  readonly counts: ChangeCounts = { added: 0, updated: 0, unchanged: 0, deleted: 0, invalid: 0 };
  /** New in the index. */
  captures = 0;
  damages = 0;
  capturedBy: string | undefined;
  readonly #deps: IntakeDeps;
  readonly #run: RecordingRun;
  readonly #onProgress: ((progress: ImportProgress) => void) | undefined;
  #batch: CaptureEntry[] = [];
  #readings = new Map<CaptureEntry, ContentReading | undefined>();
  #problems: RecordProblem[] = [];
  #text = 0;

  constructor(
    deps: IntakeDeps,
    run: RecordingRun,
    onProgress: ((progress: ImportProgress) => void) | undefined,
  ) {
    this.#deps = deps;
    this.#run = run;
    this.#onProgress = onProgress;
  }

  get isFull(): boolean {
    return (
      this.#batch.length >= MAX_CAPTURES || this.#text >= MAX_TEXT || this.#problems.length >= MAX_PROBLEMS
    );
  }

  add(capture: CaptureEntry, reading: ContentReading | undefined): void {
    this.#batch.push(capture);
    this.#readings.set(capture, reading);
    this.#text += reading?.text.length ?? 0;
    this.progress.records++;
  }

  note(problem: RecordProblem): void {
    this.#problems.push(problem);
  }

  /** Of the archive itself: the run did not get all that there should be. */
  noteDamage(problem: RecordProblem): void {
    this.damages++;
    this.note(problem);
  }

  /** `checkpoint`: behind the last capture that was added. */
  async flush(checkpoint: unknown, readEntries: readonly EntryState[] = []): Promise<void> {
    const captures = this.#batch;
    const { capturedBy } = this;
    const { counts, added, problems } = await recordCaptures(
      this.#deps,
      { ...this.#run, ...(capturedBy !== undefined && { capturedBy }) },
      { captures, readings: this.#readings, problems: this.#problems, checkpoint, readEntries },
    );
    this.#batch = [];
    this.#readings = new Map();
    this.#problems = [];
    this.#text = 0;
    this.captures += added;
    for (const name of ['added', 'updated', 'unchanged', 'deleted', 'invalid'] as const)
      this.counts[name] += counts[name];
    this.progress.committed += captures.length;
    this.progress.problems += problems.length;
    const { source, runId } = this.#run;
    for (const problem of problems) this.#deps.log?.('run.problem', { source, runId, ...problem });
    this.#onProgress?.({ ...this.progress });
  }
}
