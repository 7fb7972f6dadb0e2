/** What goes over to the thread of a WARC writer, and back. */
import type { GarnerError } from '../../core/errors.ts';
import type { RecordDraft } from './record-draft.ts';
import type { WarcWriterOptions, WrittenRecord } from './warc-writer.ts';

export type WarcThreadSetup = Omit<WarcWriterOptions, 'clock'>;

/** The block is a part of the bytes that come with it, and then a file's content if there is a path. */
export type PackedDraft = Omit<RecordDraft, 'block'> & {
  readonly start: number;
  readonly end: number;
  readonly path?: string;
};

export type AppendOutcome =
  | { readonly written: readonly WrittenRecord[] }
  | { readonly failure: Pick<GarnerError, 'code' | 'message'> };

export interface WarcThreadCalls {
  ready(): Promise<void>;
  append(
    bytes: Uint8Array,
    exchanges: readonly (readonly PackedDraft[])[],
  ): Promise<readonly AppendOutcome[]>;
  sync(): Promise<void>;
  close(): Promise<void>;
}
