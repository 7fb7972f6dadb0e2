/**
 * A document on its way from the thread that made it to the one that stores it. The thread between them only
 * hands it on: as one text it costs that a copy, as an object a fifth of its time and its heap.
 */
import type { IndexDocument } from '../core/model.ts';

/** JSON. */
export type PackedDocument = string;

export const packDocument = (document: IndexDocument): PackedDocument => JSON.stringify(document);

export const unpackDocument = (document: IndexDocument | PackedDocument): IndexDocument =>
  typeof document === 'string' ? (JSON.parse(document) as IndexDocument) : document;
