/** The source kind `files`: brings a source up to date with folders, files and archives of records. */
import type { IntakeOptions } from '../run/intake.ts';
import type { ImportReport } from '../run/report.ts';
import { labelOrigins, type Origin } from './entry-name.ts';
import { type EntryOrigin, type EntrySource, type ImportDeps, importEntries } from './import-entries.ts';
import { walkOrigin } from './walk.ts';

export type ImportOptions = IntakeOptions;

export interface FilesSource extends EntrySource {
  readonly paths: readonly string[];
}

export async function importFiles(
  deps: ImportDeps,
  source: FilesSource,
  options: ImportOptions = {},
): Promise<ImportReport> {
  const origins = labelOrigins(source.paths).map(
    (origin): EntryOrigin => ({
      place: origin.path,
      walk: () => walkOrigin(origin),
      owns: (entry) => liesIn(origin, entry),
    }),
  );
  return importEntries(deps, source, options, { kind: 'import', origins });
}

const liesIn = ({ label }: Origin, entry: string): boolean =>
  entry.startsWith(label) && /^(?:[/!]|$)/.test(entry.slice(label.length));
