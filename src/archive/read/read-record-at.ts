/** One record, from the place that an index knows. */
import { GarnerError } from '../../core/errors.ts';
import { type ByteSource, openFile } from '../bytes/byte-source.ts';
import type { ArchiveRecord } from './archive-record.ts';
import { openRecordReader, type ReadOptions } from './record-reader.ts';

/**
 * `archive.record` when no record begins there. A record with a large block keeps the file open until the
 * block was read or the record closed.
 */
export async function readRecordAt(
  from: string | ByteSource,
  offset: number,
  options: Omit<ReadOptions, 'start'> = {},
): Promise<ArchiveRecord> {
  const source = typeof from === 'string' ? await openFile(from) : from;
  const close = async (): Promise<void> => {
    if (typeof from === 'string') await source.close();
  };
  try {
    if (offset >= source.size) throw noRecord(source, offset);
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

function noRecord(source: ByteSource, offset: number): GarnerError {
  return new GarnerError('archive.record', `${source.name} has no record at ${offset}`, {
    details: { file: source.name, offset },
  });
}
