/** The report is kept beside the store, and made anew when something was committed or ran since. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FieldSpec } from '../../core/model.ts';
import type { Clock } from '../../core/time.ts';
import type { GarnerStore } from '../../store/index.ts';
import { findState, makeQualityReport } from './make-report.ts';
import type { QualityReport } from './report.ts';

export interface QualityReports {
  /** As of now; takes a while for a large store. One is made at a time, whoever asks. */
  make(): Promise<QualityReport>;
  /** The newest there is; `fresh` when nothing was committed and nothing ran since. */
  find(): Promise<{ readonly report: QualityReport | undefined; readonly fresh: boolean }>;
}

export interface QualityDeps {
  readonly store: Pick<GarnerStore, 'items' | 'runs' | 'admin'>;
  readonly fields: readonly FieldSpec[];
  readonly dataFolder: string;
  readonly clock: Clock;
}

/** Raised when the shape of the report changes: older files are then as if they were not there. */
const SHAPE = 2;

export function createQualityReports({ store, fields, dataFolder, clock }: QualityDeps): QualityReports {
  const path = join(dataFolder, 'quality.json');
  let kept: QualityReport | undefined;
  let making: Promise<QualityReport> | undefined;

  const read = (): QualityReport | undefined => {
    const found = readReport(path);
    // Another process may have made a newer one.
    if (found && (!kept || found.seq > kept.seq || found.madeAt > kept.madeAt)) kept = found;
    return kept;
  };
  const isFresh = async (report: QualityReport | undefined): Promise<boolean> => {
    if (report === undefined) return false;
    const { seq, lastRun } = await findState(store);
    return report.seq === seq && report.lastRun === lastRun;
  };

  const makeAnew = async (): Promise<QualityReport> => {
    const known = read();
    if (known && (await isFresh(known))) return known;
    const report = await makeQualityReport(store, fields, clock());
    mkdirSync(dataFolder, { recursive: true });
    const draft = `${path}.${process.pid}`;
    writeFileSync(draft, JSON.stringify({ shape: SHAPE, report }));
    renameSync(draft, path);
    kept = report;
    return report;
  };

  return {
    make: () => {
      making ??= makeAnew().finally(() => {
        making = undefined;
      });
      return making;
    },
    find: async () => {
      const report = read();
      return { report, fresh: await isFresh(report) };
    },
  };
}

function readReport(path: string): QualityReport | undefined {
  try {
    const { shape, report } = JSON.parse(readFileSync(path, 'utf8')) as {
      shape: number;
      report: QualityReport;
    };
    return shape === SHAPE ? report : undefined;
  } catch (error) {
    // Not there yet, or cut short by a full disk: it will be made.
    if (
      error instanceof SyntaxError ||
      (error instanceof Error && 'code' in error && error.code === 'ENOENT')
    )
      return undefined;
    throw error;
  }
}
