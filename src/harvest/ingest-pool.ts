/**
 * Extraction in worker threads. A record that kills or hangs its worker costs itself only: the batch is
 * halved until the record stands alone, and becomes a problem.
 */
import { asGarnerError, GarnerError } from '../core/errors.ts';
import { workerUrl } from '../core/worker-url.ts';
import { createPool, type Pool } from '../xml/pool.ts';
import type { Extraction, Ingest, RecordPiece } from './ingest.ts';
import type { IngestCalls, IngestWorkerData } from './ingest-worker.ts';

export interface IngestOptions extends IngestWorkerData {
  readonly threads: number;
  /** For one batch. A record alone may take as long, so this is generous. */
  readonly timeoutMs?: number;
}

const DEFAULT_TIMEOUT_MS = 120_000;
const NURSERY_MB = 24;

export function createIngestPool({
  threads,
  timeoutMs = DEFAULT_TIMEOUT_MS,
  ...workerData
}: IngestOptions): Ingest {
  const pool = createPool<IngestCalls>(workerUrl(import.meta.url, './ingest-worker'), {
    size: threads,
    workerData: workerData satisfies IngestWorkerData,
    timeoutMs,
    // Extraction makes much short-lived garbage; a small nursery keeps it from piling up.
    resourceLimits: { maxYoungGenerationSizeMb: NURSERY_MB },
    timeoutError: (limit) => new GarnerError('worker.lost', `extraction took longer than ${limit} ms`),
  });
  return {
    extract: (pieces) => extractSafely(pool, pieces),
    close: () => pool.close(),
  };
}

async function extractSafely(pool: Pool<IngestCalls>, pieces: readonly RecordPiece[]): Promise<Extraction> {
  try {
    const { records, rawOf, problems, filtered = [] } = await pool.calls.extract(pieces);
    return {
      records: records.map((record, i) => {
        const bytes = pieces[rawOf[i] ?? -1]?.bytes;
        return bytes ? { ...record, raw: bytes } : record;
      }),
      problems,
      filtered,
    };
  } catch (thrown) {
    const error = asGarnerError(thrown);
    if (error.code !== 'worker.lost') throw error;
    const [only, ...more] = pieces;
    if (!only) return { records: [], problems: [] };
    if (more.length === 0) {
      return {
        records: [],
        problems: [
          {
            code: error.code,
            message: error.message,
            where: only.where,
            line: only.line,
            ...(only.identifier !== undefined && { identifier: only.identifier }),
          },
        ],
      };
    }
    const middle = pieces.length >> 1;
    const halves = [
      await extractSafely(pool, pieces.slice(0, middle)),
      await extractSafely(pool, pieces.slice(middle)),
    ];
    return {
      records: halves.flatMap(({ records }) => records),
      problems: halves.flatMap(({ problems }) => problems),
      filtered: halves.flatMap(({ filtered }) => filtered ?? []),
    };
  }
}
