/** Captures that the frontier delivered to a store which no longer has them, as after a backup was brought back. */
import { existsSync } from 'node:fs';
import { captureOf, readArchive } from '../archive/index.ts';
import { archivePath } from '../archive/items/index.ts';
import type { CaptureEntry, CaptureIndex } from '../store/captures.ts';
import type { JobFile } from './frontier/frontier.ts';
import type { RecordCaptures } from './record-captures.ts';

const BATCH = 500;

/**
 * A copy of the store is older than that of the frontier, which is taken after it. The records are in the
 * archive files all the same: those of a file of which the store knows less are read again. What it knows is
 * not taken twice. Gives how many were read.
 */
export async function recoverCaptures(
  files: readonly JobFile[],
  folder: string,
  index: Pick<CaptureIndex, 'listFiles'>,
  source: string,
  record: RecordCaptures,
): Promise<number> {
  const indexed = new Map((await index.listFiles(source)).map(({ file, captures }) => [file, captures]));
  let read = 0;
  for (const { name, captures } of files) {
    const path = archivePath(folder, name);
    // Of a file that somebody took away nothing can be read; `garner verify` tells of it.
    if ((indexed.get(name) ?? 0) >= captures || !existsSync(path)) continue;
    let batch: CaptureEntry[] = [];
    for await (const event of readArchive(path)) {
      const capture = event.kind === 'record' ? captureOf(event, name) : undefined;
      if (event.kind === 'record') await event.close();
      if (!capture) continue;
      batch.push(capture);
      read++;
      if (batch.length < BATCH) continue;
      await record(batch, new Map());
      batch = [];
    }
    if (batch.length > 0) await record(batch, new Map());
  }
  return read;
}
