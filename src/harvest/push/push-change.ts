/** What one sender wants done with one item, and what extraction makes of it. */
import type { RecordProblem } from '../../core/model.ts';
import type { IncomingRecord } from '../../store/index.ts';
import type { Ingest, RecordPiece } from '../ingest.ts';

export type PushChange =
  | {
      readonly kind: 'put';
      /** What the sender calls it; absent: what the record says. */
      readonly identifier?: string;
      readonly bytes: Uint8Array;
      readonly syntax: 'xml' | 'json';
      readonly format?: string;
    }
  | { readonly kind: 'delete'; readonly identifier: string }
  /** Could not be understood by whoever read the request. */
  | { readonly kind: 'refused'; readonly identifier?: string; readonly problem: RecordProblem };

interface Noted {
  readonly problems: readonly RecordProblem[];
}

export type ExtractedChange = Noted &
  (
    | { readonly kind: 'put'; readonly identifier: string; readonly record: IncomingRecord }
    | { readonly kind: 'delete' | 'filtered'; readonly identifier: string }
    | { readonly kind: 'refused'; readonly identifier: string | undefined }
  );

export async function extractChanges(
  ingest: Ingest,
  changes: readonly PushChange[],
): Promise<ExtractedChange[]> {
  const pieces = changes.flatMap((change, index) => (change.kind === 'put' ? [toPiece(change, index)] : []));
  const { records, problems, filtered } =
    pieces.length > 0 ? await ingest.extract(pieces) : { records: [], problems: [], filtered: [] };
  const recordAt = new Map(records.map((record) => [record.entry, record]));
  const filteredAt = new Map((filtered ?? []).map((record) => [record.entry, record]));
  const problemsAt = Map.groupBy(problems, ({ where }) => where);
  return changes.map((change, index): ExtractedChange => {
    if (change.kind === 'delete') return { kind: 'delete', identifier: change.identifier, problems: [] };
    if (change.kind === 'refused')
      return { kind: 'refused', identifier: change.identifier, problems: [change.problem] };
    const entry = String(index);
    const own = (problemsAt.get(placeOf(change, index)) ?? []).map((problem) =>
      withIdentifier(problem, change),
    );
    const record = recordAt.get(entry);
    if (record) {
      // There is no file that the record belongs to.
      const { entry: _, ...rest } = record;
      const kept: IncomingRecord = { ...rest, origin: { where: 'push' } };
      return { kind: 'put', identifier: kept.identifier, record: kept, problems: own };
    }
    const left = filteredAt.get(entry);
    if (left) return { kind: 'filtered', identifier: left.identifier, problems: own };
    return { kind: 'refused', identifier: change.identifier, problems: own };
  });
}

type Put = Extract<PushChange, { kind: 'put' }>;

/** Unique in the batch, so that problems find their way back; readable in reports. */
const placeOf = ({ identifier }: Put, index: number): string =>
  `push #${index + 1} ${identifier ?? ''}`.trim();

function withIdentifier(problem: RecordProblem, { identifier }: Put): RecordProblem {
  if (identifier !== undefined) return { identifier, ...problem };
  const message = 'neither the sender nor the record itself says how it is called';
  return problem.code === 'record.identifier' ? { ...problem, message } : problem;
}

function toPiece(change: Put, index: number): RecordPiece {
  const { bytes, syntax, identifier, format } = change;
  return {
    bytes,
    syntax,
    where: placeOf(change, index),
    line: 1,
    entry: String(index),
    // Without any identifier the record is refused.
    fallbackIdentifier: '',
    ...(identifier !== undefined && { identifier }),
    ...(format !== undefined && { format }),
  };
}
