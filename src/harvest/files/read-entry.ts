/** From one file to the pieces of its records: nothing when its content is as it was last time. */
import { hash } from 'node:crypto';
import { asGarnerError, type ErrorCode, GarnerError } from '../../core/errors.ts';
import type { RecordProblem } from '../../core/model.ts';
import { splitJson } from '../../formats/json-split.ts';
import { blankDoctypeOf } from '../../formats/oodt-profile/doctype.ts';
import type { EntryState } from '../../store/index.ts';
import { splitRecords } from '../../xml/splitter.ts';
import type { RecordPiece } from '../ingest.ts';
import type { FileEntry } from './entry.ts';
import { hashWhileReading } from './hashing-reader.ts';
import { readTable } from './table-records.ts';

/** Smaller entries are read once and held; larger ones are read twice, first for their digest. */
const HOLD_BYTES = 8 * 1024 * 1024;
/** JSON has no records before its end is known, so the whole file is held; a table, too. */
const MAX_JSON_BYTES = 256 * 1024 * 1024;

export type IsRecordRoot = (namespace: string, localName: string) => boolean;

export type EntryEvent =
  | { readonly kind: 'piece'; readonly piece: RecordPiece }
  | { readonly kind: 'problem'; readonly problem: RecordProblem }
  /** Last: all records were given; `lost` when the end was not reached. */
  | { readonly kind: 'read'; readonly state: EntryState }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'lost' };

export async function* readEntry(
  entry: FileEntry,
  knownDigest: string | undefined,
  isRecord: IsRecordRoot,
  onBytes: (count: number) => void,
): AsyncGenerator<EntryEvent> {
  try {
    const content = await findContent(entry, knownDigest, onBytes);
    if (content === 'unchanged') return yield { kind: 'unchanged' };
    const reader = hashWhileReading(content.bytes, content.counted ? () => {} : onBytes);
    try {
      if (entry.isTable) yield* cutTable(entry, reader);
      else yield* entry.syntax === 'xml' ? cutXml(entry, reader, isRecord) : cutJson(entry, reader);
      const digest = await reader.finish();
      const state = { entry: entry.name, digest, size: reader.size(), modifiedAt: entry.modifiedAt };
      yield { kind: 'read', state };
    } finally {
      await reader.close();
    }
  } catch (thrown) {
    if (thrown instanceof GarnerError && thrown.code === 'internal.bug') throw thrown;
    const code: ErrorCode = thrown instanceof GarnerError ? thrown.code : 'source.unreadable';
    const { message } = asGarnerError(thrown);
    yield { kind: 'problem', problem: { code, message, where: entry.where } };
    yield { kind: 'lost' };
  }
}

interface Content {
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Whether `onBytes` heard of them already. */
  readonly counted: boolean;
}

async function findContent(
  entry: FileEntry,
  knownDigest: string | undefined,
  onBytes: (count: number) => void,
): Promise<Content | 'unchanged'> {
  const small = entry.size !== undefined && entry.size <= HOLD_BYTES;
  // A large entry of a tar cannot be read twice; its records will turn out to be unchanged one by one.
  if (knownDigest === undefined || !(small || entry.reopenable))
    return { bytes: entry.open(), counted: false };
  if (small) {
    const chunks: Uint8Array[] = [];
    for await (const chunk of entry.open()) {
      chunks.push(chunk);
      onBytes(chunk.length);
    }
    const whole = Buffer.concat(chunks);
    if (hash('sha256', whole) === knownDigest) return 'unchanged';
    return { bytes: oneChunk(whole), counted: true };
  }
  const reader = hashWhileReading(entry.open(), onBytes);
  try {
    if ((await reader.finish()) === knownDigest) return 'unchanged';
  } finally {
    await reader.close();
  }
  return { bytes: entry.open(), counted: true };
}

async function* oneChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

async function* cutXml(
  entry: FileEntry,
  chunks: AsyncIterable<Uint8Array>,
  isRecord: IsRecordRoot,
): AsyncGenerator<EntryEvent> {
  let count = 0;
  for await (const cut of splitRecords(blankDoctypeOf(chunks), { isRecord })) {
    if (cut.kind === 'record') yield toPiece(entry, cut.bytes, cut.line, ++count);
    else {
      const { code, message, line } = cut;
      yield { kind: 'problem', problem: { code, message, where: entry.where, line } };
    }
  }
}

async function* cutJson(entry: FileEntry, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<EntryEvent> {
  const whole = await readWhole(bytes);
  if (!whole) {
    const message = `the file is larger than ${MAX_JSON_BYTES} bytes; split it, one record per line or file`;
    return yield { kind: 'problem', problem: { code: 'json.too-large', message, where: entry.where } };
  }
  try {
    let count = 0;
    // Copies: a view would drag the whole file along to the worker thread.
    for (const piece of splitJson(whole))
      yield toPiece(entry, new Uint8Array(piece.bytes), piece.line, ++count);
  } catch (thrown) {
    if (!(thrown instanceof GarnerError) || thrown.code !== 'json.malformed') throw thrown;
    const { line } = thrown.details;
    const problem: RecordProblem = { code: thrown.code, message: thrown.message, where: entry.where };
    yield { kind: 'problem', problem: { ...problem, ...(typeof line === 'number' && { line }) } };
  }
}

async function* cutTable(entry: FileEntry, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<EntryEvent> {
  const { where } = entry;
  const whole = await readWhole(bytes);
  if (!whole) {
    const message = `the table is larger than ${MAX_JSON_BYTES} bytes; split it`;
    return yield { kind: 'problem', problem: { code: 'table.row', message, where } };
  }
  let count = 0;
  for (const row of readTable(whole.toString('utf8'))) {
    if ('bytes' in row) yield toPiece(entry, row.bytes, row.line, ++count);
    else
      yield {
        kind: 'problem',
        problem: { code: 'table.row', message: row.problem, where, line: row.line },
      };
  }
}

/** Undefined when it is too large to be held. */
async function readWhole(bytes: AsyncIterable<Uint8Array>): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.length;
    if (size > MAX_JSON_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function toPiece(entry: FileEntry, bytes: Uint8Array, line: number, count: number): EntryEvent {
  const { name, where, syntax, format } = entry;
  const fallbackIdentifier = count === 1 ? name : `${name}#${count}`;
  const identifier = entry.identify?.(bytes);
  const piece = {
    bytes,
    syntax,
    where,
    line,
    entry: name,
    fallbackIdentifier,
    ...(format && { format }),
    ...(identifier !== undefined && { identifier }),
  };
  return { kind: 'piece', piece };
}
