/** One record, from the place that an index knows. */
import { GarnerError } from '../../core/errors.ts';
import { type ByteSource, openFile, upTo } from '../bytes/byte-source.ts';
import type { ArchiveRecord } from './archive-record.ts';
import { openRecordReader, type ReadOptions } from './record-reader.ts';

export interface ReadAtOptions extends Omit<ReadOptions, 'start'> {
  /** Of the record in the file, as an index tells it: then no more than that is read, if it holds. */
  readonly length?: number;
}

/**
 * `archive.record` when no record begins there. A record with a large block keeps the file open until the
 * block was read or the record closed.
 */
export async function readRecordAt(
  from: string | ByteSource,
  offset: number,
  { length, ...options }: ReadAtOptions = {},
): Promise<ArchiveRecord> {
  const source = typeof from === 'string' ? await openFile(from) : from;
  const close = async (): Promise<void> => {
    if (typeof from === 'string') await source.close();
  };
  try {
    if (offset >= source.size) throw noRecord(source, offset);
    if (length !== undefined && length <= MAX_EXACT) {
      const exact = await readWithin(upTo(source, offset + length), offset, options);
      if (exact) {
        await close();
        return exact;
      }
    }
    const reader = await openRecordReader(source, { ...options, start: offset });
    const event = await reader.next();
    if (event?.kind !== 'record' || event.stored.offset !== offset) {
      await reader.close();
      throw noRecord(source, offset);
    }
    if (event.whole) {
      await reader.close();
      await close();
      return event;
    }
    return event.closingWith(async () => {
      await reader.close();
      await close();
    });
  } catch (error) {
    await close();
    throw error;
  }
}

/** Longer ones are streams, and the window of a reader is a small part of them. */
const MAX_EXACT = 1 << 20;

/** Undefined when the length is not right: what lies there is then read as if it were not known. */
async function readWithin(
  source: ByteSource,
  offset: number,
  options: Omit<ReadOptions, 'start'>,
): Promise<ArchiveRecord | undefined> {
  const reader = await openRecordReader(source, { ...options, start: offset });
  const event = await reader.next();
  const isWhole =
    event?.kind === 'record' &&
    event.stored.offset === offset &&
    event.whole !== undefined &&
    !event.truncated;
  await reader.close();
  return isWhole ? event : undefined;
}

function noRecord(source: ByteSource, offset: number): GarnerError {
  return new GarnerError('archive.record', `${source.name} has no record at ${offset}`, {
    details: { file: source.name, offset },
  });
}
