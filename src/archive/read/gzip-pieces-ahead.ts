/** The members of a gzip file, inflated by a thread that runs ahead of the reader. */
import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import { workerUrl } from '../../core/worker-url.ts';
import type { ByteSource } from '../bytes/byte-source.ts';
import { gzipPieces } from './gzip-pieces.ts';
import {
  type InflatedBatch,
  type InflateWorkerData,
  MEMBER_FIELDS,
  STOPPED,
  TAKEN,
} from './inflate-batch.ts';
import type { PieceEvent } from './pieces.ts';

export async function* gzipPiecesAhead(source: ByteSource, start: number): AsyncGenerator<PieceEvent> {
  for (let position = start; position < source.size; ) {
    position = yield* easyMembers(source, position);
    if (position >= source.size) return;
    const next = yield* oneMember(source, position);
    if (next === undefined) return;
    position = next;
  }
}

/** Gives where the first member lies that the thread left alone. */
async function* easyMembers(source: ByteSource, start: number): AsyncGenerator<PieceEvent, number> {
  const shared = new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT);
  const counters = new Int32Array(shared);
  const { size, path = '' } = source;
  const data: InflateWorkerData = { path, size, start, shared };
  const worker = new Worker(workerUrl(import.meta.url, './inflate-worker'), { workerData: data });
  try {
    const messages = on(worker, 'message', { close: ['exit'] }) as AsyncIterable<[InflatedBatch]>;
    for await (const [{ bytes, members, next, last }] of messages) {
      Atomics.add(counters, TAKEN, 1);
      Atomics.notify(counters, TAKEN);
      for (let i = 0; i < members.length; i += MEMBER_FIELDS) {
        const [offset = 0, length = 0, from = 0, inflated = 0] = members.subarray(i, i + MEMBER_FIELDS);
        if (inflated === 0) continue;
        const member = { offset, length, compressed: true };
        yield { kind: 'piece', bytes: Buffer.from(bytes, from, inflated), member, first: true };
      }
      if (last) return next;
    }
    return start;
  } finally {
    Atomics.store(counters, STOPPED, 1);
    Atomics.add(counters, TAKEN, 1);
    Atomics.notify(counters, TAKEN);
    await worker.terminate();
  }
}

/** One member of any kind, and what damage belongs to it; gives where the next one begins. */
async function* oneMember(source: ByteSource, start: number): AsyncGenerator<PieceEvent, number | undefined> {
  for await (const event of gzipPieces(source, start)) {
    if (event.kind === 'piece' && event.first && event.member.offset > start) return event.member.offset;
    yield event;
  }
  return undefined;
}
