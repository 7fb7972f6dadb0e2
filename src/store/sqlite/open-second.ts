/**
 * Which second an open write transaction stamps its records with. A transaction may take its datestamp in
 * one second and become visible in a later one; a list that already showed the first second as closed would
 * then have lost its records for ever. So the writer notes its second in a small file beside the database
 * before it stamps anything, and lists stop before that second. All processes of a store are on one host
 * (WAL needs shared memory), hence a note whose process is gone is void.
 */
import { closeSync, constants, openSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { isProcessAlive } from './process-alive.ts';

const NOTE_FILE = 'garner.writing';
const NOTE_BYTES = 16;

export class OpenSecond {
  readonly #file: number;
  readonly #note = Buffer.alloc(NOTE_BYTES);

  constructor(folder: string, writable: boolean) {
    const flags = writable ? constants.O_RDWR | constants.O_CREAT : constants.O_RDONLY | constants.O_CREAT;
    this.#file = openSync(join(folder, NOTE_FILE), flags);
  }

  /** Call with the write lock held, before the first datestamp is given. */
  begin(second: number): void {
    this.#write(second);
  }

  /** Call when the transaction is visible or rolled back. */
  end(): void {
    this.#write(0);
  }

  /**
   * Seconds before the answer are closed. Call before the snapshot is taken, with a time read before the
   * call: a writer that begins later stamps with that time's second or a later one.
   */
  closedBefore(nowSecond: number): number {
    if (readSync(this.#file, this.#note, 0, NOTE_BYTES, 0) < NOTE_BYTES) return nowSecond;
    const second = this.#note.readDoubleLE(0);
    if (second === 0 || !isProcessAlive(this.#note.readDoubleLE(8))) return nowSecond;
    return Math.min(nowSecond, second);
  }

  close(): void {
    closeSync(this.#file);
  }

  #write(second: number): void {
    this.#note.writeDoubleLE(second, 0);
    this.#note.writeDoubleLE(process.pid, 8);
    writeSync(this.#file, this.#note, 0, NOTE_BYTES, 0);
  }
}
