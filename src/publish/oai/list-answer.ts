/** One page of ListRecords or ListIdentifiers, written while it is read: memory holds a few records of it. */
import { asGarnerError, type GarnerError } from '../../core/errors.ts';
import type { Instant } from '../../core/model.ts';
import type { OaiGranularity } from '../../core/time.ts';
import {
  CLOSE_ENVELOPE,
  makeMetadata,
  type RecordPieces,
  writeHeader,
  writeRecord,
  writeResumption,
} from './answer.ts';
import type { OaiBackend, OaiListPage, OaiRecord } from './backend.ts';
import type { ListVerb, OaiProblem } from './protocol.ts';
import type { ListScope } from './request.ts';
import { type ListToken, writeToken } from './token.ts';

/** Asked of the backend at once. */
const CHUNK_RECORDS = 100;
/** Written to the client at once. */
const CHUNK_BYTES = 64 * 1024;

export interface PageLimits {
  readonly records: number;
  /** A page ends with the record that goes past it. */
  readonly bytes: number;
  readonly tokenLifeMs: number;
}

/** Where a page starts: at the beginning of a list, or where a token says. */
export interface PageStart {
  readonly verb: ListVerb;
  readonly scope: ListScope;
  readonly resumed?: ListToken;
}

export interface OpenedPage {
  /** The first records, and the moment at which the list is frozen. */
  readonly first: OaiListPage;
  readonly scope: ListScope & { readonly untilAt: Instant };
  readonly open: boolean;
  readonly cursor: number;
  readonly size: number | undefined;
  readonly resumed: boolean;
  /** Harvesters go on from here next time, so it may not lie behind what this list can have missed. */
  readonly responseAt: Instant;
}

/** The first records, before anything is answered: what is wrong with the request shows here. */
export async function openPage(
  backend: OaiBackend,
  { verb, scope, resumed }: PageStart,
  limits: PageLimits,
  now: Instant,
): Promise<OpenedPage | OaiProblem> {
  if (scope.set !== undefined && !backend.listSets)
    return { code: 'noSetHierarchy', message: 'this repository has no sets' };
  const ask = (more: Partial<ListScope>, limit: number) =>
    backend.listRecords({
      ...scope,
      ...more,
      ...(resumed && { after: resumed.position }),
      limit,
      withMetadata: verb === 'ListRecords',
    });
  let first = await ask({}, Math.min(CHUNK_RECORDS, limits.records));
  if (first !== 'no-format' && first.records.length === 0 && resumed?.open) {
    // All that was left has changed since, and so moved behind the frozen end. A page cannot be empty; of
    // what moved one record is given now, the next harvest brings the others.
    const moved = await ask({ untilAt: Number.MAX_SAFE_INTEGER }, 1);
    first = moved === 'no-format' ? moved : { ...moved, more: false };
  }
  if (first === 'no-format')
    return resumed
      ? { code: 'badResumptionToken', message: 'the format of this list is no longer offered' }
      : {
          code: 'cannotDisseminateFormat',
          message: `there is no format ${scope.prefix}; ListMetadataFormats lists them`,
        };
  if (first.records.length === 0)
    return {
      code: 'noRecordsMatch',
      message: resumed ? 'the records that were left have changed since' : 'no record matches the request',
    };
  const completeUntilAt = first.completeUntilAt ?? now;
  return {
    first: verb === 'ListRecords' ? { ...first, records: await withFirstMade(first.records) } : first,
    scope: { ...scope, untilAt: Math.min(scope.untilAt ?? Number.MAX_SAFE_INTEGER, completeUntilAt) },
    open: resumed ? resumed.open : scope.untilAt === undefined,
    cursor: resumed?.cursor ?? 0,
    size: resumed?.size,
    resumed: resumed !== undefined,
    responseAt: Math.min(now, completeUntilAt + 1000),
  };
}

/** A list whose very first record cannot be made fails as a whole, before anything of it is sent. */
async function withFirstMade([first, ...others]: readonly OaiRecord[]): Promise<OaiRecord[]> {
  if (!first) return [];
  const metadata = await makeMetadata(first);
  return [metadata === undefined ? first : { ...first, metadata }, ...others];
}

export interface PageWriting {
  readonly backend: OaiBackend;
  readonly verb: ListVerb;
  readonly baseUrl: string;
  readonly limits: PageLimits;
  readonly now: Instant;
  readonly onFailure: (error: GarnerError) => void;
}

/** The whole answer in pieces of moderate size. */
export async function* writePage(
  page: OpenedPage,
  opening: string,
  writing: PageWriting,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const buffer = new PieceBuffer();
  buffer.add(`${opening}<${writing.verb}>\n`);
  const end = yield* writeRecords(page, buffer, writing);
  if (end.written > 0) buffer.add(await writeEnd(page, writing, end));
  buffer.add(`</${writing.verb}>\n${CLOSE_ENVELOPE}`);
  yield buffer.take();
}

/** How far a page came. */
interface PageEnd {
  readonly written: number;
  /** Of the last record. */
  readonly position: string;
  readonly more: boolean;
}

async function* writeRecords(
  { first, scope }: OpenedPage,
  buffer: PieceBuffer,
  { backend, verb, limits, onFailure }: PageWriting,
): AsyncGenerator<Uint8Array<ArrayBuffer>, PageEnd> {
  const { granularity = 'YYYY-MM-DDThh:mm:ssZ' } = backend;
  let chunk: OaiListPage | 'no-format' = first;
  let end: PageEnd = { written: 0, position: '', more: false };
  // The page ends early, well-formed, and its token leads to the rest.
  const giveUp = (error: unknown): PageEnd => {
    onFailure(asGarnerError(error));
    return { ...end, more: true };
  };
  while (chunk !== 'no-format') {
    const { records, more } = chunk;
    for (const [i, record] of records.entries()) {
      let pieces: RecordPieces;
      try {
        const written = writeOne(record, verb, granularity);
        // Most are made at once; a turn of the event loop for each would cost as much as making them.
        pieces = written instanceof Promise ? await written : written;
      } catch (error) {
        return giveUp(error);
      }
      for (const piece of pieces) {
        if (typeof piece === 'string' || piece instanceof Uint8Array) buffer.add(piece);
        else
          for await (const part of piece) {
            buffer.add(part);
            if (buffer.size >= CHUNK_BYTES) yield buffer.take();
          }
        if (buffer.size >= CHUNK_BYTES) yield buffer.take();
      }
      const follows = more || i < records.length - 1;
      end = { written: end.written + 1, position: record.position, more: follows };
      if (!follows || end.written >= limits.records || buffer.total >= limits.bytes) return end;
    }
    try {
      chunk = await backend.listRecords({
        ...scope,
        after: end.position,
        limit: Math.min(CHUNK_RECORDS, limits.records - end.written),
        withMetadata: verb === 'ListRecords',
      });
      if (chunk !== 'no-format' && chunk.records.length === 0) return end;
    } catch (error) {
      return giveUp(error);
    }
  }
  return end;
}

function writeOne(
  record: OaiRecord,
  verb: ListVerb,
  granularity: OaiGranularity,
): RecordPieces | Promise<RecordPieces> {
  if (verb === 'ListIdentifiers') return [`${writeHeader(record, granularity)}\n`];
  const metadata = makeMetadata(record);
  return metadata instanceof Promise
    ? metadata.then((made) => writeRecord(record, made, granularity))
    : writeRecord(record, metadata, granularity);
}

async function writeEnd(
  page: OpenedPage,
  { backend, verb, baseUrl, limits, now, onFailure }: PageWriting,
  { written, position, more }: PageEnd,
): Promise<string> {
  const { cursor, scope, open, resumed } = page;
  if (!more)
    return resumed ? writeResumption('', { cursor, size: cursor + written, expiresAt: undefined }) : '';
  const counted = page.size ?? (resumed ? undefined : await count());
  const size = counted === undefined ? undefined : Math.max(counted, cursor + written + 1);
  const expiresAt = now + limits.tokenLifeMs;
  const token = writeToken(
    { verb, scope, open, position, cursor: cursor + written, size, expiresAt },
    baseUrl,
  );
  return writeResumption(token, { cursor, size, expiresAt });

  async function count(): Promise<number | undefined> {
    try {
      return await backend.countRecords?.(scope);
    } catch (error) {
      // The size is optional (§3.5).
      onFailure(asGarnerError(error));
      return undefined;
    }
  }
}

/** Texts and bytes gathered into chunks. */
class PieceBuffer {
  readonly #pieces: Uint8Array[] = [];
  #text = '';
  #bytes = 0;
  /** Bytes so far, sent or not; texts count by characters. */
  total = 0;

  get size(): number {
    return this.#bytes + this.#text.length;
  }

  add(piece: string | Uint8Array): void {
    this.total += piece.length;
    if (typeof piece === 'string') {
      this.#text += piece;
      return;
    }
    this.#flushText();
    this.#pieces.push(piece);
    this.#bytes += piece.length;
  }

  take(): Uint8Array<ArrayBuffer> {
    this.#flushText();
    const taken = Buffer.concat(this.#pieces);
    this.#pieces.length = 0;
    this.#bytes = 0;
    return taken;
  }

  #flushText(): void {
    if (this.#text === '') return;
    const bytes = Buffer.from(this.#text);
    this.#pieces.push(bytes);
    this.#bytes += bytes.length;
    this.#text = '';
  }
}
