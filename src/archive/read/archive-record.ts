/** One record of a WARC or ARC file. Small blocks are in memory; a large one is a stream, to be read once. */

import { GarnerError } from '../../core/errors.ts';
import type { Instant } from '../../core/model.ts';
import { UNPACK_LIMITS, type UnpackLimits } from '../http/content-coding.ts';
import {
  type BodyProblem,
  type BodyReport,
  contentAtOnce,
  contentStream,
  newBodyReport,
  payloadAtOnce,
  payloadStream,
} from '../http/decode-body.ts';
import { type HttpMessage, parseHttpMessage } from '../http/http-message.ts';
import type { DigestVerdict } from './digest-check.ts';
import type { StoredAt } from './events.ts';
import { type HeaderList, headerValue } from './header-list.ts';
import type { RecordHead } from './record-head.ts';
import type { RecordForm } from './record-start.ts';

/** The block: whole, or its beginning and a stream that goes on from there. */
export interface RecordBlock {
  readonly head: Buffer;
  readonly rest?: AsyncGenerator<Buffer>;
}

export interface Decoded {
  readonly bytes: Buffer;
  /** Undone, outermost first. */
  readonly codings: readonly string[];
  readonly problems: readonly BodyProblem[];
}

/** How much of a streamed block `block()`, `payload()` and `content()` take into memory. */
const GATHER_LIMIT = 256 << 20;

export class ArchiveRecord {
  readonly kind = 'record';
  readonly format: RecordForm;
  readonly version: string;
  readonly type: string;
  readonly headers: HeaderList;
  readonly targetUri: string | undefined;
  readonly at: Instant | undefined;
  /** As declared. */
  readonly contentLength: number | undefined;
  readonly stored: StoredAt;
  /** The block is shorter than it should be. Of a stream, known when it has ended. */
  truncated: boolean;
  /** With the reader's option `verify`; of a stream, known when it has ended. */
  verdicts: readonly DigestVerdict[] | undefined;
  readonly #block: RecordBlock;
  #http: HttpMessage | null | undefined;
  #closed: (() => Promise<void>) | undefined;

  constructor(head: RecordHead, stored: StoredAt, block: RecordBlock, truncated = false) {
    this.format = head.format;
    this.version = head.version;
    this.type = head.type;
    this.headers = head.headers;
    this.targetUri = head.targetUri;
    this.at = head.at;
    this.contentLength = head.contentLength;
    this.stored = stored;
    this.truncated = truncated;
    this.#block = block;
  }

  header(name: string): string | undefined {
    return headerValue(this.headers, name);
  }

  get recordId(): string | undefined {
    return this.header('WARC-Record-ID');
  }

  /** The block, when it is in memory. */
  get whole(): Buffer | undefined {
    return this.#block.rest ? undefined : this.#block.head;
  }

  /** The first bytes of the block (at least 64 KB of a streamed one). */
  get blockHead(): Buffer {
    return this.#block.head;
  }

  /** Undefined when the block is no HTTP message. */
  get http(): HttpMessage | undefined {
    if (this.#http === undefined) this.#http = this.#parseHttp() ?? null;
    return this.#http ?? undefined;
  }

  #parseHttp(): HttpMessage | undefined {
    if (this.format === 'warc') {
      const mediaType = this.header('Content-Type')?.toLowerCase();
      const isHttp = mediaType
        ? mediaType.startsWith('application/http')
        : /^https?:/i.test(this.targetUri ?? '');
      if (!isHttp || !['response', 'request', 'revisit'].includes(this.type)) return undefined;
    }
    const message = parseHttpMessage(this.#block.head);
    const wanted = this.type === 'request' ? message?.method : message?.status;
    return wanted === undefined ? undefined : message;
  }

  async *blockStream(): AsyncGenerator<Buffer> {
    if (this.#block.head.length > 0) yield this.#block.head;
    if (this.#block.rest) yield* this.#block.rest;
  }

  async block(limit: number = GATHER_LIMIT): Promise<Buffer> {
    return this.whole ?? gather(this.blockStream(), limit);
  }

  /** The block behind the HTTP header; of other records all of it. As it was stored. */
  async *bodyStream(): AsyncGenerator<Buffer> {
    let skip = this.http?.bodyOffset ?? 0;
    for await (const bytes of this.blockStream()) {
      if (bytes.length > skip) yield skip > 0 ? bytes.subarray(skip) : bytes;
      skip = Math.max(0, skip - bytes.length);
    }
  }

  /** The body without its transfer coding. */
  payloadStream(
    limits: UnpackLimits = UNPACK_LIMITS,
    report: BodyReport = newBodyReport(),
  ): AsyncGenerator<Buffer> {
    return payloadStream(this.http?.headers ?? [], this.bodyStream(), limits, report);
  }

  /** The body without any coding; `report` fills while it is read. */
  contentStream(
    limits: UnpackLimits = UNPACK_LIMITS,
    report: BodyReport = newBodyReport(),
  ): AsyncGenerator<Buffer> {
    return contentStream(this.http?.headers ?? [], this.payloadStream(limits, report), limits, report);
  }

  async payload(limits: UnpackLimits = UNPACK_LIMITS): Promise<Decoded> {
    const report = newBodyReport();
    const body = this.whole?.subarray(this.http?.bodyOffset ?? 0);
    const bytes = body && payloadAtOnce(this.http?.headers ?? [], body, report);
    if (bytes) return { bytes, ...report };
    return { bytes: await gather(this.payloadStream(limits, report), limits.maxBytes), ...report };
  }

  async content(limits: UnpackLimits = UNPACK_LIMITS): Promise<Decoded> {
    const report = newBodyReport();
    const headers = this.http?.headers ?? [];
    const body = this.whole?.subarray(this.http?.bodyOffset ?? 0);
    const payload = body && payloadAtOnce(headers, body, report);
    const bytes = payload && contentAtOnce(headers, payload, limits, report);
    if (bytes) return { bytes, ...report };
    const second = newBodyReport();
    return { bytes: await gather(this.contentStream(limits, second), limits.maxBytes), ...second };
  }

  /** The same record, calling back when its stream has ended or was closed. */
  closingWith(done: () => Promise<void>): ArchiveRecord {
    const { head, rest } = this.#block;
    if (!rest) return this;
    let isDone = false;
    const finish = async (): Promise<void> => {
      if (!isDone) await done();
      isDone = true;
    };
    const watched = async function* (): AsyncGenerator<Buffer> {
      try {
        yield* rest;
      } finally {
        await finish();
      }
    };
    const record = new ArchiveRecord(this, this.stored, { head, rest: watched() }, this.truncated);
    record.#closed = finish;
    return record;
  }

  /** Lets go of a stream that is not read to its end. */
  async close(): Promise<void> {
    await this.#block.rest?.return(undefined);
    // A generator that was never started runs no finally.
    await this.#closed?.();
  }
}

async function gather(stream: AsyncIterable<Buffer>, limit: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const bytes of stream) {
    size += bytes.length;
    if (size > limit) {
      throw new GarnerError('archive.unsafe', `a block has more than ${limit} bytes; read it as a stream`, {
        details: { limit },
      });
    }
    parts.push(bytes);
  }
  return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts, size);
}
