/** The thread of a WARC writer. */
import { createReadStream } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { asGarnerError, GarnerError } from '../../core/errors.ts';
import { systemClock } from '../../core/time.ts';
import { serveCalls } from '../../core/worker-rpc.ts';
import type { BlockSource, RecordDraft } from './record-draft.ts';
import type { AppendOutcome, PackedDraft, WarcThreadCalls, WarcThreadSetup } from './warc-thread-calls.ts';
import { openWarcWriter } from './warc-writer.ts';

const port = parentPort;
if (!port) throw new GarnerError('internal.bug', 'this is the script of a thread');
const opening = openWarcWriter({ ...(workerData as WarcThreadSetup), clock: systemClock, blocking: true });

function unpack(bytes: Uint8Array, { start, end, path, ...draft }: PackedDraft): RecordDraft {
  const own = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start);
  const block: BlockSource =
    path === undefined
      ? own
      : (async function* () {
          yield own;
          yield* createReadStream(path);
        })();
  return { ...draft, block };
}

const calls: WarcThreadCalls = {
  ready: async () => {
    await opening;
  },
  append: async (bytes, exchanges) => {
    const writer = await opening;
    return Promise.all(
      exchanges.map(async (exchange): Promise<AppendOutcome> => {
        try {
          return { written: await writer.append(...exchange.map((draft) => unpack(bytes, draft))) };
        } catch (error) {
          const { code, message } = asGarnerError(error);
          return { failure: { code, message } };
        }
      }),
    );
  },
  sync: async () => (await opening).sync(),
  close: async () => (await opening).close(),
};
serveCalls(port, calls);
