/** Pages put into a source's archive as a crawl or import leaves them: WARC file, index, items. */
import { join } from 'node:path';
import {
  captureOf,
  openWarcWriter,
  readArchive,
  responseRecord,
  writeHttpHead,
} from '../src/archive/index.ts';
import { archiveFolder, recordCaptures, recordSnapshot } from '../src/archive/items/index.ts';
import type { FieldSpec } from '../src/core/model.ts';
import type { CaptureEntry, GarnerStore } from '../src/store/index.ts';

export interface ArchivedPage {
  readonly url: string;
  readonly at: number;
  readonly type: string;
  /** One byte for each character. */
  readonly body: string;
  readonly status?: number;
  readonly location?: string;
}

export interface ArchiveTarget {
  readonly store: GarnerStore;
  readonly fields: readonly FieldSpec[];
  readonly dataFolder: string;
}

/** The identifier of the snapshot that lists them. */
export async function archivePages(
  target: ArchiveTarget,
  source: string,
  pages: readonly ArchivedPage[],
): Promise<string | undefined> {
  const file = await writePages(archiveFolder(target.dataFolder, source), pages);
  return recordPages(target, source, file);
}

/** The name of the WARC file. */
export async function writePages(folder: string, pages: readonly ArchivedPage[]): Promise<string> {
  const writer = await openWarcWriter({ folder, prefix: 't', clock: () => 0, info: [['software', 'test']] });
  let file = '';
  for (const { url, at, type, body, status = 200, location } of pages) {
    const head = writeHttpHead(`HTTP/1.1 ${status} x`, [
      ['Content-Type', type],
      ...(location === undefined ? [] : [['Location', location] as const]),
    ]);
    const record = responseRecord({ targetUri: url, at }, { head, body: Buffer.from(body, 'latin1') });
    file = (await writer.append(record))[0]?.file ?? file;
  }
  await writer.close();
  return file;
}

/** Of a file in the source's archive: those captures that are wanted, and a snapshot of them. */
export async function recordPages(
  { store, fields, dataFolder }: ArchiveTarget,
  source: string,
  file: string,
  isWanted: (url: string) => boolean = () => true,
): Promise<string | undefined> {
  const folder = archiveFolder(dataFolder, source);
  const captures: CaptureEntry[] = [];
  for await (const event of readArchive(join(folder, file))) {
    const capture = event.kind === 'record' ? captureOf(event, file) : undefined;
    if (capture && isWanted(capture.url)) captures.push(capture);
  }
  const { id: runId } = await store.runs.startRun(source, 'import');
  await recordCaptures({ store, fields, folder }, { source, runId }, { captures });
  const snapshot = await recordSnapshot(
    { store, fields },
    { source, runId },
    { series: source, files: [file] },
  );
  await store.runs.finishRun(runId, 'complete');
  return snapshot?.identifier;
}
