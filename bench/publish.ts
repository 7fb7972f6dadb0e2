/**
 * OAI-PMH at size: `npm run bench:publish`, with `-- --help` for its options.
 * ISO 19139 records through the real pipeline, 30 % of them updated at random; then the whole list in
 * oai_dc is read over HTTP by this process from another one, first at rest, then while a tenth of the
 * records changes. The second reading must end, and with one harvest from its first responseDate miss nothing.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readOptions } from './options.ts';
import type { Order, Report } from './publish-server.ts';
import { createRandom } from './records.ts';

const values = readOptions(
  'bench:publish: the whole list of a repository over HTTP, at rest and while a tenth of it changes.',
  {
    records: { value: 'N', default: '100000', help: 'how many' },
    keep: { value: 'FOLDER', help: 'where the store is made and stays' },
  },
);
const total = Number(values.records);
const folder = values.keep ?? mkdtempSync(join(tmpdir(), 'garner-bench-'));
const random = createRandom(7);

interface Harvest {
  readonly records: number;
  readonly pages: number;
  readonly bytes: number;
  readonly seconds: number;
  readonly responseDate: string;
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 });

async function fetchPage(url: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    get(url, { agent }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve(Buffer.concat(chunks)));
      response.on('error', reject);
    }).on('error', reject);
  });
}

/** All pages, or so many; `take` hears of each record's number and edition. */
async function harvest(
  baseUrl: string,
  query: string,
  options: { readonly take?: (number: number, edition: number) => void; readonly pages?: number } = {},
): Promise<Harvest> {
  const { take, pages: most = Number.POSITIVE_INFINITY } = options;
  const startedAt = performance.now();
  let url: string | undefined = `${baseUrl}?verb=ListRecords&${query}`;
  let records = 0;
  let pages = 0;
  let bytes = 0;
  let responseDate: string | undefined;
  while (url !== undefined && pages < most) {
    const page = await fetchPage(url);
    pages++;
    bytes += page.length;
    for (let at = page.indexOf('<record>'); at >= 0; at = page.indexOf('<record>', at + 8)) records++;
    if (take)
      for (const [, edition, number] of page.toString().matchAll(/<dc:title>Edition (\d+) of (\d+):/g))
        take(Number(number), Number(edition));
    const end = page.subarray(-2000).toString();
    responseDate ??= /<responseDate>([^<]*)/.exec(page.subarray(0, 1000).toString())?.[1];
    const token = /<resumptionToken[^>]*>([^<]+)</.exec(end)?.[1];
    if (!end.trimEnd().endsWith('</OAI-PMH>')) console.log('an answer is cut:', end.slice(-200));
    url = token === undefined ? undefined : `${baseUrl}?verb=ListRecords&resumptionToken=${token}`;
  }
  return {
    records,
    pages,
    bytes,
    seconds: (performance.now() - startedAt) / 1000,
    responseDate: responseDate ?? '',
  };
}

const start = (): ChildProcess =>
  fork(fileURLToPath(new URL('publish-server.ts', import.meta.url)), [folder], {
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
let child = start();

async function stop(): Promise<void> {
  child.send({ do: 'end' } satisfies Order);
  await once(child, 'exit');
}

const next = async (from: ChildProcess): Promise<Report> => ((await once(from, 'message')) as [Report])[0];
const order = (what: Order): Promise<Report> => {
  const answer = next(child);
  child.send(what);
  return answer;
};
const megabytes = (bytes: number) => `${(bytes / 2 ** 20).toFixed(0)} MB`;
const rss = async () => (await order({ do: 'memory' })).rss ?? 0;
const second = () => new Promise((resolve) => setTimeout(resolve, 1100));

function pick(share: number): number[] {
  const chosen = new Set<number>();
  while (chosen.size < total * share) chosen.add(Math.floor(random() * total));
  return [...chosen];
}

try {
  let baseUrl = `${(await next(child)).url}/oai`;
  const editions = new Map(Array.from({ length: total }, (_, number) => [number, 0]));
  const write = async (numbers: readonly number[], edition: number) => {
    const startedAt = performance.now();
    await order({ do: 'write', numbers, edition });
    for (const number of numbers) editions.set(number, edition);
    return numbers.length / ((performance.now() - startedAt) / 1000);
  };
  console.log(`import of ${total} ISO 19139 records: ${(await write([...editions.keys()], 0)).toFixed(0)}/s`);
  console.log(`update of 30 %: ${(await write(pick(0.3), 1)).toFixed(0)}/s`);
  await second();

  // What serving needs is not to be hidden among what importing left behind.
  await stop();
  child = start();
  baseUrl = `${(await next(child)).url}/oai`;
  // Heaps are made smaller once the start is over.
  for (let i = 0; i < 4; i++) await second();
  const atStart = await rss();
  // Caches, compiled code and the heap's working size come with the first pages, whatever follows them.
  await harvest(baseUrl, 'metadataPrefix=oai_dc', { pages: Math.ceil(total / 5000) });
  const warm = await rss();
  let peak = warm;
  const watch = setInterval(() => void rss().then((now) => (peak = Math.max(peak, now))), 250);
  for (const run of [1, 2, 3]) {
    const { records, pages, bytes, seconds } = await harvest(baseUrl, 'metadataPrefix=oai_dc');
    console.log(
      `ListRecords oai_dc, run ${run}: ${records} records, ${pages} pages, ${megabytes(bytes)}, ${(records / seconds).toFixed(0)} records/s`,
    );
  }
  clearInterval(watch);
  await second();
  console.log(
    `RSS ${megabytes(atStart)} at start, ${megabytes(warm)} after a tenth of a list, ${megabytes(peak)} at most in three lists: growth ${megabytes(peak - warm)}`,
  );

  const copy = new Map<number, number>();
  const take = (number: number, edition: number) => copy.set(number, edition);
  const writing = write(pick(0.1), 2);
  const full = await harvest(baseUrl, 'metadataPrefix=oai_dc', { take });
  await writing;
  await second();
  const incremental = await harvest(baseUrl, `metadataPrefix=oai_dc&from=${full.responseDate}`, { take });
  const missed = [...editions].filter(([number, edition]) => copy.get(number) !== edition).length;
  console.log(
    `while a tenth changes: full list ${full.records} records in ${full.pages} pages (${(full.records / full.seconds).toFixed(0)}/s), ` +
      `then ${incremental.records} from ${full.responseDate}: ${missed} missed, ${copy.size - total} too many`,
  );
  if (missed > 0) process.exitCode = 1;
} finally {
  agent.destroy();
  await stop();
  if (values.keep === undefined) rmSync(folder, { recursive: true, force: true });
}
