/** A record as bytes: header, block, two newlines; each a gzip member of its own when compressed. */
import { Readable } from 'node:stream';
import { createGzip, gzipSync } from 'node:zlib';
import { writeDigest } from '../digest.ts';
import { headerValue } from '../read/header-list.ts';
import type { GzipPool } from './gzip-pool.ts';
import { oneLine, type RecordDraft, writeWarcDate } from './record-draft.ts';
import type { SpooledBlock } from './spool.ts';

const END = Buffer.from('\r\n\r\n');

/**
 * The block's digest is SHA-256; the payload's is SHA-1 in base32, which every index and replay tool looks
 * payloads up by. Since SHA-1 no longer proves that two payloads are equal, the payload's SHA-256 is added
 * in a field of our own, which other tools pass over.
 */
export const PAYLOAD_SHA256_FIELD = 'Garner-Payload-SHA-256';

export function writeRecordHead(draft: RecordDraft, block: SpooledBlock): Buffer {
  const { blockSha256, payloadSha1, payloadSha256 } = block.digests;
  const lines = [
    'WARC/1.1',
    `WARC-Type: ${draft.type}`,
    `WARC-Record-ID: ${draft.recordId}`,
    `WARC-Date: ${writeWarcDate(draft.at)}`,
    ...draft.fields.map(([name, value]) => `${name}: ${oneLine(value)}`),
    `WARC-Block-Digest: ${writeDigest({ algorithm: 'sha256', hex: blockSha256 })}`,
  ];
  if (payloadSha1 !== undefined && headerValue(draft.fields, 'WARC-Payload-Digest') === undefined) {
    lines.push(`WARC-Payload-Digest: ${writeDigest({ algorithm: 'sha1', hex: payloadSha1 })}`);
  }
  if (payloadSha256 !== undefined) lines.push(`${PAYLOAD_SHA256_FIELD}: ${payloadSha256}`);
  if (draft.contentType !== undefined) lines.push(`Content-Type: ${oneLine(draft.contentType)}`);
  lines.push(`Content-Length: ${block.length}`, '', '');
  return Buffer.from(lines.join('\r\n'));
}

export interface Packing {
  readonly level: number;
  /** Absent: no compression. */
  readonly pool?: GzipPool;
}

/** Handing less than this to another thread takes longer than compressing it here. */
const POOL_BYTES = 8 * 1024;
const CHUNK_BYTES = 256 * 1024;

/** In one piece. */
export async function packWhole(head: Buffer, block: Buffer, { level, pool }: Packing): Promise<Buffer> {
  const bytes = Buffer.concat([head, block, END], head.length + block.length + END.length);
  if (!pool) return bytes;
  return bytes.length < POOL_BYTES ? gzipSync(bytes, { level, chunkSize: POOL_BYTES }) : pool.pack(bytes);
}

/** Piece by piece, for blocks that are in a file. */
export function packStream(
  head: Buffer,
  block: SpooledBlock,
  { level, pool }: Packing,
): AsyncIterable<Uint8Array> {
  const plain = async function* (): AsyncGenerator<Uint8Array> {
    yield head;
    yield* block.parts();
    yield END;
  };
  return pool
    ? Readable.from(plain(), { objectMode: false }).compose(
        createGzip({ level, memLevel: 9, chunkSize: CHUNK_BYTES }),
      )
    : plain();
}
