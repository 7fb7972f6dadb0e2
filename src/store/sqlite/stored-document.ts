/**
 * A record's extracted document in the store: first the stored fields as JSON (all that a search answer
 * needs), right behind them the rest: the words that stand in no field, and the fields that are not for
 * display. With both, views can be evaluated again and old versions brought back without reading any XML;
 * the words of fields are made again from their values, which takes a third less space and time.
 */
import type { FieldSpec, Fields, IndexDocument } from '../../core/model.ts';
import { shorten } from '../../core/shorten.ts';
import { withFieldWords } from '../../query/index-document.ts';
import { WORD_GAP } from '../../query/words.ts';
import type { BlockReader } from './blocks.ts';

export interface DocumentPlace {
  readonly doc_block: number | null;
  readonly doc_start: number | null;
  readonly doc_size: number | null;
  readonly rest_size: number | null;
}

/** Of a row of `record` or `version`. */
export function documentPlace(row: Record<string, unknown>): DocumentPlace {
  const numberOf = (value: unknown) => (typeof value === 'number' ? value : null);
  return {
    doc_block: numberOf(row.doc_block),
    doc_start: numberOf(row.doc_start),
    doc_size: numberOf(row.doc_size),
    rest_size: numberOf(row.rest_size),
  };
}

/** What stood between values in stores up to schema 4; blocks never change. */
const OLD_GAP = '\uE000';

export interface WrittenDocument {
  readonly bytes: Uint8Array;
  readonly docSize: number;
  readonly restSize: number;
}

interface Rest {
  /** The words that stand in no tokenised field. */
  readonly words: string;
  readonly fields: Fields;
}

export function documentWriter(fields: readonly FieldSpec[]): (document: IndexDocument) => WrittenDocument {
  const hidden = new Set(fields.filter((field) => !field.stored).map((field) => field.name));
  return (document) => {
    const [shown, others] = hidden.size === 0 ? [document.fields, {}] : splitFields(document.fields, hidden);
    const doc = JSON.stringify(shown);
    const bytes = Buffer.from(
      doc + JSON.stringify({ words: document.words[''] ?? '', fields: others } satisfies Rest),
    );
    const docSize = Buffer.byteLength(doc);
    return { bytes, docSize, restSize: bytes.length - docSize };
  };
}

function splitFields(fields: Fields, hidden: ReadonlySet<string>): [shown: Fields, others: Fields] {
  const shown: Record<string, Fields[string]> = {};
  const others: Record<string, Fields[string]> = {};
  for (const [name, values] of Object.entries(fields)) (hidden.has(name) ? others : shown)[name] = values;
  return [shown, others];
}

const text = new TextDecoder();

/** The fields that are kept for display. */
export function readStoredFields(blocks: Pick<BlockReader, 'read'>, place: DocumentPlace): Fields {
  if (place.doc_block === null) return {};
  return JSON.parse(
    text.decode(blocks.read(place.doc_block, place.doc_start ?? 0, place.doc_size ?? 0)),
  ) as Fields;
}

export function readDocument(
  blocks: Pick<BlockReader, 'read'>,
  place: DocumentPlace,
  specs: readonly FieldSpec[],
): IndexDocument {
  const stored = readStoredFields(blocks, place);
  if (place.doc_block === null || !place.rest_size) return { fields: stored, words: {} };
  const start = (place.doc_start ?? 0) + (place.doc_size ?? 0);
  const rest = JSON.parse(text.decode(blocks.read(place.doc_block, start, place.rest_size))) as Rest;
  const fields = { ...stored, ...rest.fields };
  return { fields, words: withFieldWords(fields, specs, rest.words.replaceAll(OLD_GAP, WORD_GAP)) };
}

const MAX_TITLE = 1000;

/** The value of `title` that lists show. */
export function findTitle(fields: Fields): string | undefined {
  const title = fields.title?.[0];
  return typeof title === 'string' ? shorten(title, MAX_TITLE) : undefined;
}
