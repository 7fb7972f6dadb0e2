/**
 * Records in DIDL become captures: a WARC record with header and body, a line of the capture index, and an
 * item that can be searched. For the rest of the harvester this is one more way of extracting records.
 */
import { join } from 'node:path';
import { createPdfReader } from '../../../archive/content/index.ts';
import { parseMediaType } from '../../../archive/content/media-type.ts';
import { writeBase32 } from '../../../archive/digest.ts';
import {
  headerValue,
  metadataRecord,
  newRecordId,
  openWarcWriter,
  resourceRecord,
  responseRecord,
  surtKey,
  type WarcWriter,
  writeHttpHead,
} from '../../../archive/index.ts';
import {
  archiveFolder,
  identifierOf,
  isVersion,
  makeCaptureRecord,
  readStored,
} from '../../../archive/items/index.ts';
import { OPERATOR } from '../../../core/access.ts';
import { asGarnerError, GarnerError } from '../../../core/errors.ts';
import type { FieldSpec, RecordProblem } from '../../../core/model.ts';
import type { Clock } from '../../../core/time.ts';
import { VERSION } from '../../../core/version.ts';
import type { CaptureEntry, CaptureIndex, GarnerStore, IncomingRecord } from '../../../store/index.ts';
import type { HttpClient } from '../../http/index.ts';
import type { Extraction, Ingest, RecordPiece } from '../../ingest.ts';
import { type CaptureHead, makeCaptureHead, sameHeaders } from './capture-head.ts';
import { cutValues } from './cut-values.ts';
import { type DidlFileContent, fileOfDidl } from './file-of-didl.ts';
import { type FileValue, ValueSpool } from './value-spool.ts';

/** Where captures go. */
export interface CaptureArchive {
  readonly captures: CaptureIndex;
  readonly fields: readonly FieldSpec[];
  readonly dataFolder: string;
}

export interface DidlDeps extends CaptureArchive {
  readonly items: Pick<GarnerStore['items'], 'findItem' | 'findContent'>;
  readonly source: string;
  /** Of the provider. */
  readonly baseUrl: string;
  readonly clock: Clock;
  /** For files that are there by reference only; absent: those are problems. */
  readonly client?: HttpClient;
  readonly signal: AbortSignal;
}

/** A capture that is in the archive, or will be with the batch's end. */
interface Taken {
  readonly piece: RecordPiece;
  readonly capture: CaptureEntry;
  readonly isNew: boolean;
}

export class DidlCaptures implements Ingest {
  readonly #deps: DidlDeps;
  readonly #folder: string;
  readonly #spool: ValueSpool;
  readonly #pdf = createPdfReader();
  #writer: WarcWriter | undefined;
  /** Batches one after the other: what one has written the next one knows. */
  #last: Promise<unknown> = Promise.resolve();

  private constructor(deps: DidlDeps) {
    this.#deps = deps;
    this.#folder = archiveFolder(deps.dataFolder, deps.source);
    this.#spool = new ValueSpool(join(this.#folder, '.values'));
  }

  /** The run must hold the lease of the source. */
  static async open(deps: DidlDeps): Promise<DidlCaptures> {
    const captures = new DidlCaptures(deps);
    await captures.#spool.begin();
    return captures;
  }

  /** Answers of the provider on their way to be cut into records. */
  through = (body: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> => cutValues(body, this.#spool);

  extract(pieces: readonly RecordPiece[]): Promise<Extraction> {
    const result = this.#last.then(() => this.#extract(pieces));
    this.#last = result.catch(() => undefined);
    return result;
  }

  async close(): Promise<void> {
    await this.#last;
    await this.#writer?.close();
    this.#deps.client?.close();
    await this.#pdf.close();
    await this.#spool.end();
  }

  async #extract(pieces: readonly RecordPiece[]): Promise<Extraction> {
    const problems: RecordProblem[] = [];
    const taken: Taken[] = [];
    for (const piece of pieces) {
      const one = await this.#take(piece, problems);
      if (one) taken.push(one);
    }
    const fresh = taken.flatMap(({ capture, isNew }) => (isNew ? [capture] : []));
    if (fresh.length > 0) {
      await this.#writer?.sync();
      await this.#deps.captures.add(this.#deps.source, fresh);
    }
    const records: IncomingRecord[] = [];
    const { fields, baseUrl, items, source } = this.#deps;
    const reading = { fields, folder: this.#folder, pdf: this.#pdf };
    // The same in every run, or the record would change with it.
    const capturedBy = `oai_didl of ${baseUrl}`;
    for (const { capture } of taken)
      records.push(await makeCaptureRecord(reading, capture, capturedBy, problems, { items, source }));
    return { records, problems };
  }

  /** Of a record that is no good what was there before stays, and the problem is told. */
  async #take(piece: RecordPiece, problems: RecordProblem[]): Promise<Taken | undefined> {
    const { where, line } = piece;
    const url = piece.identifier ?? piece.fallbackIdentifier;
    const note = (code: string, message: string): void => {
      problems.push({ code, message, where, line, identifier: url });
    };
    let file: DidlFileContent | undefined;
    try {
      if (!/^(?:https?|ftp):/i.test(url) || !URL.canParse(url) || !isVersion({ url, type: 'response' }))
        throw new GarnerError(
          'record.identifier',
          'only records whose identifier is a URL can become captures',
        );
      file = await fileOfDidl(
        piece.bytes,
        url,
        (name) => this.#spool.find(name),
        (ref) => this.#openReference(ref),
      );
      if (file.others > 0) note('didl.content', `${file.others} more files of the same DIDL were left out`);
      const head = file.headers && makeCaptureHead(file.headers, file.value);
      for (const message of head?.notes ?? []) note('record.repaired', message);
      const former = await this.#findFormer(url);
      if (former && (await this.#isSame(former, file, head))) return { piece, capture: former, isNew: false };
      return { piece, capture: await this.#write(piece, url, file, head), isNew: true };
    } catch (thrown) {
      const { code, message } = asGarnerError(thrown);
      if (!/^(?:didl|record|http)\.|^source\.checksum$/.test(code)) throw thrown;
      this.#deps.signal.throwIfAborted();
      note(code, message);
      const former = await this.#findFormer(url);
      const item =
        former && (await this.#deps.items.findItem({ source: this.#deps.source, identifier: url }, OPERATOR));
      return former && item?.status === 'live' ? { piece, capture: former, isNew: false } : undefined;
    } finally {
      await file?.value.discard();
    }
  }

  async #findFormer(url: string): Promise<CaptureEntry | undefined> {
    const { captures, source } = this.#deps;
    const found = await captures.list(
      { urlKey: surtKey(url), sources: [source], reverse: true, limit: 100 },
      OPERATOR,
    );
    return found
      .filter((capture) => capture.file !== undefined && identifierOf(capture.url) === url)
      .toSorted((a, b) => b.at - a.at || b.key - a.key)[0];
  }

  async #isSame(
    former: CaptureEntry,
    file: DidlFileContent,
    head: CaptureHead | undefined,
  ): Promise<boolean> {
    const { source, dataFolder } = this.#deps;
    if (former.digest !== digestOf(file.value) || former.type !== (head ? 'response' : 'resource'))
      return false;
    try {
      const record = await readStored({ dataFolder }, { ...former, source, key: 0 });
      await record.close();
      return head
        ? sameHeaders(record.http?.headers ?? [], head.headers)
        : record.header('Content-Type') === file.mediaType;
    } catch (thrown) {
      // A file of the archive that is gone or damaged: what came now takes its place.
      if (/^(?:archive|source)\./.test(asGarnerError(thrown).code)) return false;
      throw thrown;
    }
  }

  async #write(
    { where }: RecordPiece,
    url: string,
    file: DidlFileContent,
    head: CaptureHead | undefined,
  ): Promise<CaptureEntry> {
    const { source, clock } = this.#deps;
    this.#writer ??= await openWarcWriter({
      folder: this.#folder,
      prefix: `${source.replace(/[^\w-]+/g, '_')}-didl`,
      clock,
      info: [
        ['software', `Garner/${VERSION}`],
        ['isPartOf', source],
        ['description', `Files harvested by OAI-PMH as oai_didl from ${this.#deps.baseUrl}`],
      ],
    });
    const recordId = newRecordId();
    const at = clock();
    const context = { targetUri: url, at, recordId };
    const body = file.value.body();
    const main = head
      ? responseRecord(context, { head: writeHttpHead('HTTP/1.1 200 OK', head.headers), body })
      : resourceRecord(context, file.mediaType, body);
    const told = head ? 'HTTP header put together from the http_header of a DIDL' : 'no HTTP header was told';
    const [written] = await this.#writer.append(
      main,
      metadataRecord(
        { targetUri: url, at, concurrentTo: [recordId] },
        [['via', where], ...[told, ...(head?.notes ?? [])].map((note) => ['note', note] as const)],
        recordId,
      ),
    );
    if (!written) throw new GarnerError('internal.bug', 'a record was not written');
    const mediaType = parseMediaType(
      head ? headerValue(head.headers, 'Content-Type') : file.mediaType,
    )?.essence;
    return {
      urlKey: surtKey(url),
      url,
      at,
      type: written.type,
      ...(head && { status: 200 }),
      ...(mediaType !== undefined && { mediaType }),
      digest: digestOf(file.value),
      contentLength: file.value.size,
      recordId,
      file: written.file,
      offset: written.offset,
      length: written.length,
    };
  }

  async #openReference(ref: string): Promise<FileValue> {
    const { client, signal } = this.#deps;
    if (!client)
      throw new GarnerError(
        'didl.reference',
        `the file is there by reference only (${ref.slice(0, 200)}); references: fetch gets it`,
      );
    if (!/^https?:/i.test(ref) || !URL.canParse(ref))
      throw new GarnerError('didl.reference', `${JSON.stringify(ref.slice(0, 200))} is no web address`);
    const response = await client.request({ url: ref, sniff: false, signal });
    const writer = await this.#spool.start();
    try {
      for await (const chunk of response.body) await writer.write(chunk);
    } catch (error) {
      response.discard();
      await writer.discard();
      throw error;
    }
    const value = this.#spool.find(await writer.finish());
    if (!value) throw new GarnerError('internal.bug', 'a fetched file was lost');
    return value;
  }
}

/** Of the payload, as the capture index has it. */
const digestOf = ({ digests }: FileValue): string => writeBase32(Buffer.from(digests.sha1, 'hex'));
