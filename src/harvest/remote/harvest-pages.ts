/**
 * Brings a source up to date with an origin that is read page by page: one commit per page with the place
 * to go on from, so that an interrupted run is taken up where it stopped. What a whole reading did not
 * show is deleted under guard; a reading that ended early deletes nothing.
 */
import { asGarnerError, type ErrorCode } from '../../core/errors.ts';
import type { RecordProblem } from '../../core/model.ts';
import type { RecordPiece } from '../ingest.ts';
import { holdRun } from '../run/hold-run.ts';
import { Intake, type IntakeDeps, type IntakeOptions, type IntakeSource } from '../run/intake.ts';
import type { ImportReport } from '../run/report.ts';

export interface HarvestPage<Position> {
  readonly pieces: readonly RecordPiece[];
  readonly problems: readonly RecordProblem[];
  /** After this page; absent: it was the last one. */
  readonly next?: Position;
  /** Of all pages, as the origin says. */
  readonly total?: number;
  /** Bytes of the answer. */
  readonly bytes: number;
  /** Why the list ends here although there must be more. */
  readonly cut?: { readonly code: ErrorCode; readonly message: string };
  /** Records that this page should have had and that could not be got. */
  readonly lost?: number;
}

export interface PagedOrigin<Position> {
  /** For reports. */
  readonly place: string;
  /** Pages from there on. */
  pages(from: Position | undefined): AsyncIterable<HarvestPage<Position>>;
}

interface Checkpoint<Position> {
  readonly position: Position;
  /** Records until here, by all the runs that this one goes on with. */
  readonly seen: number;
  readonly lost: number;
  readonly total?: number;
}

/** How the reading of a list ended. */
export type PagesEnd =
  | { readonly kind: 'stopped' }
  /** There must be more that could not be got. */
  | { readonly kind: 'cut'; readonly code: ErrorCode; readonly message: string }
  | { readonly kind: 'read'; readonly seen: number; readonly lost: number; readonly total?: number };

export async function harvestPages<Position>(
  deps: IntakeDeps,
  source: IntakeSource,
  options: IntakeOptions,
  origin: PagedOrigin<Position>,
): Promise<ImportReport> {
  return holdRun(deps, source.name, 'harvest', { resume: options.full !== true }, async (run) => {
    const intake = new Intake(deps, source, options, run);
    return settlePages(intake, origin.place, await readPages(intake, origin, run.checkpoint));
  });
}

/** The place in a list where an earlier run was stopped. */
export function positionOf<Position>(checkpoint: unknown): Position | undefined {
  return (checkpoint as Checkpoint<Position> | undefined)?.position;
}

/** Goes on from the checkpoint of an earlier run, if there is one. */
export async function readPages<Position>(
  intake: Intake,
  origin: PagedOrigin<Position>,
  checkpoint: unknown,
): Promise<PagesEnd> {
  const start = checkpoint as Checkpoint<Position> | undefined;
  let seen = start?.seen ?? 0;
  let lost = start?.lost ?? 0;
  let total = start?.total;
  let pages = 0;
  let cut: HarvestPage<Position>['cut'];
  try {
    for await (const page of origin.pages(start?.position)) {
      pages++;
      intake.progress.entriesSeen++;
      intake.progress.bytesRead += page.bytes;
      seen += page.pieces.length;
      lost += page.lost ?? 0;
      // Catalogues grow and shrink while they are read; the last word counts.
      total = page.total ?? total;
      cut = page.cut;
      if (total !== undefined) intake.progress.expected = total;
      for (const piece of page.pieces) intake.addPiece(piece);
      intake.batch.problems.push(...page.problems);
      if (page.next !== undefined) {
        const place: Checkpoint<Position> = {
          position: page.next,
          seen,
          lost,
          ...(total !== undefined && { total }),
        };
        intake.batch.checkpoint = place;
      }
      await intake.flush();
      if (intake.stopped) break;
    }
  } catch (thrown) {
    if (!intake.isStop(thrown)) {
      const error = asGarnerError(thrown);
      // A list that broke off after some pages is not complete; one that never began has failed.
      if (!error.code.startsWith('http.') && error.code !== 'source.answer') throw error;
      if (pages === 0) throw error;
      cut = { code: error.code, message: error.message };
    }
  } finally {
    await intake.finish();
  }
  intake.tellProgress();
  if (intake.stopped) return { kind: 'stopped' };
  if (cut) return { kind: 'cut', ...cut };
  return { kind: 'read', seen, lost, ...(total !== undefined && { total }) };
}

/** `changes`: the list told of changes only, so that nothing is gone that it does not have. */
export async function settlePages(
  intake: Intake,
  place: string,
  end: PagesEnd,
  { changes = false }: { readonly changes?: boolean } = {},
): Promise<ImportReport> {
  if (end.kind === 'stopped') return intake.interrupted();
  if (end.kind === 'cut') return intake.report('incomplete', end);
  const { seen, lost, total } = end;
  const missing = Math.max(lost, total === undefined ? 0 : total - seen);
  return intake.settle({
    emptyOrigins: seen === 0 && !changes ? [place] : [],
    unlisted: missing > 0 ? [`${missing} of ${Math.max(total ?? 0, seen + lost)} records of ${place}`] : [],
    guardNameless: true,
    noun: 'record',
    partial: changes,
  });
}
