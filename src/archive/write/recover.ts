/** After a crash: a record that was being written when the process died is cut off. */
import { open } from 'node:fs/promises';
import { type ByteSource, openFile, readFully } from '../bytes/byte-source.ts';
import type { ArchiveRecord } from '../read/archive-record.ts';
import { isGzipMagic } from '../read/gzip-header.ts';
import { openRecordReader } from '../read/record-reader.ts';

export interface Recovery {
  /** The file's size now. */
  readonly size: number;
  /** Bytes of a torn record that were cut off. */
  readonly removed: number;
  /** Whole records from `from` on. */
  readonly records: number;
}

/**
 * Only the tail is touched: damage that whole records follow is something else, and stays for `verify` to
 * report. `from` is a place known to be good, such as the end of the last record that the store mentions.
 */
export async function recoverWarc(path: string, from = 0): Promise<Recovery> {
  const source = await openFile(path);
  let end: number;
  let records = 0;
  try {
    ({ end, records } = await findGoodEnd(source, from));
  } finally {
    await source.close();
  }
  if (source.size > end) {
    const handle = await open(path, 'r+');
    try {
      await handle.truncate(end);
      await handle.sync();
    } finally {
      await handle.close();
    }
  }
  return { size: end, removed: source.size - end, records };
}

async function findGoodEnd(source: ByteSource, from: number): Promise<{ end: number; records: number }> {
  let end = from;
  let records = 0;
  if (source.size <= from) return { end: source.size, records };
  const reader = await openRecordReader(source, { start: from });
  try {
    let last: ArchiveRecord | undefined;
    while (true) {
      // What is wrong with a record comes after it, and a streamed one is measured only by going on.
      const event = await reader.next();
      const isOfLast = event?.kind === 'damage' && event.offset === last?.stored.offset;
      if (last && !isOfLast && !last.truncated && (await isEnded(source, last))) {
        end = last.stored.offset + (last.stored.length ?? 0);
        records++;
      }
      last = event?.kind === 'record' ? event : undefined;
      if (!event) return { end, records };
    }
  } finally {
    await reader.close();
  }
}

/** Without compression only the newlines at its end tell that a record was written in full. */
async function isEnded(source: ByteSource, { stored }: ArchiveRecord): Promise<boolean> {
  if (stored.length === undefined) return false;
  if (isGzipMagic(await readFully(source, stored.offset, 4))) return true;
  const tail = await readFully(source, stored.offset + stored.length - 4, 4);
  return tail.toString('latin1') === '\r\n\r\n';
}
