/** Changed fields, transforms or filters applied to what is stored, from the raw bytes, without a new harvest. */
import { setsOfCapture } from '../archive/items/index.ts';
import type { FormatRegistry } from '../formats/registry.ts';
import { type WebCapture, webCapture } from '../formats/web-capture.ts';
import type { GarnerStore, RawRecord, ReextractedRecord } from '../store/index.ts';
import type { Ingest, RecordPiece } from './ingest.ts';
import { withRun } from './with-run.ts';

const BATCH = 500;

export interface ReindexReport {
  readonly records: number;
  readonly problems: number;
}

export async function reindexSource(
  deps: { readonly store: GarnerStore; readonly ingest: Ingest; readonly formats: FormatRegistry },
  source: string,
  options: { readonly signal?: AbortSignal; onProgress?(done: number): void } = {},
): Promise<ReindexReport> {
  const { store, ingest, formats } = deps;
  return withRun(store.runs, source, 'reindex', async (runId) => {
    let after = 0;
    let records = 0;
    let problemCount = 0;
    while (true) {
      options.signal?.throwIfAborted();
      const stored = await store.items.listRaw(source, after, BATCH);
      const last = stored.at(-1);
      if (!last) break;
      after = last.recordKey;
      const pieces = stored.map(
        (raw): RecordPiece => ({
          bytes: raw.bytes,
          syntax: formats.find(raw.format)?.syntax ?? 'xml',
          where: raw.identifier,
          line: 1,
          entry: String(raw.recordKey),
          format: raw.format,
          fallbackIdentifier: raw.identifier,
          // Filters must name the stored item, whatever the record calls itself.
          identifier: raw.identifier,
        }),
      );
      const extraction = await ingest.extract(pieces);
      const setsOf = new Map(stored.map((raw) => [String(raw.recordKey), setsNow(raw)]));
      const changed = extraction.records.map((record): ReextractedRecord => {
        const sets = setsOf.get(record.entry ?? '');
        return {
          recordKey: Number(record.entry),
          document: record.document,
          ...(record.transformed && { transformed: record.transformed }),
          ...(record.held && { held: true }),
          ...(sets && { sets }),
        };
      });
      await store.items.reindexRecords(source, runId, changed);
      const formatOf = new Map(stored.map(({ recordKey, format }) => [String(recordKey), format]));
      const deletions = (extraction.filtered ?? []).map(({ identifier, entry = '' }) => ({
        identifier,
        format: formatOf.get(entry) ?? '',
      }));
      if (extraction.problems.length + deletions.length > 0)
        await store.items.commit({ source, runId, deletions, problems: extraction.problems });
      records += changed.length;
      problemCount += extraction.problems.length;
      options.onProgress?.(records);
    }
    return { records, problems: problemCount };
  });
}

/** Of captures, whose sets follow from what is stored: archives of before sets existed get theirs. */
function setsNow({ format, bytes }: RawRecord): readonly string[] | undefined {
  if (format !== webCapture.name) return undefined;
  return setsOfCapture(JSON.parse(Buffer.from(bytes).toString()) as WebCapture);
}
