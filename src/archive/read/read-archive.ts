/** WARC and ARC files, however packed, as a sequence of records and damages. */
import { GarnerError } from '../../core/errors.ts';
import { type ByteSource, openFile } from '../bytes/byte-source.ts';
import type { ArchiveEvent } from './events.ts';
import { openRecordReader, type ReadOptions } from './record-reader.ts';

/**
 * Damage is an event, never an error; only a file in which no record at all was found is one. A path is
 * opened and closed here, a source stays open.
 */
export async function* readArchive(
  from: string | ByteSource,
  options: ReadOptions = {},
): AsyncGenerator<ArchiveEvent, void> {
  const source = typeof from === 'string' ? await openFile(from) : from;
  try {
    const reader = await openRecordReader(source, options);
    try {
      let records = 0;
      for (let event = await reader.next(); event; event = await reader.next()) {
        if (event.kind === 'record') records++;
        yield event;
      }
      if (records === 0 && source.size > 0) {
        throw new GarnerError('archive.format', `${source.name} holds no record of a WARC or ARC file`, {
          details: { file: source.name },
        });
      }
    } finally {
      await reader.close();
    }
  } finally {
    if (typeof from === 'string') await source.close();
  }
}
