/**
 * The SQLite store behind worker threads: `node:sqlite` is synchronous, and the main thread must stay
 * free to answer. One thread writes; the others read, each with its own connection and columns.
 */
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { GarnerError } from '../../core/errors.ts';
import { type Connection, connectCalls } from '../../core/worker-rpc.ts';
import { workerUrl } from '../../core/worker-url.ts';
import { createFileBlobs } from '../files/blobs.ts';
import type {
  CaptureIndex,
  GarnerStore,
  HarvestStore,
  ItemStore,
  RunStore,
  SearchIndex,
  StoreAdmin,
  StoreSetup,
} from '../index.ts';
import type { StoreLifecycle, StoreWorkerData } from './store-worker.ts';

interface StoreThread {
  readonly items: ItemStore;
  readonly harvest: HarvestStore;
  readonly runs: RunStore;
  readonly search: SearchIndex;
  readonly captures: CaptureIndex;
  readonly admin: StoreAdmin;
  readonly pending: () => number;
  open(): Promise<void>;
  close(): Promise<void>;
}

const READER_NURSERY_MB = 12;
/** With twice as much an import is a tenth quicker. */
const WRITER_NURSERY_MB = 24;

function startThread(data: StoreWorkerData): StoreThread {
  const worker = new Worker(workerUrl(import.meta.url, './store-worker'), {
    workerData: data,
    // Batches are large and live shortly; a small nursery keeps them from piling up.
    resourceLimits: { maxYoungGenerationSizeMb: data.readOnly ? READER_NURSERY_MB : WRITER_NURSERY_MB },
  });
  const connection: Connection<object> = connectCalls<object>(worker);
  const lifecycle = connection.face<StoreLifecycle>('lifecycle');
  return {
    open: () => lifecycle.open(),
    items: connection.face<ItemStore>('items'),
    harvest: connection.face<HarvestStore>('harvest'),
    runs: connection.face<RunStore>('runs'),
    search: connection.face<SearchIndex>('search'),
    captures: connection.face<CaptureIndex>('captures'),
    admin: connection.face<StoreAdmin>('admin'),
    pending: connection.pending,
    close: async () => {
      await lifecycle.close();
      await connection.close();
    },
  };
}

export async function openThreadedStore(
  setup: StoreSetup,
  options: { readers: number },
): Promise<GarnerStore> {
  const writer = startThread({ setup, readOnly: false });
  const readers = Array.from({ length: options.readers }, () => startThread({ setup, readOnly: true }));
  try {
    // The writer makes or migrates what the others read.
    await writer.open();
    await Promise.all(readers.map((thread) => thread.open()));
  } catch (error) {
    await Promise.all([writer, ...readers].map((thread) => thread.close()));
    throw error;
  }
  const reader = (): StoreThread => {
    const least = readers.reduce((a, b) => (b.pending() < a.pending() ? b : a), readers[0] as StoreThread);
    if (!least) throw new GarnerError('internal.bug', 'the store has no reader thread');
    return least;
  };

  const items: ItemStore = {
    commit: (batch) => writer.items.commit(batch),
    countVanished: (source, runId, how) => writer.items.countVanished(source, runId, how),
    deleteVanished: (source, runId, how) => writer.items.deleteVanished(source, runId, how),
    rollback: (ref, choice, runId, note) => writer.items.rollback(ref, choice, runId, note),
    pinVersion: (ref, choice, pinned, runId) => writer.items.pinVersion(ref, choice, pinned, runId),
    thinVersions: (ref, choice, runId) => writer.items.thinVersions(ref, choice, runId),
    undoRun: (source, runId, undone, note) => writer.items.undoRun(source, runId, undone, note),
    dropSource: (source, runId) => writer.items.dropSource(source, runId),
    reindexRecords: (source, runId, records) => writer.items.reindexRecords(source, runId, records),
    listEntries: (source, after, limit) => reader().items.listEntries(source, after, limit),
    findItem: (ref, viewer) => reader().items.findItem(ref, viewer),
    findItemByOaiIdentifier: (identifier, viewer) =>
      reader().items.findItemByOaiIdentifier(identifier, viewer),
    findItemsByIdentifier: (identifier, viewer) => reader().items.findItemsByIdentifier(identifier, viewer),
    findContent: (ref, choice, viewer) => reader().items.findContent(ref, choice, viewer),
    listHistory: (ref, viewer) => reader().items.listHistory(ref, viewer),
    listRecords: (request, viewer) => reader().items.listRecords(request, viewer),
    listSources: () => reader().items.listSources(),
    listRaw: (source, after, limit) => reader().items.listRaw(source, after, limit),
    listLive: (after, limit) => reader().items.listLive(after, limit),
  };
  const harvest: HarvestStore = {
    listPage: (request, viewer) => reader().harvest.listPage(request, viewer),
    countRecords: (range, viewer) => reader().harvest.countRecords(range, viewer),
    measure: (request, viewer) => reader().harvest.measure(request, viewer),
    findPage: (identifier, request, viewer) => reader().harvest.findPage(identifier, request, viewer),
    listFormats: (scope, viewer, identifier) => reader().harvest.listFormats(scope, viewer, identifier),
    listSets: (request, viewer) => reader().harvest.listSets(request, viewer),
    describe: () => reader().harvest.describe(),
  };
  const runs: RunStore = {
    startRun: (source, kind, more) => writer.runs.startRun(source, kind, more),
    heartbeat: (runId) => writer.runs.heartbeat(runId),
    finishRun: (runId, status, message, unchanged) =>
      writer.runs.finishRun(runId, status, message, unchanged),
    pruneRuns: (endedBefore, limit) => writer.runs.pruneRuns(endedBefore, limit),
    settleLosses: (source, runId, how) => writer.runs.settleLosses(source, runId, how),
    acceptLosses: (source, names) => writer.runs.acceptLosses(source, names),
    countLosses: (source) => reader().runs.countLosses(source),
    listLosses: (filter) => reader().runs.listLosses(filter),
    countProblems: (source) => reader().runs.countProblems(source),
    countProblemsOfRun: (runId) => reader().runs.countProblemsOfRun(runId),
    findRun: (runId) => reader().runs.findRun(runId),
    listRuns: (filter) => reader().runs.listRuns(filter),
    listProblems: (filter) => reader().runs.listProblems(filter),
  };
  const search: SearchIndex = {
    search: (request, viewer) => reader().search.search(request, viewer),
    suggest: (prefix, suggesting, viewer) => reader().search.suggest(prefix, suggesting, viewer),
    listSimilar: (ref, limit, viewer) => reader().search.listSimilar(ref, limit, viewer),
  };
  const captures: CaptureIndex = {
    add: (source, added) => writer.captures.add(source, added),
    removeFile: (source, file) => writer.captures.removeFile(source, file),
    removeSource: (source) => writer.captures.removeSource(source),
    list: (query, viewer) => reader().captures.list(query, viewer),
    findClosest: (urlKey, at, viewer, filter) => reader().captures.findClosest(urlKey, at, viewer, filter),
    resolveRevisit: (revisit, viewer) => reader().captures.resolveRevisit(revisit, viewer),
    findByDigest: (source, digest, urlKey) => reader().captures.findByDigest(source, digest, urlKey),
    count: (query, viewer) => reader().captures.count(query, viewer),
    listFiles: (source) => reader().captures.listFiles(source),
  };
  const admin: StoreAdmin = {
    listStale: () => reader().admin.listStale(),
    verify: () => reader().admin.verify(),
    backup: (folder) => reader().admin.backup(folder),
    statistics: () => reader().admin.statistics(),
    optimise: () => writer.admin.optimise(),
  };
  return {
    items,
    harvest,
    runs,
    search,
    captures,
    admin,
    blobs: createFileBlobs(join(setup.folder, 'blobs')),
    close: async () => {
      await Promise.all(readers.map((thread) => thread.close()));
      await writer.close();
    },
  };
}
