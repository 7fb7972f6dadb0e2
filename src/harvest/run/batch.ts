/** What one commit will hold, in the order in which the run met it. */
import type { RecordProblem } from '../../core/model.ts';
import type { EntryState } from '../../store/index.ts';
import type { RecordPiece } from '../ingest.ts';

const MAX_PIECES = 500;
const MAX_BYTES = 2 * 1024 * 1024;
/** Of entries and problems: they are small, but a batch must end some time. */
const MAX_NOTES = 2000;

export class Batch {
  readonly pieces: RecordPiece[] = [];
  readonly problems: RecordProblem[] = [];
  /** Entries met, in order. */
  readonly order: string[] = [];
  /** Entries whose last record is in here or was before. */
  readonly read: EntryState[] = [];
  /** Entries whose stored records stay as they are. */
  readonly kept: string[] = [];
  /** Entries that must be read again next time. */
  readonly flawed = new Set<string>();
  /** Where to go on after this batch, for origins that are read page by page. */
  checkpoint: unknown;
  #bytes = 0;

  get isFull(): boolean {
    return (
      this.pieces.length >= MAX_PIECES ||
      this.#bytes >= MAX_BYTES ||
      this.order.length + this.problems.length >= MAX_NOTES
    );
  }

  get isEmpty(): boolean {
    return this.order.length === 0 && this.problems.length === 0 && this.pieces.length === 0;
  }

  meet(entry: string): void {
    if (this.order.at(-1) !== entry) this.order.push(entry);
  }

  addPiece(piece: RecordPiece): void {
    this.pieces.push(piece);
    this.#bytes += piece.bytes.length;
  }
}
