/** A WARC writer in a thread of its own, so that compressing and digesting leave the caller's thread free. */
import { Worker } from 'node:worker_threads';
import { GarnerError } from '../../core/errors.ts';
import { connectCalls } from '../../core/worker-rpc.ts';
import { workerUrl } from '../../core/worker-url.ts';
import type { RecordDraft } from './record-draft.ts';
import type { PackedDraft, WarcThreadCalls, WarcThreadSetup } from './warc-thread-calls.ts';
import type { WarcWriterOptions, WrittenRecord } from './warc-writer.ts';

/** As `WarcWriter`; blocks are in memory, or files that the thread can read. */
export interface WarcThread {
  append(...drafts: readonly ThreadDraft[]): Promise<readonly WrittenRecord[]>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

export type ThreadDraft = Omit<RecordDraft, 'block'> & {
  readonly block: Buffer | { readonly head: Buffer; readonly path: string };
};

interface Waiting {
  readonly drafts: readonly ThreadDraft[];
  readonly resolve: (written: readonly WrittenRecord[]) => void;
  readonly reject: (reason: unknown) => void;
}

export async function openWarcThread(options: Omit<WarcWriterOptions, 'clock'>): Promise<WarcThread> {
  const thread = startWarcThread(options);
  await thread.ready;
  return thread;
}

/** Takes records at once, while the thread still starts. Time is told by the thread's own clock. */
export function startWarcThread(
  options: Omit<WarcWriterOptions, 'clock'>,
): WarcThread & { readonly ready: Promise<void> } {
  const setup: WarcThreadSetup = { ...options };
  const connection = connectCalls<WarcThreadCalls>(
    new Worker(workerUrl(import.meta.url, './warc-thread-worker'), { workerData: setup }),
  );
  const ready = connection.calls.ready();
  // Whoever appends hears of it as well.
  ready.catch(() => undefined);
  let waiting: Waiting[] = [];
  let planned = false;
  /** Of all that was sent, in order. */
  let last: Promise<unknown> = Promise.resolve();

  // What comes in one turn of the event loop goes over in one message.
  const send = (): void => {
    planned = false;
    const batch = waiting;
    waiting = [];
    if (batch.length === 0) return;
    const sent = connection.calls.append(...pack(batch.map(({ drafts }) => drafts)));
    last = sent.then(
      (outcomes) => {
        for (const [i, { resolve, reject }] of batch.entries()) {
          const outcome = outcomes[i];
          if (outcome && 'written' in outcome) resolve(outcome.written);
          else
            reject(
              new GarnerError(
                outcome?.failure.code ?? 'internal.bug',
                outcome?.failure.message ?? 'no outcome',
              ),
            );
        }
      },
      (error: unknown) => {
        for (const { reject } of batch) reject(error);
      },
    );
  };

  return {
    ready,
    append: (...drafts) =>
      new Promise((resolve, reject) => {
        waiting.push({ drafts, resolve, reject });
        if (!planned) setImmediate(send);
        planned = true;
      }),
    async sync() {
      send();
      await last;
      await connection.calls.sync();
    },
    async close() {
      send();
      await last;
      await connection.calls.close();
      await connection.close();
    },
  };
}

/** All blocks one behind the other: one piece of memory to hand over. */
function pack(exchanges: readonly (readonly ThreadDraft[])[]): [bytes: Uint8Array, drafts: PackedDraft[][]] {
  const blocks = exchanges.flat().map(({ block }) => (Buffer.isBuffer(block) ? block : block.head));
  const bytes = Buffer.allocUnsafeSlow(blocks.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  const drafts = exchanges.map((exchange) =>
    exchange.map(({ block, ...draft }): PackedDraft => {
      const own = Buffer.isBuffer(block) ? block : block.head;
      const start = offset;
      own.copy(bytes, start);
      offset += own.length;
      return { ...draft, start, end: offset, ...(!Buffer.isBuffer(block) && { path: block.path }) };
    }),
  );
  return [bytes, drafts];
}
