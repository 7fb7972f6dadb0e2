/**
 * One scan on its way into the store. A run is begun only when there is something to say, so that looking
 * every minute at a folder that nobody touches leaves no trace; batches are committed one after the other.
 */
import { asGarnerError } from '../../core/errors.ts';
import type { Instant, RecordProblem } from '../../core/model.ts';
import type { ChangeCounts, EntryState, GarnerStore, IncomingRecord } from '../../store/index.ts';
import type { HarvestWatch } from './harvest-watch.ts';

/** The first batch is small: it is what the first harvester sees. */
const FIRST_RECORDS = 100;
const MOST_RECORDS = 250;
const HEARTBEAT_MS = 10_000;

export interface ScanRunOptions {
  readonly store: Pick<GarnerStore, 'items' | 'runs'>;
  readonly source: string;
  readonly watch: HarvestWatch;
  readonly onCommitted?: (counts: ChangeCounts) => void;
}

export class ScanRun {
  readonly counts: ChangeCounts = { added: 0, updated: 0, unchanged: 0, deleted: 0, invalid: 0 };
  problems = 0;
  readonly #options: ScanRunOptions;
  #runId: number | undefined;
  #heartbeat: NodeJS.Timeout | undefined;
  #failure: unknown;
  #committed = false;
  #records: { readonly record: IncomingRecord; readonly firstAt: Instant | undefined }[] = [];
  #read: EntryState[] = [];
  #deletions: string[] = [];
  #gone: string[] = [];
  #found: RecordProblem[] = [];
  #last: Promise<void> = Promise.resolve();

  constructor(options: ScanRunOptions) {
    this.#options = options;
  }

  get runId(): number | undefined {
    return this.#runId;
  }

  async begin(): Promise<void> {
    if (this.#runId !== undefined) return;
    const { store, source } = this.#options;
    const { id } = await store.runs.startRun(source, 'scan', { resume: true });
    this.#runId = id;
    this.#heartbeat = setInterval(() => {
      store.runs.heartbeat(id).catch((error: unknown) => {
        this.#failure = error;
      });
    }, HEARTBEAT_MS);
    this.#heartbeat.unref();
  }

  /** `firstAt`: when it came to be, which counts in a first scan that nobody has seen yet (see HarvestWatch). */
  async add(record: IncomingRecord, state: EntryState, firstAt: Instant | undefined): Promise<void> {
    this.#records.push({ record, firstAt });
    this.#read.push(state);
    const most = this.#committed ? MOST_RECORDS : FIRST_RECORDS;
    if (this.#records.length >= most) await this.flush();
  }

  /** `entry`: no longer remembered. */
  async delete(identifier: string | undefined, entry: string | undefined): Promise<void> {
    if (identifier !== undefined) this.#deletions.push(identifier);
    if (entry !== undefined) this.#gone.push(entry);
    if (this.#deletions.length + this.#gone.length >= MOST_RECORDS) await this.flush();
  }

  /** The entry only gets a new state. */
  async remember(state: EntryState): Promise<void> {
    this.#read.push(state);
    if (this.#read.length >= MOST_RECORDS) await this.flush();
  }

  note(problem: RecordProblem): void {
    this.#found.push(problem);
    this.problems++;
  }

  /** Sends what has gathered, after what was sent before. */
  async flush(): Promise<void> {
    if (
      this.#records.length +
        this.#read.length +
        this.#deletions.length +
        this.#gone.length +
        this.#found.length ===
      0
    )
      return;
    await this.begin();
    await this.#last;
    if (this.#failure !== undefined) throw this.#failure;
    const { store, source, watch } = this.#options;
    const { visited } = watch;
    const batch = {
      source,
      runId: this.#runId ?? 0,
      records: this.#records.map(({ record, firstAt }) =>
        visited || firstAt === undefined ? record : { ...record, modifiedAt: firstAt },
      ),
      readEntries: this.#read,
      deletions: this.#deletions.map((identifier) => ({ identifier })),
      goneEntries: this.#gone,
      problems: this.#found,
    };
    this.#records = [];
    this.#read = [];
    this.#deletions = [];
    this.#gone = [];
    this.#found = [];
    const commit = watch.during(store.items.commit(batch));
    this.#last = commit.then((result) => {
      for (const name of ['added', 'updated', 'unchanged', 'deleted', 'invalid'] as const)
        this.counts[name] += result[name];
      this.#committed = true;
      this.#options.onCommitted?.(this.counts);
    });
    // The next flush, or the end, hears of a failure.
    this.#last.catch(() => {});
    if (!this.#committed) await this.#last;
  }

  /** Everything that this run did not take in; for scans after the base URL has changed. */
  async deleteUnseen(): Promise<void> {
    await this.#last;
    const { store, source } = this.#options;
    if (this.#runId === undefined) return;
    this.counts.deleted += (await store.items.deleteVanished(source, this.#runId)).deleted;
  }

  async finish(status: 'complete' | 'incomplete' | 'interrupted', message?: string): Promise<void> {
    await this.flush();
    await this.#last;
    clearInterval(this.#heartbeat);
    if (this.#runId !== undefined) await this.#options.store.runs.finishRun(this.#runId, status, message);
  }

  async fail(thrown: unknown): Promise<void> {
    clearInterval(this.#heartbeat);
    const error = asGarnerError(thrown);
    await this.#last.catch(() => {});
    if (this.#runId !== undefined && error.code !== 'store.lease-lost')
      await this.#options.store.runs.finishRun(this.#runId, 'failed', error.message);
  }
}
