/** Writes WARC 1.1 files of limited size into a folder, record by record, so that a crash costs no written one. */
import { randomUUID } from 'node:crypto';
import { writeSync } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { GarnerError } from '../../core/errors.ts';
import type { Instant } from '../../core/model.ts';
import type { Clock } from '../../core/time.ts';
import { writeDigest } from '../digest.ts';
import type { HeaderList } from '../read/header-list.ts';
import { type FileSeries, fileName, listSeries, NAME_TEMPLATE } from './file-names.ts';
import { createGzipPool } from './gzip-pool.ts';
import { type Packing, packStream, packWhole, writeRecordHead } from './record-bytes.ts';
import { type RecordDraft, type WarcType, warcinfoRecord } from './record-draft.ts';
import { recoverWarc } from './recover.ts';
import { type SpooledBlock, spoolBlock } from './spool.ts';

export interface WarcWriterOptions {
  readonly folder: string;
  /** Begins the files' names. */
  readonly prefix: string;
  readonly template?: string;
  readonly clock: Clock;
  /** A file that has reached this size gets no further record. */
  readonly maxBytes?: number;
  readonly compress?: boolean;
  readonly level?: number;
  /** Of the warcinfo record: software, operator, robots … */
  readonly info: HeaderList;
  /** Whether writing may block: in a thread of its own that costs less than to be called back. */
  readonly blocking?: boolean;
}

export interface WrittenRecord {
  /** Name in the folder. */
  readonly file: string;
  readonly offset: number;
  readonly length: number;
  readonly recordId: string;
  readonly type: WarcType;
  readonly at: Instant;
  readonly blockLength: number;
  /** With labels, as they stand in the record. */
  readonly blockDigest: string;
  readonly payloadDigest?: string;
  /** Hex. */
  readonly payloadSha256?: string;
}

interface OpenFile {
  readonly name: string;
  readonly handle: FileHandle;
  size: number;
}

interface PreparedRecord {
  readonly draft: RecordDraft;
  readonly head: Buffer;
  readonly block: SpooledBlock;
  /** Undefined when it is packed while it is written. */
  readonly packed: Buffer | undefined;
}

/** Records that wait to be written together, and whoever waits for them. */
interface GatheredExchange {
  readonly records: readonly PreparedRecord[];
  readonly resolve: (written: readonly WrittenRecord[]) => void;
  readonly reject: (reason: unknown) => void;
}

/** Written at once when so much has gathered. */
const GATHERED_BYTES = 1 << 20;
/** As many as the machine's thread pool has by default. */
const POOL_SIZE = 4;
const MAX_BYTES = 1_000_000_000;
const SPOOL_NAME = /^\.spool-[0-9a-f-]+$/;

/**
 * There may be one writer per folder and prefix: whoever opens it holds the lease of the source. Goes on
 * with the last file of the series; a record that a crash left unfinished in it is cut off first.
 */
export async function openWarcWriter(options: WarcWriterOptions): Promise<WarcWriter> {
  const compress = options.compress ?? true;
  const series: FileSeries = {
    template: options.template ?? NAME_TEMPLATE,
    prefix: options.prefix,
    suffix: compress ? '.warc.gz' : '.warc',
  };
  await mkdir(options.folder, { recursive: true });
  const names = await readdir(options.folder);
  for (const name of names) if (SPOOL_NAME.test(name)) await rm(join(options.folder, name), { force: true });
  const last = listSeries(series, names).at(-1);
  const writer = new WarcWriter(options, series, (last?.serial ?? -1) + 1);
  if (last) await writer.goOnWith(last.name);
  return writer;
}

export class WarcWriter {
  readonly #folder: string;
  readonly #series: FileSeries;
  readonly #clock: Clock;
  readonly #maxBytes: number;
  readonly #packing: Packing;
  readonly #info: HeaderList;
  readonly #blocking: boolean;
  #serial: number;
  #file: OpenFile | undefined;
  /** Writes happen one after the other, in the order of the calls. */
  #queue: Promise<unknown> = Promise.resolve();
  /** Appended and not yet at its turn. */
  #coming = 0;
  #gathered: GatheredExchange[] = [];
  #gatheredBytes = 0;

  constructor(options: WarcWriterOptions, series: FileSeries, serial: number) {
    this.#folder = options.folder;
    this.#series = series;
    this.#clock = options.clock;
    this.#maxBytes = options.maxBytes ?? MAX_BYTES;
    const level = options.level ?? 6;
    const compress = options.compress ?? true;
    this.#packing = { level, ...(compress && { pool: createGzipPool(level, POOL_SIZE) }) };
    this.#info = options.info;
    this.#blocking = options.blocking === true;
    this.#serial = serial;
  }

  /** A file of an earlier writer of the same series. */
  async goOnWith(name: string): Promise<void> {
    const path = join(this.#folder, name);
    const { size } = await recoverWarc(path);
    if (size >= this.#maxBytes) return;
    const handle = await open(path, 'r+');
    this.#file = { name, handle, size };
    if (size === 0) await this.#writeInfo(this.#file);
  }

  /**
   * The records of one exchange: they go into the same file, one behind the other. In the file when it
   * resolves, but safe from a power cut only after `sync`.
   */
  append(...drafts: readonly RecordDraft[]): Promise<readonly WrittenRecord[]> {
    // The place in the queue is taken now; the work before it goes on side by side.
    const preparing = Promise.allSettled(drafts.map((draft) => this.#prepare(draft)));
    let isPrepared = false;
    void preparing.then(() => {
      isPrepared = true;
    });
    this.#coming++;
    return new Promise((resolve, reject) => {
      this.#inTurn(async () => {
        this.#coming--;
        // Nobody waits for what takes long to prepare.
        if (!isPrepared) await this.#flush();
        await this.#gather(await preparing, { resolve, reject });
        if (this.#coming === 0 || this.#gatheredBytes >= GATHERED_BYTES) await this.#flush();
      }).catch(reject);
    });
  }

  async #gather(
    settled: readonly PromiseSettledResult<PreparedRecord>[],
    { resolve, reject }: Omit<GatheredExchange, 'records'>,
  ): Promise<void> {
    const records = settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    const failed = settled.find((result) => result.status === 'rejected');
    if (failed) {
      await discardAll(records);
      reject(failed.reason);
      return;
    }
    this.#gathered.push({ records, resolve, reject });
    for (const { packed } of records) this.#gatheredBytes += packed?.length ?? GATHERED_BYTES;
  }

  /** Writes what has gathered: whole exchanges, as many in one call as go into the file. */
  async #flush(): Promise<void> {
    while (this.#gathered.length > 0) {
      const together: GatheredExchange[] = [];
      try {
        const [first] = this.#gathered;
        const file = await this.#fileFor(first?.records ?? []);
        let coming = 0;
        for (let next = first; next && (together.length === 0 || this.#fits(file, next, coming)); ) {
          together.push(next);
          this.#gathered.shift();
          coming += sizeOf(next.records);
          [next] = this.#gathered;
        }
        const written = await this.#writeAll(
          file,
          together.flatMap(({ records }) => records),
        );
        let from = 0;
        for (const { records, resolve } of together) {
          resolve(written.slice(from, from + records.length));
          from += records.length;
        }
      } catch (error) {
        if (together.length === 0) together.push(...this.#gathered.splice(0));
        for (const { reject } of together) reject(error);
      } finally {
        for (const { records } of together) await discardAll(records);
      }
    }
    this.#gatheredBytes = 0;
  }

  /** Everything appended so far is on the disk when it resolves. To be called before a commit that mentions it. */
  sync(): Promise<void> {
    return this.#inTurn(async () => {
      await this.#flush();
      await this.#file?.handle.datasync();
    });
  }

  close(): Promise<void> {
    return this.#inTurn(async () => {
      await this.#flush();
      this.#packing.pool?.close();
      await this.#closeFile();
    });
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#queue.then(work);
    this.#queue = result.catch(() => undefined);
    return result;
  }

  async #prepare(draft: RecordDraft): Promise<PreparedRecord> {
    const block = await spoolBlock(draft.block, draft.payloadOffset, () =>
      join(this.#folder, `.spool-${randomUUID()}`),
    );
    const head = writeRecordHead(draft, block);
    return { draft, head, block, packed: block.whole && (await packWhole(head, block.whole, this.#packing)) };
  }

  async #fileFor(records: readonly PreparedRecord[]): Promise<OpenFile> {
    const file = this.#file;
    // A record larger than a whole file gets one to itself.
    if (
      file &&
      (file.size === 0 || file.size + Math.min(sizeOf(records), this.#maxBytes / 2) <= this.#maxBytes)
    )
      return file;
    await this.#closeFile();
    return this.#startFile();
  }

  /** Behind others that are written in the same call. */
  #fits(file: OpenFile, { records }: GatheredExchange, coming: number): boolean {
    return file.size + coming + Math.min(sizeOf(records), this.#maxBytes / 2) <= this.#maxBytes;
  }

  async #startFile(): Promise<OpenFile> {
    const name = fileName(this.#series, this.#clock(), this.#serial++);
    const handle = await open(join(this.#folder, name), 'wx');
    const file: OpenFile = { name, handle, size: 0 };
    this.#file = file;
    // The file's name must be as safe as what is in it.
    const folder = await open(this.#folder, 'r');
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
    await this.#writeInfo(file);
    return file;
  }

  async #writeInfo(file: OpenFile): Promise<void> {
    const fields: HeaderList = [...this.#info, ['format', 'WARC File Format 1.1']];
    await this.#writeAll(file, [await this.#prepare(warcinfoRecord(this.#clock(), file.name, fields))]);
  }

  async #writeAll(file: OpenFile, records: readonly PreparedRecord[]): Promise<readonly WrittenRecord[]> {
    const start = file.size;
    const written: WrittenRecord[] = [];
    try {
      const packed = records.flatMap((record) => record.packed ?? []);
      if (packed.length === records.length) {
        // The usual case: all in one call.
        for (const record of records) {
          const length = record.packed?.length ?? 0;
          written.push(describe(file, record, length));
          file.size += length;
        }
        const bytes = packed.length === 1 && packed[0] ? packed[0] : Buffer.concat(packed);
        if (this.#blocking) writeBlocking(file.handle, bytes, start);
        else await writeFully(file.handle, bytes, start);
      } else for (const record of records) written.push(await this.#write(file, record));
    } catch (error) {
      file.size = start;
      await file.handle.truncate(start);
      const isFull =
        error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');
      if (!isFull) throw error;
      throw new GarnerError('store.disk-full', `no space left for ${file.name}`, { cause: error });
    }
    return written;
  }

  async #write(file: OpenFile, record: PreparedRecord): Promise<WrittenRecord> {
    const { head, block, packed } = record;
    const offset = file.size;
    let end = offset;
    const parts = packed ? [packed] : packStream(head, block, this.#packing);
    for await (const bytes of parts) {
      await writeFully(file.handle, bytes, end);
      end += bytes.length;
    }
    const written = describe(file, record, end - offset);
    file.size = end;
    return written;
  }

  async #closeFile(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    if (!file) return;
    await file.handle.datasync();
    await file.handle.close();
  }
}

const sizeOf = (records: readonly PreparedRecord[]): number =>
  records.reduce((sum, { packed, block }) => sum + (packed?.length ?? block.length), 0);

async function discardAll(records: readonly PreparedRecord[]): Promise<void> {
  for (const { block } of records) await block.discard();
}

/** `file.size` is still that before the record. */
function describe(file: OpenFile, { draft, block }: PreparedRecord, length: number): WrittenRecord {
  const { blockSha256, payloadSha1, payloadSha256 } = block.digests;
  return {
    file: file.name,
    offset: file.size,
    length,
    recordId: draft.recordId,
    type: draft.type,
    at: draft.at,
    blockLength: block.length,
    blockDigest: writeDigest({ algorithm: 'sha256', hex: blockSha256 }),
    ...(payloadSha1 !== undefined && { payloadDigest: writeDigest({ algorithm: 'sha1', hex: payloadSha1 }) }),
    ...(payloadSha256 !== undefined && { payloadSha256 }),
  };
}

async function writeFully(handle: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    done += (await handle.write(bytes, done, bytes.length - done, position + done)).bytesWritten;
  }
}

function writeBlocking({ fd }: FileHandle, bytes: Uint8Array, position: number): void {
  for (let done = 0; done < bytes.length; )
    done += writeSync(fd, bytes, done, bytes.length - done, position + done);
}
