/** Batches on their way into the store: extracted several at once, committed one after the other in order. */
import type { RecordProblem } from '../../core/model.ts';
import type { ChangeCounts, CommitResult, ItemStore } from '../../store/index.ts';
import type { Extraction, Ingest } from '../ingest.ts';
import type { Batch } from './batch.ts';
import { findLosses } from './losses.ts';

/** Enough to keep two or three extraction threads and the writer busy. */
const MAX_IN_FLIGHT = 4;
const NOTHING: Extraction = { records: [], problems: [] };

export interface Committed {
  readonly result: CommitResult;
  readonly records: number;
  readonly problems: readonly RecordProblem[];
}

export class CommitLine {
  readonly counts: ChangeCounts = { added: 0, updated: 0, unchanged: 0, deleted: 0, invalid: 0 };
  readonly #items: Pick<ItemStore, 'commit'>;
  readonly #ingest: Ingest;
  readonly #run: { readonly source: string; readonly runId: number };
  readonly #onCommitted: (committed: Committed) => void;
  /** Entries with a record that was kept out; they are not remembered as read. */
  readonly #flawed = new Set<string>();
  /** Entries that were read in full but hold a duplicate: looked into again next time. */
  readonly #doubled = new Set<string>();
  readonly #inFlight: Promise<void>[] = [];
  #last: Promise<void> = Promise.resolve();

  constructor(
    items: Pick<ItemStore, 'commit'>,
    ingest: Ingest,
    run: { readonly source: string; readonly runId: number },
    onCommitted: (committed: Committed) => void,
  ) {
    this.#items = items;
    this.#ingest = ingest;
    this.#run = run;
    this.#onCommitted = onCommitted;
  }

  /** Resolves when there is room for the next one. */
  async add(batch: Batch): Promise<void> {
    const extraction =
      batch.pieces.length > 0 ? this.#ingest.extract(batch.pieces) : Promise.resolve(NOTHING);
    this.#last = Promise.all([extraction, this.#last]).then(([extracted]) => this.#commit(batch, extracted));
    // Whoever waits for this or a later one hears of a failure; nobody may be waiting right now.
    this.#last.catch(() => {});
    this.#inFlight.push(this.#last);
    if (this.#inFlight.length >= MAX_IN_FLIGHT) await this.#inFlight.shift();
  }

  finish(): Promise<void> {
    return this.#last;
  }

  async #commit(batch: Batch, { records, problems, filtered = [] }: Extraction): Promise<void> {
    this.#noteFlaws(batch, { records, problems });
    const all = [...batch.problems, ...problems];
    const arrived = new Set([...records, ...filtered].map(({ identifier }) => identifier));
    const result = await this.#items.commit({
      ...this.#run,
      records,
      problems: all,
      losses: {
        list: '',
        lost: findLosses(all, arrived),
        found: filtered.map(({ identifier }) => identifier),
        // Entries behind web addresses are called by them.
        wholePlaces: batch.read.map(({ entry }) => entry).filter((entry) => !this.#flawed.has(entry)),
      },
      order: batch.order,
      ...(batch.checkpoint !== undefined && { checkpoint: batch.checkpoint }),
      readEntries: batch.read
        .filter(({ entry }) => !this.#flawed.has(entry))
        .map((state) => (this.#doubled.has(state.entry) ? { ...state, digest: '' } : state)),
      seenEntries: [
        ...batch.kept,
        ...batch.read.map(({ entry }) => entry).filter((entry) => this.#flawed.has(entry)),
      ],
    });
    for (const { entry } of result.duplicates ?? []) this.#doubled.add(entry);
    for (const { entry } of batch.read) {
      this.#flawed.delete(entry);
      this.#doubled.delete(entry);
    }
    for (const name of ['added', 'updated', 'unchanged', 'deleted', 'invalid'] as const)
      this.counts[name] += result[name];
    this.#onCommitted({ result, records: records.length, problems: all });
  }

  /** A problem of a record that is here is a doubtful value; any other kept its record out. */
  #noteFlaws(batch: Batch, { records, problems }: Extraction): void {
    for (const entry of batch.flawed) this.#flawed.add(entry);
    if (problems.length === 0) return;
    const arrived = new Set(records.map(({ identifier }) => identifier));
    const entryAt = new Map(batch.pieces.map(({ where, entry }) => [where, entry]));
    for (const { where, identifier } of problems) {
      const entry = where === undefined ? undefined : entryAt.get(where);
      if (entry !== undefined && (identifier === undefined || !arrived.has(identifier)))
        this.#flawed.add(entry);
    }
  }
}
