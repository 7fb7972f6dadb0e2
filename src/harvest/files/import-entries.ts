/**
 * Brings a source up to date with origins that consist of files, wherever they lie: folders, archives,
 * directory listings, site maps, resource lists. Known again by digest, so that a run reads only what
 * changed; what vanished is deleted under guard.
 */
import type { RecordProblem } from '../../core/model.ts';
import type { EntryState } from '../../store/index.ts';
import { type HeldRun, holdRun } from '../run/hold-run.ts';
import { Intake, type IntakeDeps, type IntakeOptions, type IntakeSource } from '../run/intake.ts';
import type { ImportReport } from '../run/report.ts';
import type { FileEntry, OriginFinding } from './entry.ts';
import { listKnownEntries } from './known-entries.ts';
import { type IsRecordRoot, readEntry } from './read-entry.ts';

/** Called so, a file promises records. */
const RECORD_NAME = /\.(?:xml|json|geojson|jsonld|ndjson|jsonl)(?:\.gz)?$/i;

/** Files between two reports of progress when nothing is committed. */
const PROGRESS_ENTRIES = 200;

export interface ImportDeps extends IntakeDeps {
  readonly formats: { isRecordRoot(namespace: string, localName: string): boolean };
}

export interface EntrySource extends IntakeSource {
  /** Local name of the element that is one record; default: the roots of known formats. */
  readonly record?: string;
}

export type KnownEntries = ReadonlyMap<string, EntryState>;

export interface EntryOrigin {
  /** For reports. */
  readonly place: string;
  walk(known: KnownEntries): AsyncIterable<OriginFinding>;
  /** Whether an entry of the last run came from here. */
  owns(entry: string): boolean;
}

export interface EntryImport {
  /** Of the run: `import`, `harvest`. */
  readonly kind: string;
  readonly origins: readonly EntryOrigin[];
  /** What an origin holds, for the message that it is empty. */
  readonly noun?: string;
}

export async function importEntries(
  deps: ImportDeps,
  source: EntrySource,
  options: IntakeOptions,
  what: EntryImport,
): Promise<ImportReport> {
  return holdRun(deps, source.name, what.kind, {}, (run) =>
    new EntriesRun(deps, source, options, what, run).run(),
  );
}

class EntriesRun {
  readonly #deps: ImportDeps;
  readonly #source: EntrySource;
  readonly #options: IntakeOptions;
  readonly #what: EntryImport;
  readonly #intake: Intake;
  readonly #emptyOrigins: string[] = [];
  readonly #unlisted: string[] = [];
  readonly #reached: EntryState[] = [];
  #unread = 0;
  /** Some origin told of changes only. */
  #partial = false;

  constructor(
    deps: ImportDeps,
    source: EntrySource,
    options: IntakeOptions,
    what: EntryImport,
    run: HeldRun,
  ) {
    this.#deps = deps;
    this.#source = source;
    this.#options = options;
    this.#what = what;
    this.#intake = new Intake(deps, source, options, run);
  }

  async run(): Promise<ImportReport> {
    const intake = this.#intake;
    const known = await listKnownEntries(this.#deps.store.items, this.#source.name);
    try {
      for (const origin of this.#what.origins) {
        if (intake.stopped) break;
        await this.#readOrigin(origin, known);
      }
      await intake.flush();
    } catch (thrown) {
      if (!intake.isStop(thrown)) throw thrown;
    } finally {
      await intake.finish();
    }
    intake.tellProgress();
    if (intake.stopped) return intake.interrupted();
    const report = await intake.settle({
      emptyOrigins: this.#emptyOrigins,
      unlisted: this.#unlisted,
      unread: this.#unread,
      partial: this.#partial,
      ...(this.#what.noun !== undefined && { noun: this.#what.noun }),
    });
    if (report.status === 'complete' && this.#reached.length > 0)
      await this.#deps.store.items.commit({
        source: this.#source.name,
        runId: report.runId,
        readEntries: this.#reached,
      });
    return report;
  }

  async #readOrigin(origin: EntryOrigin, known: KnownEntries): Promise<void> {
    const { progress } = this.#intake;
    const before = progress.entriesSeen;
    const unlistedBefore = this.#unlisted.length;
    const trusted = this.#options.full === true ? new Map<string, EntryState>() : known;
    for await (const finding of origin.walk(trusted)) {
      if (finding.kind === 'entry') await this.#readEntry(finding.entry, known.get(finding.entry.name));
      else this.#note(finding, known);
      if (this.#intake.batch.isFull) await this.#intake.flush();
      if (this.#intake.stopped) return;
    }
    const missing = this.#unlisted.length > unlistedBefore || this.#partial;
    if (progress.entriesSeen === before && !missing) this.#noteEmpty(origin, known);
  }

  /** A folder that never held anything is empty by right, as long as others are not. */
  #noteEmpty(origin: EntryOrigin, known: KnownEntries): void {
    const only = this.#what.origins.length === 1;
    if (only || known.keys().some((name) => origin.owns(name))) this.#emptyOrigins.push(origin.place);
  }

  #meetEntry(): void {
    if (++this.#intake.progress.entriesSeen % PROGRESS_ENTRIES === 0) this.#intake.tellProgress();
  }

  async #readEntry(entry: FileEntry, before: EntryState | undefined): Promise<void> {
    const intake = this.#intake;
    const { name } = entry;
    this.#meetEntry();
    const countBytes = (count: number) => {
      intake.progress.bytesRead += count;
    };
    const { record } = this.#source;
    const isRecord: IsRecordRoot = (namespace, localName) =>
      record === undefined ? this.#deps.formats.isRecordRoot(namespace, localName) : localName === record;
    intake.batch.meet(name);
    for await (const event of readEntry(entry, before?.digest, isRecord, countBytes)) {
      if (event.kind === 'piece') {
        // Here and not after the last piece, so that an entry's end comes with its last record.
        if (intake.batch.isFull) await intake.flush();
        if (intake.stopped) return;
        intake.batch.meet(name);
        intake.addPiece(event.piece);
      } else if (event.kind === 'problem') {
        intake.batch.problems.push(event.problem);
        intake.batch.flawed.add(name);
      } else if (event.kind === 'read') {
        const isEmptied = event.state.size === 0 && before !== undefined && before.size > 0;
        const message = 'held records before and now has none';
        if (isEmptied) this.#lose(name, { code: 'source.unreadable', message, where: entry.where });
        else intake.batch.read.push(event.state);
      } else {
        intake.batch.kept.push(name);
        if (event.kind === 'unchanged') intake.entriesUnchanged++;
        else this.#unread++;
      }
    }
  }

  #note(finding: Exclude<OriginFinding, { kind: 'entry' }>, known: KnownEntries): void {
    const { batch } = this.#intake;
    switch (finding.kind) {
      case 'skipped':
        this.#skip(finding.name, finding.reason);
        return;
      case 'foreign': {
        const { name, where, content } = finding;
        const was = known.has(name);
        const message = was ? `held records before and is now ${content}` : `no record: it is ${content}`;
        if (was || RECORD_NAME.test(name)) this.#lose(name, { code: 'source.unreadable', message, where });
        else this.#skip(name, content);
        return;
      }
      case 'unchanged':
        this.#meetEntry();
        this.#intake.entriesUnchanged++;
        batch.meet(finding.name);
        batch.kept.push(finding.name);
        return;
      case 'noted':
        batch.meet(finding.state.entry);
        batch.read.push(finding.state);
        return;
      case 'reached':
        this.#reached.push(finding.state);
        return;
      case 'partial':
        this.#partial = true;
        return;
      case 'problem':
        if (finding.loss === 'entry') this.#lose(finding.name, finding.problem);
        else {
          batch.problems.push(finding.problem);
          if (finding.loss === 'rest') this.#unlisted.push(finding.problem.where ?? finding.name);
          else this.#unread++;
        }
    }
  }

  #skip(file: string, reason: string): void {
    this.#intake.entriesSkipped++;
    this.#deps.log?.('import.skipped', { source: this.#source.name, file, reason });
  }

  /** What is stored of it stays. */
  #lose(name: string, problem: RecordProblem): void {
    const { batch } = this.#intake;
    batch.problems.push(problem);
    this.#unread++;
    batch.meet(name);
    batch.kept.push(name);
  }
}
