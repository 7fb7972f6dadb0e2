/** The worker thread behind `ingest-pool.ts`: extraction of one source's records. */
import { parentPort, workerData } from 'node:worker_threads';
import { asGarnerError, GarnerError } from '../core/errors.ts';
import type { RecordProblem } from '../core/model.ts';
import { serveCalls } from '../core/worker-rpc.ts';
import type { MetadataFormat } from '../formats/format.ts';
import { createFormatRegistry } from '../formats/registry.ts';
import type { IncomingRecord } from '../store/index.ts';
import { compileSchema } from '../xml/xsd.ts';
import { createTransformer } from '../xml/xslt.ts';
import { createExtraction, type ValidationPolicy } from './extract-record.ts';
import type { Extraction, RecordPiece } from './ingest.ts';
import { createRecordFilter } from './record-filter.ts';

export interface IngestWorkerData {
  readonly ownFormats: readonly MetadataFormat[];
  /** Forces a format; default: detected. */
  readonly format?: string | undefined;
  /** Path of a schema. */
  readonly xsd?: string | undefined;
  /** The folder that it may include from; default: its own. */
  readonly xsdRoot?: string | undefined;
  /** The text of a stylesheet. */
  readonly stylesheet?: string | undefined;
  readonly validation: ValidationPolicy;
  /** XPaths; see `record-filter.ts`. */
  readonly accept?: readonly string[] | undefined;
  readonly deny?: readonly string[] | undefined;
}

export interface IngestCalls {
  extract(pieces: readonly RecordPiece[]): Promise<Extraction>;
}

if (!parentPort) throw new GarnerError('internal.bug', 'ingest-worker runs as a worker thread only');
const { ownFormats, format, xsd, xsdRoot, stylesheet, validation, accept, deny } =
  workerData as IngestWorkerData;

const extractOne = createExtraction({
  formats: createFormatRegistry(ownFormats),
  format,
  schema: xsd === undefined ? undefined : compileSchema(xsd, xsdRoot === undefined ? {} : { root: xsdRoot }),
  validation,
  filter: accept || deny ? createRecordFilter({ accept, deny }) : undefined,
});
const transformer = stylesheet === undefined ? undefined : createTransformer(stylesheet);

async function transform(piece: RecordPiece): Promise<Uint8Array | RecordProblem | undefined> {
  if (!transformer || piece.syntax !== 'xml') return undefined;
  try {
    return await transformer.transform(piece.bytes);
  } catch (thrown) {
    const { code, message } = asGarnerError(thrown);
    return {
      code,
      message,
      where: piece.where,
      line: piece.line,
      ...(piece.identifier !== undefined && { identifier: piece.identifier }),
    };
  }
}

serveCalls<IngestCalls>(parentPort, {
  extract: async (pieces) => {
    const records: IncomingRecord[] = [];
    const problems: RecordProblem[] = [];
    const filtered: { identifier: string; entry?: string }[] = [];
    for (const piece of pieces) {
      const made = await transform(piece);
      if (made && 'code' in made) {
        problems.push(made);
        continue;
      }
      const outcome = extractOne(piece, made);
      if (outcome.record) records.push(outcome.record);
      if (outcome.filtered !== undefined)
        filtered.push({
          identifier: outcome.filtered,
          ...(piece.entry !== undefined && { entry: piece.entry }),
        });
      problems.push(...outcome.problems);
    }
    return { records, problems, filtered };
  },
});
