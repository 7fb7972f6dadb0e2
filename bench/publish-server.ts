/** The served side of `publish.ts`, in a process of its own: what it needs in memory is what is measured. */
import { createSourceIngest, openGarner } from '../src/app.ts';
import { holdHeaps } from '../src/cli/memory.ts';
import { defaultConfig } from '../src/core/config.ts';
import { silentLog } from '../src/core/log.ts';
import { serveGarner } from '../src/http/index.ts';
import { makeIsoRecord } from './iso-records.ts';

const BATCH = 500;

export type Order =
  | { readonly do: 'write'; readonly numbers: readonly number[]; readonly edition: number }
  | { readonly do: 'memory' }
  | { readonly do: 'end' };

export type Report = { readonly url?: string; readonly rss?: number; readonly written?: number };

const [folder = ''] = process.argv.slice(2);
holdHeaps();
const garner = await openGarner(
  defaultConfig(folder, { sources: { bench: { kind: 'files', path: ['.'] } } }, {}),
  { threads: true },
);
const server = await serveGarner(garner, { host: '127.0.0.1', port: 0, log: silentLog });
const report = (message: Report) => process.send?.(message);
report({ url: server.url });

process.on('message', (order: Order) => void obey(order));

async function obey(order: Order): Promise<void> {
  if (order.do === 'memory') report({ rss: process.memoryUsage.rss() });
  if (order.do === 'write') report({ written: await write(order.numbers, order.edition) });
  if (order.do === 'end') {
    await server.close();
    await garner[Symbol.asyncDispose]();
    process.disconnect();
  }
}

async function write(numbers: readonly number[], edition: number): Promise<number> {
  const ingest = createSourceIngest(garner, 'bench');
  const { id: runId } = await garner.store.runs.startRun('bench', 'import');
  const encoder = new TextEncoder();
  for (let at = 0; at < numbers.length; at += BATCH) {
    const { records } = await ingest.extract(
      numbers.slice(at, at + BATCH).map((number) => ({
        bytes: encoder.encode(makeIsoRecord(number, edition)),
        syntax: 'xml',
        where: 'bench',
        line: 1,
        fallbackIdentifier: String(number),
      })),
    );
    await garner.store.items.commit({ source: 'bench', runId, records });
  }
  await garner.store.runs.finishRun(runId, 'complete');
  await ingest.close();
  return numbers.length;
}
