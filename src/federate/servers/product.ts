/** Products, and the plug-ins that find them. */
import type { Viewer } from '../../core/access.ts';
import type { Instant } from '../../core/model.ts';
import type { ServerQuestion } from './read-question.ts';

/** In bytes; `end` exclusive. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export interface ProductForm {
  readonly fileName: string;
  readonly mediaType: string;
  /** Of records: their metadata format. */
  readonly format?: string;
  /** Known: parts can be asked for, too. */
  readonly size?: number;
  /** Another one for other bytes. */
  readonly tag?: string;
  readonly modifiedAt?: Instant;
  /** Of what is made when it is wanted, and fits into the memory: all of it. */
  make?(): Uint8Array;
  /** To be read once; of what is not read to its end the reader lets go. */
  open(range?: ByteRange): AsyncIterable<Uint8Array>;
}

export interface Product {
  readonly name: string;
  /** As it is kept, then what else there is of it. */
  readonly forms: readonly ProductForm[];
  /** Where it lives, when that is elsewhere; its forms are then descriptions of it, given only by their format. */
  readonly location?: { readonly url: string; readonly mediaType?: string };
  /** For a product that nobody reads. */
  discard?(): void;
}

export interface ProductQuestion extends ServerQuestion {
  /** Just what was asked, without synonyms and without what is more special. */
  readonly exact: boolean;
}

/** One way to find products. Knows by the question whether it is meant, and gives nothing when not. */
export interface ProductHandler {
  readonly name: string;
  /** Shows a viewer only what the viewer may have. */
  find(question: ProductQuestion, viewer: Viewer): AsyncIterable<Product>;
  close?(): Promise<void>;
}
