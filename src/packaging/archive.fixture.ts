/** A store with web archives in a folder of its own, for tests: what a crawl leaves, without the crawl. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  captureOf,
  headerValue,
  openWarcWriter,
  REVISIT_PROFILES,
  type RecordDraft,
  readArchive,
  responseRecord,
  revisitRecord,
  writeHttpHead,
} from '../archive/index.ts';
import {
  archiveFolder,
  recordCaptures,
  recordSnapshot,
  type SnapshotComparing,
} from '../archive/items/index.ts';
import { OPERATOR } from '../core/access.ts';
import { GarnerError } from '../core/errors.ts';
import type { ItemRef } from '../core/model.ts';
import { createFormatRegistry } from '../formats/registry.ts';
import { makeIndexDocument } from '../query/index-document.ts';
import { createFileBlobs } from '../store/files/blobs.ts';
import type { CaptureEntry, GarnerStore } from '../store/index.ts';
import { openSqliteStore } from '../store/sqlite/open.ts';

export interface Answer {
  readonly url: string;
  readonly body: string | Buffer;
  readonly type?: string;
  readonly status?: number;
  readonly headers?: readonly (readonly [string, string])[];
  /** The body was answered before, at that moment: it is stored as a revisit. */
  readonly revisitOf?: string;
}

export interface TestArchive extends AsyncDisposable {
  readonly store: GarnerStore;
  readonly folder: string;
  readonly fields: ReturnType<ReturnType<typeof createFormatRegistry>['fieldSpecs']>;
  /** Gives the snapshot's identifier. `at`: of the first answer; the others follow second by second. */
  crawl(
    at: string,
    answers: readonly Answer[],
    options?: { series?: string; comparing?: Omit<SnapshotComparing, 'dataFolder'>; candidates?: unknown },
  ): Promise<string>;
}

export const SOURCE = 'web';

export async function openTestArchive(clock: () => number = Date.now): Promise<TestArchive> {
  const folder = await mkdtemp(join(tmpdir(), 'garner-packages-'));
  const formats = createFormatRegistry();
  const fields = formats.fieldSpecs();
  const sqlite = openSqliteStore(
    {
      folder,
      fields,
      sources: [
        { name: SOURCE, access: { public: true } },
        { name: 'closed', access: { groups: ['staff'] } },
      ],
      views: [],
      repositoryIdentifier: 'test.example.org',
    },
    { clock },
  );
  const store: GarnerStore = { ...sqlite, blobs: createFileBlobs(join(folder, 'blobs')) };
  const target = archiveFolder(folder, SOURCE);
  let crawls = 0;
  return {
    store,
    folder,
    fields,
    async crawl(at, answers, { series = 'ISCCP', comparing, candidates } = {}) {
      const writer = await openWarcWriter({
        folder: target,
        prefix: `crawl-${++crawls}`,
        clock: () => Date.parse(at),
        info: [],
      });
      const files = new Set<string>();
      for (const [number, answer] of answers.entries())
        for (const { file } of await writer.append(draftOf(answer, Date.parse(at) + number * 1000)))
          files.add(file);
      await writer.close();
      const captures: CaptureEntry[] = [];
      for (const name of files)
        for await (const event of readArchive(join(target, name))) {
          const capture = event.kind === 'record' ? captureOf(event, name) : undefined;
          if (capture) captures.push(capture);
        }
      const { id: runId } = await store.runs.startRun(SOURCE, 'crawl');
      await recordCaptures({ store, fields, folder: target }, { source: SOURCE, runId }, { captures });
      const made = await recordSnapshot(
        { store, fields, ...(comparing && { comparing: { ...comparing, dataFolder: folder } }) },
        { source: SOURCE, runId },
        { series, files: [...files], ...(candidates !== undefined && { candidates }) },
      );
      await store.runs.finishRun(runId, 'complete');
      return made?.identifier ?? '';
    },
    [Symbol.asyncDispose]: async () => {
      await store.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function draftOf(
  { url, body, type = 'text/html', status = 200, headers = [], revisitOf }: Answer,
  at: number,
): RecordDraft {
  const bytes = Buffer.from(body);
  const told = headerValue(headers, 'Content-Type') === undefined ? [['Content-Type', type] as const] : [];
  const head = writeHttpHead(`HTTP/1.1 ${status} Answer`, [...told, ...headers]);
  if (revisitOf === undefined) return responseRecord({ targetUri: url, at }, { head, body: bytes });
  return revisitRecord({ targetUri: url, at }, head, {
    profile: REVISIT_PROFILES.identicalPayload,
    targetUri: url,
    at: Date.parse(revisitOf),
  });
}

export async function withinRun<T>({ runs }: GarnerStore, work: (runId: number) => Promise<T>): Promise<T> {
  const { id } = await runs.startRun(SOURCE, 'test');
  try {
    return await work(id);
  } finally {
    await runs.finishRun(id, 'complete');
  }
}

/** From now on only the operator sees it. */
export async function hideItem({ items, runs }: GarnerStore, ref: ItemRef): Promise<void> {
  const item = await items.findItem(ref, OPERATOR);
  const content = await items.findContent(ref, {}, OPERATOR);
  if (!item?.schema || !content) throw new GarnerError('item.unknown', `there is no ${ref.identifier}`);
  const { id: runId } = await runs.startRun(ref.source, 'hide');
  const document = makeIndexDocument(item.fields, createFormatRegistry().fieldSpecs(), []);
  const { identifier } = ref;
  await items.commit({
    source: ref.source,
    runId,
    records: [{ identifier, format: item.schema, raw: content.bytes, document, access: {} }],
  });
  await runs.finishRun(runId, 'complete');
}
