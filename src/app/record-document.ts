/** One document as a record of a source, byte by byte, beside what else the source holds. */
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { createSourceIngest, type Garner } from '../app.ts';

export async function recordDocument(garner: Garner, source: string, path: string): Promise<void> {
  const { runs, items } = garner.store;
  const ingest = createSourceIngest(garner, source);
  try {
    const bytes = await readFile(path);
    const { records, problems } = await ingest.extract([
      { bytes, syntax: 'xml', where: path, line: 1, fallbackIdentifier: basename(path) },
    ]);
    const { id: runId } = await runs.startRun(source, 'import');
    await items.commit({ source, runId, records, problems });
    await runs.finishRun(runId, problems.length > 0 ? 'incomplete' : 'complete');
  } finally {
    await ingest.close();
  }
}
