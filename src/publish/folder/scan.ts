/**
 * A scan compares the folder with what the store remembers of it, both in the order of their entries, and
 * takes in the differences. Memory does not grow with the number of files; only files that are gone are
 * gathered, since too many of them mean that something is wrong.
 */
import type { AccessRule } from '../../core/access.ts';
import { GarnerError } from '../../core/errors.ts';
import type { Clock } from '../../core/time.ts';
import type { ChangeCounts, GarnerStore } from '../../store/index.ts';
import type { Finding } from './apache/layer.ts';
import { EntryCursor } from './entry-cursor.ts';
import type { MakeRecord } from './file-record.ts';
import { accessStamp, type FileState, isUnchanged, settingsStamp, writeState } from './file-state.ts';
import type { FolderAccess } from './folder-access.ts';
import type { FolderSource } from './folder-source.ts';
import type { HarvestWatch } from './harvest-watch.ts';
import { PAGE_PREFIX } from './page-entry.ts';
import { type ReadFile, readFileFacts } from './read-file.ts';
import { isRunByServers } from './run-by-servers.ts';
import { ScanRun } from './scan-run.ts';
import { identifierOf } from './url-path.ts';
import { FolderWalk, type FoundFile } from './walk.ts';

export interface ScanDeps {
  readonly store: Pick<GarnerStore, 'items' | 'runs'>;
  readonly makeRecord: MakeRecord;
  readonly watch: HarvestWatch;
  readonly clock: Clock;
  /** Findings that were told before. */
  readonly reported: Set<string>;
}

export interface ScanScope {
  /** A folder's entry; empty for all. */
  readonly from: string;
  /** Whether folders below are looked into, too; those that are new always are. */
  readonly deep: boolean;
}

export const EVERYTHING: ScanScope = { from: '', deep: true };

export interface ScanOptions {
  readonly scope?: ScanScope;
  readonly force?: boolean;
  readonly signal?: AbortSignal;
  readonly onFolder?: (path: string, entry: string) => void;
  readonly onProgress?: (progress: { readonly seen: number; readonly counts: ChangeCounts }) => void;
}

export interface ScanReport {
  /** Absent when nothing was to be said. */
  readonly runId?: number;
  readonly status: 'complete' | 'incomplete' | 'interrupted';
  readonly message?: string;
  readonly seen: number;
  readonly denied: number;
  readonly counts: ChangeCounts;
  readonly problems: number;
}

/** So few may always go. */
const FREE_DELETIONS = 10;
const AT_ONCE = 16;
/** The same line of a configuration is reported once, and so many at most. */
const MAX_FINDINGS = 200;

export async function scanFolder(
  deps: ScanDeps,
  source: FolderSource,
  access: FolderAccess,
  options: ScanOptions = {},
): Promise<ScanReport> {
  const run = new ScanRun({
    store: deps.store,
    source: source.name,
    watch: deps.watch,
    onCommitted: (counts) => options.onProgress?.({ seen: scan.seen, counts }),
  });
  const scan = new FolderScan(deps, source, access, options, run);
  try {
    return await scan.run();
  } catch (error) {
    await run.fail(error);
    throw error;
  }
}

interface Gone {
  readonly identifier: string;
  readonly entry: string | undefined;
}

class FolderScan {
  seen = 0;
  readonly #deps: ScanDeps;
  readonly #source: FolderSource;
  readonly #access: FolderAccess;
  readonly #options: ScanOptions;
  readonly #run: ScanRun;
  readonly #scope: ScanScope;
  readonly #cursor: EntryCursor;
  readonly #settings: string;
  readonly #vanished: Gone[] = [];
  /** Folders' addresses that were taken over by another index file in this scan. */
  readonly #republished = new Set<string>();
  readonly #lost: string[] = [];
  #denied = 0;
  /** Records made with other settings were met: their old addresses may differ from the new ones. */
  #resettled = false;
  #waiting: { file: FoundFile; known: FileState | undefined; rule: AccessRule }[] = [];

  constructor(
    deps: ScanDeps,
    source: FolderSource,
    access: FolderAccess,
    options: ScanOptions,
    run: ScanRun,
  ) {
    this.#deps = deps;
    this.#source = source;
    this.#access = access;
    this.#options = options;
    this.#run = run;
    this.#scope = options.scope ?? EVERYTHING;
    this.#cursor = new EntryCursor(deps.store.items, source.name, this.#scope.from);
    this.#settings = settingsStamp(source.baseUrl);
  }

  async run(): Promise<ScanReport> {
    const { signal } = this.#options;
    for (const finding of this.#access.findings) this.#report(finding);
    const { runs } = this.#deps.store;
    const isFirst = (await runs.listRuns({ source: this.#source.name, limit: 1 })).length === 0;
    if (isFirst) await this.#run.begin();
    // An interrupted first scan may have been harvested by whom nobody remembers.
    else await this.#deps.watch.visit();
    const descend = async (entry: string) => this.#scope.deep || !(await this.#passKnown(entry));
    for await (const event of new FolderWalk(this.#access).walk({ from: this.#scope.from, descend })) {
      if (signal?.aborted) break;
      if (event.kind === 'folder') this.#options.onFolder?.(event.path, event.entry);
      else if (event.kind === 'lost') await this.#lose(event.entry, event.reason);
      else await this.#meet(event);
    }
    await this.#readWaiting();
    if (signal?.aborted) return this.#end('interrupted');
    await this.#missUntil(undefined);
    return this.#settle();
  }

  /** The remembered file that comes next, pages left out. */
  async #peek(): Promise<FileState | undefined> {
    const state = await this.#cursor.peek();
    if (!state?.entry.startsWith(PAGE_PREFIX)) return state;
    await this.#cursor.skip(PAGE_PREFIX);
    return this.#cursor.peek();
  }

  /** What should have come before `entry` is gone. */
  async #missUntil(entry: string | undefined): Promise<void> {
    for (
      let state = await this.#peek();
      state && (entry === undefined || state.entry < entry);
      state = await this.#peek()
    ) {
      this.#vanished.push({ identifier: this.#addressOf(state), entry: state.entry });
      this.#cursor.next();
    }
  }

  /** Whether files of that folder are remembered; then they are passed over. */
  async #passKnown(folder: string): Promise<boolean> {
    await this.#missUntil(folder);
    if (!(await this.#peek())?.entry.startsWith(folder)) return false;
    await this.#cursor.skip(folder);
    return true;
  }

  async #lose(folder: string, reason: string): Promise<void> {
    if (folder === '')
      throw new GarnerError(
        'source.unreadable',
        `the folder ${this.#source.folder} cannot be read (${reason}); nothing was changed`,
      );
    // A folder that we may not enter the web server may not enter either; one that went is gone.
    if (/^(?:EACCES|EPERM|ENOENT|ENOTDIR)$/.test(reason)) return;
    this.#lost.push(folder);
    this.#run.note({
      code: 'folder.unreadable',
      message: `a folder cannot be read (${reason}); what is known of it stays`,
      where: folder,
    });
    await this.#missUntil(folder);
    await this.#cursor.skip(folder);
  }

  async #meet(file: FoundFile): Promise<void> {
    this.seen++;
    await this.#missUntil(file.entry);
    const next = await this.#peek();
    const known = next?.entry === file.entry ? next : undefined;
    if (known) this.#cursor.next();
    const { rule, findings } = this.#access.decide(
      file.rules,
      file.entry,
      file.name,
      file.isLink ? 'link' : 'file',
    );
    for (const finding of findings) this.#report(finding);
    if (!rule || isRunByServers(file.name)) {
      await this.#refuse(file, known);
      return;
    }
    const { size, mtimeMs, ino, isIndex } = file;
    const now = { size, mtimeMs, ino, isIndex, access: accessStamp(rule), settings: this.#settings };
    if (known && isUnchanged(known, now, this.#deps.clock())) return;
    this.#waiting.push({ file, known, rule });
    if (this.#waiting.length >= AT_ONCE) await this.#readWaiting();
  }

  /** At once, without the guard: nobody shall see it a moment longer. */
  async #refuse(file: FoundFile, known: FileState | undefined): Promise<void> {
    this.#denied++;
    if (!known) return;
    const gone = { identifier: this.#addressOf(known), entry: known.entry };
    // Another index file may have taken its address over; that is known at the end only.
    if (known.isIndex && !file.isIndex) this.#vanished.push(gone);
    else await this.#run.delete(gone.identifier, gone.entry);
  }

  #addressOf({ entry, isIndex }: Pick<FileState, 'entry' | 'isIndex'>): string {
    return identifierOf(this.#source.baseUrl, entry, isIndex);
  }

  async #readWaiting(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = [];
    const read = await Promise.all(
      waiting.map(async ({ file }) => {
        try {
          return await readFileFacts(file.path, file.name, file.isLink);
        } catch (error) {
          return error instanceof Error && 'code' in error ? String(error.code) : String(error);
        }
      }),
    );
    for (const [i, { file, known, rule }] of waiting.entries()) {
      const facts = read[i];
      // Changing right now: the next look finds it settled.
      if (facts === undefined) continue;
      if (typeof facts !== 'string') await this.#take(file, known, rule, facts);
      else if (/^(?:EACCES|EPERM|ELOOP)$/.test(facts)) await this.#refuse(file, known);
      else if (facts === 'ENOENT') {
        if (known) this.#vanished.push({ identifier: this.#addressOf(known), entry: known.entry });
      } else
        this.#run.note({
          code: 'folder.unreadable',
          message: `the file cannot be read (${facts})`,
          where: file.entry,
        });
    }
  }

  async #take(
    file: FoundFile,
    known: FileState | undefined,
    rule: AccessRule,
    facts: ReadFile,
  ): Promise<void> {
    const url = this.#addressOf(file);
    if (known && known.settings !== this.#settings) this.#resettled = true;
    if (file.isIndex) this.#republished.add(url);
    if (known && known.isIndex !== file.isIndex)
      this.#vanished.push({ identifier: this.#addressOf(known), entry: undefined });
    const record = this.#deps.makeRecord(
      { ...facts, url, path: file.entry, fileName: file.name, modifiedAt: facts.mtimeMs },
      rule === this.#source.access ? undefined : rule,
    );
    const { sha256, size, mtimeMs, ino } = facts;
    await this.#run.add(
      record,
      writeState({
        entry: file.entry,
        sha256,
        size,
        mtimeMs,
        ino,
        isIndex: file.isIndex,
        access: accessStamp(rule),
        settings: this.#settings,
        redigestAt: this.#deps.clock() + this.#source.redigestMs,
      }),
      facts.mtimeMs,
    );
  }

  /** Reported once in the life of the process: a rule that nobody changes is no news. */
  #report({ file, line, message }: Finding): void {
    const { reported } = this.#deps;
    const key = `${file}:${line}: ${message}`;
    if (reported.has(key) || reported.size >= MAX_FINDINGS) return;
    reported.add(key);
    this.#run.note({ code: 'access.unclear', message, where: file, line });
  }

  async #settle(): Promise<ScanReport> {
    const gone = this.#vanished.filter(({ identifier }) => !this.#republished.has(identifier));
    const kept = this.#vanished.filter(
      ({ identifier, entry }) => entry !== undefined && this.#republished.has(identifier),
    );
    for (const { entry } of kept) await this.#run.delete(undefined, entry);
    const refusal = await this.#guard(gone.length);
    if (refusal !== undefined) return this.#end('incomplete', refusal);
    for (const { identifier, entry } of gone) await this.#run.delete(identifier, entry);
    await this.#run.flush();
    if (this.#resettled && this.#scope.from === '' && this.#scope.deep) await this.#run.deleteUnseen();
    return this.#end(
      this.#lost.length > 0 ? 'incomplete' : 'complete',
      this.#lost.length > 0 ? `${this.#lost.length} folders could not be read` : undefined,
    );
  }

  /** A folder that suddenly holds nothing is an unmounted disk more often than an empty site. */
  async #guard(gone: number): Promise<string | undefined> {
    if (gone === 0 || this.#options.force) return undefined;
    const { maxDeleteShare, name, folder } = this.#source;
    if (this.seen === 0 && this.#scope.from === '')
      return `${folder} is empty, and ${gone} files are known: nothing was deleted. If that is right, scan with --force.`;
    const live =
      (await this.#deps.store.items.listSources()).find((one) => one.name === name)?.liveItems ?? 0;
    if (gone <= Math.max(FREE_DELETIONS, live * maxDeleteShare)) return undefined;
    return `${gone} of ${live} files are gone, more than maxDeleteShare allows: nothing was deleted. If that is right, scan with --force.`;
  }

  async #end(status: ScanReport['status'], message?: string): Promise<ScanReport> {
    await this.#run.finish(status, message);
    const { runId, counts, problems } = this.#run;
    return {
      ...(runId !== undefined && { runId }),
      status,
      ...(message !== undefined && { message }),
      seen: this.seen,
      denied: this.#denied,
      counts,
      problems,
    };
  }
}
