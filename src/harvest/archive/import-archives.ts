/** Takes web archives in: their files are kept as they are, their captures indexed, pages and documents made items. */
import { basename } from 'node:path';
import { z } from 'zod';
import { createPdfReader } from '../../archive/content/index.ts';
import { type ByteSource, openFile, openWacz } from '../../archive/index.ts';
import {
  archiveFolder,
  archivePath,
  recordSnapshot,
  type SnapshotComparing,
} from '../../archive/items/index.ts';
import { asGarnerError, GarnerError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import type { FieldSpec, RecordProblem } from '../../core/model.ts';
import { type Clock, systemClock } from '../../core/time.ts';
import type { CaptureEntry, EntryState, GarnerStore } from '../../store/index.ts';
import { type HeldRun, holdRun } from '../run/hold-run.ts';
import type { IntakeOptions } from '../run/intake.ts';
import type { ImportReport } from '../run/report.ts';
import { ArchiveIntake } from './archive-intake.ts';
import { type IndexKind, listIndexed } from './index-captures.ts';
import { digestOf, type KeptFile, keepFile, removeUnfinished } from './keep-file.ts';
import { listPlaces, readMissed, readOffsets } from './listed-offsets.ts';
import { digestOfSite, packSite } from './pack-saved-site.ts';
import { type FilePlace, readRecords } from './read-records.ts';
import { findSavedSite } from './saved-site.ts';
import { findListed, type WebArchiveKind } from './sniff-archive.ts';

export interface ArchiveImportDeps {
  readonly store: Pick<GarnerStore, 'items' | 'runs' | 'captures' | 'blobs'>;
  /** The fields of the installation. */
  readonly fields: readonly FieldSpec[];
  readonly dataFolder: string;
  readonly log?: Log;
  readonly clock?: Clock;
  /** How a snapshot is held against the one before it. */
  readonly comparing?: SnapshotComparing;
}

export interface FoundArchive {
  readonly path: string;
  /** `saved`: a folder that wget, HTTrack or a browser left. */
  readonly kind: WebArchiveKind | 'saved';
}

export interface ArchiveImportOptions extends Pick<IntakeOptions, 'signal' | 'onProgress'> {
  /** What the archives are a snapshot of; absent: of the source. */
  readonly series?: string;
  /** Of the snapshot. */
  readonly title?: string;
  /** What was found out about the archives before: the run tells it as its own. */
  readonly problems?: readonly RecordProblem[];
}

export interface ArchiveImportReport extends ImportReport {
  /** New in the capture index. */
  readonly captures: number;
  /** Identifier of the item that lists the captures of the files which were new. */
  readonly snapshot?: string;
}

/** Where a killed run goes on. */
interface Checkpoint {
  /** Read to their end, and not yet in a snapshot. */
  readonly files: readonly string[];
  /** The file by its digest, since it may be given under another name. */
  readonly place?: FilePlace & { readonly digest: string };
}

const ARCHIVE_RUN = 'import';
/** Begins the names of entries that are archive files. */
export const ARCHIVE_ENTRY = 'archive:';

export async function importArchives(
  deps: ArchiveImportDeps,
  source: string,
  archives: readonly FoundArchive[],
  options: ArchiveImportOptions = {},
): Promise<ArchiveImportReport> {
  let captures = 0;
  let snapshot: string | undefined;
  const report = await holdRun(deps, source, ARCHIVE_RUN, { resume: true }, async (run) => {
    const work = new ArchiveImport(deps, source, run, options);
    try {
      const outcome = await work.importAll(archives);
      captures = work.intake.captures;
      ({ snapshot } = work);
      return outcome;
    } finally {
      await work.close();
    }
  });
  return { ...report, captures, ...(snapshot !== undefined && { snapshot }) };
}

class ArchiveImport {
  readonly intake: ArchiveIntake;
  readonly #deps: ArchiveImportDeps;
  readonly #source: string;
  readonly #run: HeldRun;
  readonly #signal: AbortSignal | undefined;
  readonly #folder: string;
  readonly #pdf = createPdfReader();
  readonly #startedAt: number;
  /** Files that were read to their end, by digest. */
  readonly #known = new Map<string, EntryState>();
  #unchanged = 0;
  #unread: string[] = [];
  /** Read to their end by this run. */
  readonly #files: string[];
  readonly #series: string;
  readonly #title: string | undefined;
  readonly #checkpointBefore: Checkpoint | undefined;
  snapshot: string | undefined;

  constructor(deps: ArchiveImportDeps, source: string, run: HeldRun, options: ArchiveImportOptions) {
    this.#deps = deps;
    this.#source = source;
    this.#run = run;
    this.#signal = options.signal;
    this.#series = options.series ?? source;
    this.#title = options.title;
    this.#folder = archiveFolder(deps.dataFolder, source);
    this.#startedAt = this.#now();
    this.#checkpointBefore = readCheckpoint(run.checkpoint);
    this.#files = [...(this.#checkpointBefore?.files ?? [])];
    const { store, fields, log } = deps;
    this.intake = new ArchiveIntake(
      { store, fields, folder: this.#folder, pdf: this.#pdf, ...(log && { log }) },
      { source, runId: run.id },
      options.onProgress,
    );
    for (const problem of options.problems ?? []) this.intake.noteDamage(problem);
  }

  close(): Promise<void> {
    return this.#pdf.close();
  }

  #checkpoint(place?: Checkpoint['place']): Checkpoint {
    return { files: this.#files, ...(place && { place }) };
  }

  #now = (): number => (this.#deps.clock ?? systemClock)();
  #stopped = (): boolean => this.#signal?.aborted === true || this.#run.lost.aborted;

  async importAll(archives: readonly FoundArchive[]): Promise<ImportReport> {
    await removeUnfinished(this.#folder);
    await this.#loadKnown();
    for (const { path, kind } of archives) {
      if (this.#stopped()) break;
      try {
        if (kind === 'wacz') await this.#importWacz(path);
        else if (kind === 'records') await this.#importFile(path);
        else if (kind === 'saved') await this.#importSaved(path);
        else if (kind === 'offsets') await this.#importListed(path);
        else await this.#importIndex(path, kind);
      } catch (thrown) {
        const { code, message } = asGarnerError(thrown);
        if (!/^(?:archive|source)\./.test(code)) throw thrown;
        this.#unread.push(path);
        this.intake.noteDamage({ code, message, where: path });
      }
    }
    this.#run.lost.throwIfAborted();
    if (!this.#stopped()) {
      await this.intake.flush(this.#checkpoint());
      await this.#recordSnapshot();
      await this.intake.flush(null);
    }
    return this.#report();
  }

  async #recordSnapshot(): Promise<void> {
    if (this.#files.length === 0) return;
    const run = { source: this.#source, runId: this.#run.id };
    const title = this.#title;
    const facts = { series: this.#series, files: this.#files, ...(title !== undefined && { title }) };
    this.snapshot = (await recordSnapshot(this.#deps, run, facts))?.identifier;
  }

  async #loadKnown(): Promise<void> {
    const { items } = this.#deps.store;
    for (let after: string | undefined; ; ) {
      const page = await items.listEntries(this.#source, after, 1000);
      for (const state of page) this.#known.set(state.digest, state);
      after = page.at(-1)?.entry;
      if (after === undefined) return;
    }
  }

  async #importFile(path: string): Promise<void> {
    const source = await openFile(path);
    try {
      await this.#importRecords(source, basename(path));
    } finally {
      await source.close();
    }
  }

  async #importWacz(path: string): Promise<void> {
    const wacz = await openWacz(path);
    try {
      for (const name of wacz.archiveNames) {
        if (this.#stopped()) return;
        const source = await wacz.open(name);
        try {
          await this.#importRecords(source, `${basename(path).replace(/\.\w+$/, '')}-${basename(name)}`);
        } finally {
          await source.close();
        }
      }
    } finally {
      await wacz.close();
    }
  }

  async #importRecords(source: ByteSource, name: string): Promise<void> {
    this.intake.progress.entriesSeen++;
    const digest = await digestOf(source);
    if (this.#known.has(digest)) {
      this.#unchanged++;
      return;
    }
    await this.#readKept(await keepFile(source, digest, name, this.#folder), digest);
  }

  async #importSaved(path: string): Promise<void> {
    this.intake.progress.entriesSeen++;
    const files = (await findSavedSite(path)) ?? [];
    const digest = await digestOfSite(files);
    if (this.#known.has(digest)) this.#unchanged++;
    else await this.#readKept(await packSite(files, digest, this.#folder, this.#now), digest);
  }

  async #readKept(file: KeptFile, digest: string): Promise<void> {
    const place = this.#checkpointBefore?.place;
    const start = place?.digest === digest ? place : undefined;
    const whole = await readRecords(file, start, this.intake, {
      pdf: this.#pdf,
      stopped: this.#stopped,
      flush: (place) => this.intake.flush(this.#checkpoint({ digest, ...place })),
    });
    if (!whole) return;
    const state = { entry: `${ARCHIVE_ENTRY}${file.name}`, digest, size: file.size, modifiedAt: this.#now() };
    this.#files.push(file.name);
    await this.intake.flush(this.#checkpoint(), [state]);
    this.#known.set(digest, state);
  }

  /** Without the records there is nothing to search; what was captured when is known all the same. */
  async #importIndex(path: string, kind: IndexKind): Promise<void> {
    const { captures } = this.#deps.store;
    this.intake.progress.entriesSeen++;
    let batch: CaptureEntry[] = [];
    const flush = async (): Promise<void> => {
      this.intake.captures += (await captures.add(this.#source, batch)).added;
      this.intake.progress.records += batch.length;
      this.intake.progress.committed += batch.length;
      batch = [];
    };
    for await (const entry of listIndexed(path, kind, this.#noteLine(path))) {
      batch.push(entry);
      if (batch.length >= INDEX_BATCH) await flush();
      if (this.#stopped()) return;
    }
    await flush();
  }

  readonly #noteLine =
    (path: string) =>
    (line: number, text: string): void =>
      this.intake.note({
        code: 'archive.format',
        message: `no line of an index: ${text.slice(0, 200)}`,
        where: path,
        line,
      });

  /** The file that the list belongs to, and then what reading it in order did not find. */
  async #importListed(path: string): Promise<void> {
    this.intake.progress.entriesSeen++;
    const archive = await findListed(path);
    if (archive === undefined)
      throw new GarnerError('archive.format', `the archive file of ${path} is not beside it`);
    await this.#importFile(archive);
    if (this.#stopped()) return;
    const source = await openFile(archive);
    const digest = await digestOf(source);
    await source.close();
    const name = this.#known.get(digest)?.entry.slice(ARCHIVE_ENTRY.length);
    if (name === undefined) return;
    const file = { name, path: archivePath(this.#folder, name) };
    const offsets = await readOffsets(path, this.#noteLine(path));
    const known = await listPlaces(this.#deps.store.captures, this.#source, name);
    const noteMissing = (offset: number, message: string): void =>
      this.intake.noteDamage({ code: 'archive.record', message, where: `${name}@${offset}` });
    for await (const capture of readMissed(file, offsets, known, noteMissing)) {
      this.intake.add(capture, undefined);
      if (this.intake.isFull) await this.intake.flush(this.#checkpoint());
    }
    await this.intake.flush(this.#checkpoint());
  }

  #report(): ImportReport {
    const { counts, progress, damages } = this.intake;
    const seconds = (this.#now() - this.#startedAt) / 1000;
    const interrupted = this.#stopped();
    const status = interrupted ? 'interrupted' : damages > 0 ? 'incomplete' : 'complete';
    const message =
      this.#unread.length > 0
        ? `Could not be read: ${this.#unread.slice(0, 3).join(', ')}.`
        : damages > 0 && !interrupted
          ? `${damages} places are damaged; everything else was taken in.`
          : undefined;
    return {
      runId: this.#run.id,
      status,
      ...(status === 'incomplete' && { code: 'archive.damaged' as const }),
      ...(message !== undefined && { message }),
      counts,
      ...progress,
      entriesUnchanged: this.#unchanged,
      entriesSkipped: 0,
      seconds,
      recordsPerSecond: seconds > 0 ? Math.round(progress.committed / seconds) : 0,
    };
  }
}

const INDEX_BATCH = 2000;

const checkpointShape = z.object({
  files: z.array(z.string()),
  place: z
    .object({ digest: z.string(), offset: z.number(), inner: z.number().optional() })
    .transform(({ inner, ...place }) => ({ ...place, ...(inner !== undefined && { inner }) }))
    .optional(),
});

/** One that another version wrote is as good as none: what is known is not taken in again. */
function readCheckpoint(checkpoint: unknown): Checkpoint | undefined {
  const { data } = checkpointShape.safeParse(checkpoint);
  return data && { files: data.files, ...(data.place && { place: data.place }) };
}
