/** The worker thread behind `ingest-pool.ts`: extraction of one source's records. */
import { parentPort, workerData } from 'node:worker_threads';
import { asGarnerError, GarnerError } from '../core/errors.ts';
import type { RecordProblem } from '../core/model.ts';
import { serveCalls } from '../core/worker-rpc.ts';
import type { MetadataFormat } from '../formats/format.ts';
import { createFormatRegistry } from '../formats/registry.ts';
import type { IncomingRecord } from '../store/index.ts';
import { packDocument } from '../store/packed-document.ts';
import { repairXml } from '../xml/repair.ts';
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
  /** `rawOf`: of each record the piece whose bytes are its raw bytes, which are not sent back; -1: they are. */
  extract(pieces: readonly RecordPiece[]): Promise<Extraction & { readonly rawOf: readonly number[] }>;
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

/** The piece after the stylesheet; a broken one is mended first, since the stylesheet must parse it, too. */
async function transform(
  piece: RecordPiece,
): Promise<{ piece: RecordPiece; made?: Uint8Array; repairs?: readonly string[] }> {
  if (!transformer || piece.syntax !== 'xml') return { piece };
  try {
    return { piece, made: await transformer.transform(piece.bytes) };
  } catch (error) {
    const { bytes, repairs } = piece.repair ? repairXml(piece.bytes) : { bytes: piece.bytes, repairs: [] };
    if (repairs.length === 0) throw error;
    return { piece: { ...piece, bytes }, made: await transformer.transform(bytes), repairs };
  }
}

function problemOf({ where, line, identifier }: RecordPiece, code: string, message: string): RecordProblem {
  return { code, message, where, line, ...(identifier !== undefined && { identifier }) };
}

const NOTHING = new Uint8Array();

serveCalls<IngestCalls>(parentPort, {
  extract: async (pieces) => {
    const records: IncomingRecord[] = [];
    const rawOf: number[] = [];
    const problems: RecordProblem[] = [];
    const filtered: { identifier: string; entry?: string }[] = [];
    for (const [index, given] of pieces.entries()) {
      let ready: Awaited<ReturnType<typeof transform>>;
      try {
        ready = await transform(given);
      } catch (thrown) {
        const { code, message } = asGarnerError(thrown);
        problems.push(problemOf(given, code, message));
        continue;
      }
      const { piece, made, repairs } = ready;
      const { record, filtered: left, problems: found } = extractOne(piece, made);
      if (record) {
        const isGiven = record.raw === given.bytes;
        records.push({
          ...record,
          ...(isGiven && { raw: NOTHING }),
          document: packDocument(record.document),
        });
        rawOf.push(isGiven ? index : -1);
        if (repairs)
          problems.push({
            ...problemOf(piece, 'record.repaired', repairs.join('; ')),
            identifier: record.identifier,
          });
      }
      if (left !== undefined)
        filtered.push({ identifier: left, ...(piece.entry !== undefined && { entry: piece.entry }) });
      problems.push(...found);
    }
    return { records, rawOf, problems, filtered };
  },
});
