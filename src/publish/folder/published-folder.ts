/** A folder that is published: scanned at the start, at intervals and when something changes in it. */
import { stat } from 'node:fs/promises';
import { OPERATOR } from '../../core/access.ts';
import { asGarnerError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import type { FieldSpec } from '../../core/model.ts';
import type { Clock } from '../../core/time.ts';
import { type WebFile, webFile } from '../../formats/web-file.ts';
import type { ChangeCounts, GarnerStore } from '../../store/index.ts';
import type { Passwords } from './apache/htpasswd.ts';
import { findBytes } from './file-bytes.ts';
import { createRecordMaker } from './file-record.ts';
import { createFolderAccess, type FolderAccess } from './folder-access.ts';
import type { FolderSource } from './folder-source.ts';
import type { FileParts } from './forms.ts';
import type { HarvestWatch } from './harvest-watch.ts';
import { createHeaders } from './live-headers.ts';
import { EVERYTHING, type ScanDeps, type ScanOptions, type ScanReport, scanFolder } from './scan.ts';
import { scanPages } from './scan-pages.ts';
import type { SiteClient } from './site-client.ts';
import { type DirtyFolder, FolderWatches } from './watch-folders.ts';

export interface PublishDeps {
  readonly store: GarnerStore;
  readonly fieldSpecs: readonly FieldSpec[];
  readonly passwords: Passwords;
  readonly watch: HarvestWatch;
  readonly clock: Clock;
  readonly log: Log;
  /** For pages, and for headers of the live site. */
  readonly client: SiteClient;
}

export interface PublishedFolder {
  readonly source: FolderSource;
  readonly parts: FileParts;
  scan(options?: ScanOptions): Promise<ScanReport>;
  /** Scans, and goes on watching; gives the report of the first scan. */
  start(onProgress?: ScanOptions['onProgress']): Promise<ScanReport>;
  stop(): Promise<void>;
}

export interface PublishOptions {
  /** Time between two looks at everything. */
  readonly rescanMs: number;
  readonly liveHeaders: boolean;
}

const MAX_PAGE_BYTES = 32 * 1024 * 1024;
const SECOND_LOOK_MS = 1000;

export function publishFolder(
  deps: PublishDeps,
  source: FolderSource,
  options: PublishOptions,
): PublishedFolder {
  const { store, clock, log, watch, client } = deps;
  const scanDeps: ScanDeps = {
    store,
    makeRecord: createRecordMaker(deps.fieldSpecs),
    watch,
    clock,
    reported: new Set(),
  };
  const stopping = new AbortController();
  const headersOf = createHeaders(options.liveHeaders ? client : undefined, clock);
  let access: FolderAccess | undefined;
  let watches: FolderWatches | undefined;
  let timer: NodeJS.Timeout | undefined;
  /** One scan at a time. */
  let last: Promise<unknown> = Promise.resolve();

  const rules = (): FolderAccess => {
    if (!access || access.isStale()) access = createFolderAccess(source, deps.passwords);
    return access;
  };

  const scan = (given: ScanOptions = {}): Promise<ScanReport> => {
    const work = last.then(async () => {
      const withWatch = {
        signal: stopping.signal,
        onFolder: (path: string, entry: string) => watches?.add(path, entry),
        ...given,
      };
      const report = await scanFolder(scanDeps, source, rules(), withWatch);
      const isWhole = (given.scope ?? EVERYTHING).from === '' && (given.scope ?? EVERYTHING).deep;
      if (
        !isWhole ||
        source.sitemaps.length + source.urlLists.length === 0 ||
        report.status === 'interrupted'
      )
        return report;
      const pages = await scanPages(
        { ...scanDeps, client, blobs: store.blobs, maxPageBytes: MAX_PAGE_BYTES },
        source,
        rules(),
        withWatch,
      );
      return joinReports(report, pages);
    });
    last = work.catch(() => undefined);
    return work;
  };

  const scanQuietly = async (given: ScanOptions): Promise<void> => {
    try {
      const { runId, status, counts, message } = await scan(given);
      if (runId !== undefined)
        log('run.finished', {
          source: source.name,
          runId,
          status,
          durationMs: 0,
          counts,
          ...(message !== undefined && { message }),
        });
    } catch (error) {
      // A source that another process works on, a folder that is away: the next look may find it again.
      if (!stopping.signal.aborted) log('run.failed', { source: source.name, error: asGarnerError(error) });
    }
  };

  const lookAt = async (folders: readonly DirtyFolder[]): Promise<void> => {
    for (const { entry, deep } of folders) {
      if (stopping.signal.aborted) return;
      await scanQuietly({ scope: { from: entry, deep } });
      const located = source.folder + (entry === '' ? '' : `/${decodeURIComponent(entry)}`);
      if (entry !== '' && !(await stat(located).catch(() => undefined))) watches?.remove(entry);
    }
  };

  const rescan = (): void => {
    timer = setTimeout(async () => {
      await scanQuietly({});
      if (!stopping.signal.aborted) rescan();
    }, options.rescanMs);
    timer.unref();
  };

  return {
    source,
    parts: {
      delivery: source.delivery,
      maxValueBytes: source.maxValueBytes,
      headersOf,
      bytesOf: async (file: WebFile) => {
        const item = await store.items.findItem({ source: source.name, identifier: file.url }, OPERATOR);
        return item?.schema === webFile.name ? findBytes(rules(), file, item.access, store.blobs) : undefined;
      },
    },
    scan,
    start: async (onProgress) => {
      watches = new FolderWatches(
        (folders) => void lookAt(folders),
        (name) => name.startsWith('.ht'),
      );
      const { length: known } = await store.runs.listRuns({ source: source.name, limit: 1 });
      // What is known can be given at once; looking again may wait for those who ask first.
      if (known > 0) await pause(SECOND_LOOK_MS, stopping.signal);
      const report = await scan(onProgress ? { onProgress } : {});
      rescan();
      return report;
    },
    stop: async () => {
      stopping.abort();
      clearTimeout(timer);
      watches?.close();
      await last;
    },
  };
}

const pause = (durationMs: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, durationMs);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });

function joinReports(files: ScanReport, pages: ScanReport): ScanReport {
  const sum = (name: keyof ChangeCounts) => files.counts[name] + pages.counts[name];
  const message = [files.message, pages.message].filter((text) => text !== undefined).join(' ');
  const runId = files.runId ?? pages.runId;
  return {
    ...(runId !== undefined && { runId }),
    status: files.status === 'complete' ? pages.status : files.status,
    ...(message !== '' && { message }),
    seen: files.seen + pages.seen,
    denied: files.denied + pages.denied,
    problems: files.problems + pages.problems,
    counts: {
      added: sum('added'),
      updated: sum('updated'),
      unchanged: sum('unchanged'),
      deleted: sum('deleted'),
      invalid: sum('invalid'),
    },
  };
}
