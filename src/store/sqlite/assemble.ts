/** The store's parts put together over one connection that writes and one that reads. */
import type { DatabaseSync } from 'node:sqlite';
import { GarnerError } from '../../core/errors.ts';
import type { FieldSpec, Instant } from '../../core/model.ts';
import { createMatcher } from '../../query/matcher.ts';
import type { StoreAdmin, StoreFinding, StoreSetup } from '../admin.ts';
import type { GarnerStore } from '../index.ts';
import type { ItemStore } from '../items.ts';
import type { RunStore } from '../runs.ts';
import type { SearchIndex } from '../search.ts';
import { AccessFilter } from './access-filter.ts';
import { backUp } from './backup.ts';
import { BlockReader } from './blocks.ts';
import { createCaptureIndex } from './captures/capture-index.ts';
import { createCommit } from './commit.ts';
import { databasePath, openForListing, openForReading, openForWriting } from './database.ts';
import { createDeletion } from './deletion.ts';
import type { IndexWriter } from './doc-change.ts';
import { createEntryList } from './entries.ts';
import { createHarvestList } from './harvest-list.ts';
import { createHarvestNames } from './harvest-names.ts';
import { createHarvestStore } from './harvest-pages.ts';
import { createHarvestStreams, createSetsOfItems } from './harvest-streams.ts';
import { createLossReader, createLossWriter } from './losses.ts';
import { OpenSecond } from './open-second.ts';
import { optimiseStore } from './optimise.ts';
import { prepareFile } from './prepare-file.ts';
import { createItemReader } from './read-items.ts';
import { createReindex } from './reindex.ts';
import { createRollback } from './rollback.ts';
import { createRunPruning, createRunReader, createRunWriter } from './runs.ts';
import { applySetup, extractionDigest } from './setup.ts';
import { createSourceReader } from './sources.ts';
import { translatingErrors } from './sqlite-error.ts';
import { createStatistics } from './statistics.ts';
import { createThinning } from './thin-versions.ts';
import { createUndo } from './undo.ts';
import { verifyStore } from './verify.ts';
import { StoreWriter } from './writer.ts';

/** What the index brings to the store. */
export interface IndexParts {
  readonly createWriter: (db: DatabaseSync, fields: readonly FieldSpec[]) => IndexWriter;
  readonly createSearch: (db: DatabaseSync, fields: readonly FieldSpec[]) => SearchIndex;
  /** `fieldsDigest`: only documents that were extracted with these fields are compared word by word. */
  readonly verify: (
    db: DatabaseSync,
    fields: readonly FieldSpec[],
    fieldsDigest: string,
  ) => readonly StoreFinding[];
}

export interface OpenOptions {
  /** Nothing is changed, the setup is not applied; writing methods throw. */
  readonly readOnly?: boolean;
  readonly clock?: () => Instant;
}

export type SqliteStore = Omit<GarnerStore, 'blobs'>;

export function assembleStore(setup: StoreSetup, options: OpenOptions, index: IndexParts): SqliteStore {
  const { readOnly = false, clock = Date.now } = options;
  const path = databasePath(setup.folder);
  prepareFile(setup, readOnly, clock, index.createWriter);

  const opened: { close(): void }[] = [];
  const keep = <T extends { close(): void }>(resource: T): T => {
    opened.push(resource);
    return resource;
  };
  const closeAll = () => {
    for (const resource of opened.splice(0).reverse()) resource.close();
  };
  try {
    const openSecond = keep(new OpenSecond(setup.folder, !readOnly));
    const fieldsDigest = extractionDigest(setup);
    const writer = readOnly ? undefined : openWriter(keep(openForWriting(path)), openSecond, fieldsDigest);
    if (writer) applySetup(writer, setup);
    const db = keep(openForReading(path));
    const blocks = new BlockReader(db);
    const access = new AccessFilter(db);
    const sources = createSourceReader(db, blocks, fieldsDigest);
    const listing = keep(openForListing(path));
    const listed = new AccessFilter(listing);
    const names = createHarvestNames(listing, listed);
    const streams = createHarvestStreams(listing, listed, openSecond, clock);
    const setsOfItems = createSetsOfItems(listing);
    return {
      items: itemStore(writer, {
        ...createItemReader(db, blocks, access),
        listRecords: createHarvestList(listing, listed, names, streams, setsOfItems),
        listEntries: createEntryList(db),
        listSources: sources.listSources,
        listRaw: sources.listRaw,
        listLive: sources.listLive,
      }),
      harvest: createHarvestStore({
        db: listing,
        blocks: new BlockReader(listing),
        access: listed,
        names,
        streams,
        setsOfItems,
        repositoryIdentifier: setup.repositoryIdentifier,
      }),
      runs: runStore(writer, { ...createRunReader(db, clock), ...createLossReader(db) }),
      search: index.createSearch(db, setup.fields),
      captures: createCaptureIndex(writer, db, access, refuseWriting),
      admin: storeAdmin(writer, db, sources.listStale),
      close: async () => closeAll(),
    };
  } catch (error) {
    closeAll();
    throw error;
  }

  function openWriter(db: DatabaseSync, openSecond: OpenSecond, fieldsDigest: string): StoreWriter {
    const { fields, repositoryIdentifier } = setup;
    return new StoreWriter(
      db,
      { fields, fieldsDigest, repositoryIdentifier },
      {
        index: translatingErrors(() => index.createWriter(db, fields)),
        matches: createMatcher(fields),
        openSecond,
        clock,
      },
    );
  }

  function storeAdmin(
    writer: StoreWriter | undefined,
    db: DatabaseSync,
    listStale: () => readonly string[],
  ): StoreAdmin {
    const statistics = createStatistics(db, setup.folder);
    return {
      listStale: async () => listStale(),
      verify: async () =>
        verifyStore(db, (checked) => index.verify(checked, setup.fields, extractionDigest(setup))),
      backup: async (targetFolder) => backUp(setup.folder, targetFolder),
      statistics: async () => statistics(),
      optimise: async () => optimiseStore(writer ?? refuseWriting()),
    };
  }
}

function refuseWriting(): never {
  throw new GarnerError('internal.bug', 'the store was opened for reading only');
}

/** Reading parts answer at once; the port is asynchronous for back ends and threads that do not. */
interface ItemReads extends ReturnType<typeof createItemReader> {
  readonly listRecords: ReturnType<typeof createHarvestList>;
  readonly listEntries: ReturnType<typeof createEntryList>;
  readonly listSources: ReturnType<typeof createSourceReader>['listSources'];
  readonly listRaw: ReturnType<typeof createSourceReader>['listRaw'];
  readonly listLive: ReturnType<typeof createSourceReader>['listLive'];
}

function itemStore(writer: StoreWriter | undefined, reads: ItemReads): ItemStore {
  const writes = writer && {
    commit: createCommit(writer),
    rollback: createRollback(writer),
    reindexRecords: createReindex(writer),
    undoRun: createUndo(writer),
    ...createThinning(writer),
    ...createDeletion(writer),
  };
  return {
    commit: async (batch) => (writes ?? refuseWriting()).commit(batch),
    countVanished: async (source, runId, options) =>
      (writes ?? refuseWriting()).countVanished(source, runId, options),
    deleteVanished: async (source, runId, options) =>
      (writes ?? refuseWriting()).deleteVanished(source, runId, options),
    dropSource: async (source, runId) => (writes ?? refuseWriting()).dropSource(source, runId),
    rollback: async (ref, choice, runId, note) =>
      (writes ?? refuseWriting()).rollback(ref, choice, runId, note),
    pinVersion: async (ref, choice, pinned, runId) =>
      (writes ?? refuseWriting()).pinVersion(ref, choice, pinned, runId),
    thinVersions: async (ref, choice, runId) => (writes ?? refuseWriting()).thinVersions(ref, choice, runId),
    undoRun: async (source, runId, undone, note) =>
      (writes ?? refuseWriting()).undoRun(source, runId, undone, note),
    reindexRecords: async (source, runId, records) =>
      (writes ?? refuseWriting()).reindexRecords(source, runId, records),
    listEntries: async (source, after, limit) => reads.listEntries(source, after, limit),
    findItem: async (ref, viewer) => reads.findItem(ref, viewer),
    findItemByOaiIdentifier: async (identifier, viewer) => reads.findItemByOaiIdentifier(identifier, viewer),
    findItemsByIdentifier: async (identifier, viewer) => reads.findItemsByIdentifier(identifier, viewer),
    findContent: async (ref, choice, viewer) => reads.findContent(ref, choice, viewer),
    listHistory: async (ref, viewer) => reads.listHistory(ref, viewer),
    listRecords: async (request, viewer) => reads.listRecords(request, viewer),
    listSources: async () => reads.listSources(),
    listRaw: async (source, after, limit) => reads.listRaw(source, after, limit),
    listLive: async (after, limit) => reads.listLive(after, limit),
  };
}

function runStore(
  writer: StoreWriter | undefined,
  reads: ReturnType<typeof createRunReader> & ReturnType<typeof createLossReader>,
): RunStore {
  const writes = writer && { ...createRunWriter(writer), ...createLossWriter(writer) };
  const prune = writer && createRunPruning(writer);
  return {
    startRun: async (source, kind, options) => (writes ?? refuseWriting()).startRun(source, kind, options),
    heartbeat: async (runId) => (writes ?? refuseWriting()).heartbeat(runId),
    finishRun: async (runId, status, message, unchanged) =>
      (writes ?? refuseWriting()).finishRun(runId, status, message, unchanged),
    pruneRuns: async (endedBefore, limit) => (prune ?? refuseWriting())(endedBefore, limit),
    settleLosses: async (source, runId, how) => (writes ?? refuseWriting()).settleLosses(source, runId, how),
    acceptLosses: async (source, names) => (writes ?? refuseWriting()).acceptLosses(source, names),
    countLosses: async (source) => reads.countLosses(source),
    listLosses: async (filter) => reads.listLosses(filter),
    countProblems: async (source) => reads.countProblems(source),
    countProblemsOfRun: async (runId) => reads.countProblemsOfRun(runId),
    findRun: async (runId) => reads.findRun(runId),
    listRuns: async (options) => reads.listRuns(options),
    listProblems: async (filter) => reads.listProblems(filter),
  };
}
