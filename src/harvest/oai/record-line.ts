/**
 * Batches of a remote source on their way into the store: extracted several at once, committed one after
 * the other in the order in which they came.
 */
import type { RecordProblem } from '../../core/model.ts';
import type {
  ChangeCounts,
  EntryState,
  IncomingDeletion,
  IncomingRecord,
  ItemStore,
  RecordLoss,
} from '../../store/index.ts';
import type { Extraction, Ingest, RecordPiece } from '../ingest.ts';
import { findLosses } from '../run/losses.ts';
import type { StageTimes } from './stage-times.ts';

/** What the origin says of a record beside its bytes. */
export type RecordFacts = Pick<IncomingRecord, 'sets' | 'oaiIdentifier' | 'origin' | 'modifiedAt'>;

/** What the origin says of a record that may turn out to be unreadable. */
export type RecordHandle = Pick<RecordLoss, 'identifier' | 'at'>;

export interface LineBatch {
  /** The metadata prefix. */
  readonly list: string;
  readonly pieces: readonly RecordPiece[];
  /** By identifier; every piece must have its own. */
  readonly facts?: ReadonlyMap<string, RecordFacts>;
  /** By identifier, of every record that came. */
  readonly handles?: ReadonlyMap<string, RecordHandle>;
  readonly deletions?: readonly IncomingDeletion[];
  /** The format in which records that the filters leave out are deleted; absent: in all. */
  readonly filteredFormat?: string;
  readonly problems?: readonly RecordProblem[];
  /** Parts of the list that are missing, beside records that could not be read, and names that no longer are. */
  readonly lost?: readonly RecordLoss[];
  readonly found?: readonly string[];
  readonly readEntries?: readonly EntryState[];
  readonly checkpoint?: unknown;
}

/** Enough to keep the extraction threads and the writer busy. */
const MAX_IN_FLIGHT = 4;
const NOTHING: Extraction = { records: [], problems: [] };
/** What a thread holds of unfinished records stays small, and several threads share a page. */
const PIECES_AT_ONCE = 128;

export class RecordLine {
  readonly counts: ChangeCounts = { added: 0, updated: 0, unchanged: 0, deleted: 0, invalid: 0 };
  readonly #items: Pick<ItemStore, 'commit'>;
  readonly #ingest: Ingest;
  readonly #run: { readonly source: string; readonly runId: number };
  readonly #stages: StageTimes;
  readonly #onCommitted: (records: number, problems: readonly RecordProblem[]) => void;
  /** How long `add` kept its caller waiting. */
  waitedMs = 0;
  readonly #inFlight: Promise<void>[] = [];
  #last: Promise<void> = Promise.resolve();

  constructor(
    deps: { readonly items: Pick<ItemStore, 'commit'>; readonly ingest: Ingest; readonly stages: StageTimes },
    run: { readonly source: string; readonly runId: number },
    onCommitted: (records: number, problems: readonly RecordProblem[]) => void,
  ) {
    this.#items = deps.items;
    this.#ingest = deps.ingest;
    this.#stages = deps.stages;
    this.#run = run;
    this.#onCommitted = onCommitted;
  }

  /** Resolves when there is room for the next one. */
  async add(batch: LineBatch): Promise<void> {
    const extraction = this.#extract(batch.pieces);
    this.#last = Promise.all([extraction, this.#last]).then(([extracted]) => this.#commit(batch, extracted));
    // Whoever waits for this or a later one hears of a failure; nobody may be waiting right now.
    this.#last.catch(() => {});
    this.#inFlight.push(this.#last);
    if (this.#inFlight.length < MAX_IN_FLIGHT) return;
    const startedAt = performance.now();
    await this.#inFlight.shift();
    this.waitedMs += performance.now() - startedAt;
  }

  finish(): Promise<void> {
    return this.#last;
  }

  async #extract(pieces: readonly RecordPiece[]): Promise<Extraction> {
    if (pieces.length === 0) return NOTHING;
    const startedAt = performance.now();
    const parts: Promise<Extraction>[] = [];
    for (let from = 0; from < pieces.length; from += PIECES_AT_ONCE)
      parts.push(this.#ingest.extract(inOneBuffer(pieces.slice(from, from + PIECES_AT_ONCE))));
    const extractions = await Promise.all(parts);
    this.#stages.extractMs += performance.now() - startedAt;
    return {
      records: extractions.flatMap(({ records }) => records),
      problems: extractions.flatMap(({ problems }) => problems),
      filtered: extractions.flatMap(({ filtered }) => filtered ?? []),
    };
  }

  async #commit(batch: LineBatch, extraction: Extraction): Promise<void> {
    const records = extraction.records.map((record) => {
      const facts = batch.facts?.get(record.identifier);
      if (!facts) return record;
      return { ...record, ...facts, origin: { ...record.origin, ...facts.origin } };
    });
    const filtered = (extraction.filtered ?? []).map(({ identifier }) => ({
      identifier,
      ...(batch.filteredFormat !== undefined && { format: batch.filteredFormat }),
    }));
    const problems = [...(batch.problems ?? []), ...extraction.problems];
    const deletions = [...(batch.deletions ?? []), ...filtered];
    const startedAt = performance.now();
    const result = await this.#items.commit({
      ...this.#run,
      records,
      deletions,
      problems,
      losses: {
        list: batch.list,
        lost: [...lostRecords(batch, [...records, ...deletions], problems), ...(batch.lost ?? [])],
        ...(batch.found && { found: batch.found }),
      },
      ...(batch.readEntries && { readEntries: batch.readEntries }),
      ...(batch.checkpoint !== undefined && { checkpoint: batch.checkpoint }),
    });
    this.#stages.commitMs += performance.now() - startedAt;
    for (const name of ['added', 'updated', 'unchanged', 'deleted', 'invalid'] as const)
      this.counts[name] += result[name];
    this.#onCommitted(records.length, problems);
  }
}

/** Without those of no record: parts of the list, which are remembered by their dates. */
function lostRecords(
  { handles }: LineBatch,
  arrived: readonly { readonly identifier: string }[],
  problems: readonly RecordProblem[],
): RecordLoss[] {
  const named = problems.filter(({ identifier }) => identifier !== undefined);
  if (named.length === 0) return [];
  const lost = findLosses(named, new Set(arrived.map(({ identifier }) => identifier)));
  return lost.map((loss) => ({ ...loss, ...handles?.get(loss.name) }));
}

/** Bytes that share one buffer cross to a thread as one, and are one thing for the collector. */
function inOneBuffer(pieces: readonly RecordPiece[]): RecordPiece[] {
  const joined = new Uint8Array(pieces.reduce((size, { bytes }) => size + bytes.length, 0));
  let start = 0;
  return pieces.map((piece) => {
    const end = start + piece.bytes.length;
    joined.set(piece.bytes, start);
    const bytes = joined.subarray(start, end);
    start = end;
    return { ...piece, bytes };
  });
}
