/** What the inflating thread and its reader say to each other. */

export interface InflateWorkerData {
  readonly path: string;
  readonly size: number;
  readonly start: number;
  /** Two counters that both threads see: batches taken by the reader, and whether to stop. */
  readonly shared: SharedArrayBuffer;
}

export const TAKEN = 0;
export const STOPPED = 1;

/** Per member four numbers: offset and length in the file, start and length in `bytes`. */
export const MEMBER_FIELDS = 4;

export interface InflatedBatch {
  readonly bytes: ArrayBuffer;
  readonly members: Float64Array<ArrayBuffer>;
  /** Where the next member begins. */
  readonly next: number;
  /** No more batches come: the end, or a member that is not easy. */
  readonly last: boolean;
}
