/**
 * DIS over many profiles: `npm run bench:federate-dis`, with `-- --help` for its options. Product profiles of the
 * made-up planetary archive are taken in; then the cost of gathering them is compared with that of taking them in,
 * and kinds of expressions are timed. Figures are of one run on this machine; CPU is that of all threads.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ANONYMOUS, PUBLIC } from '../src/core/access.ts';
import { Aggregates } from '../src/federate/aggregate/aggregates.ts';
import { possiblyMatches } from '../src/federate/aggregate/possibly-matches.ts';
import { makePlanetaryProducts } from '../src/federate/demo/planetary.ts';
import { queryOf, readChoices } from '../src/federate/guided/choices.ts';
import { localForm } from '../src/federate/guided/local-form.ts';
import { createItemMeaning } from '../src/federate/profile/item-meaning.ts';
import { profileRecord } from '../src/federate/profile/profile-record.ts';
import type { Profile } from '../src/formats/oodt-profile/profile.ts';
import { writeProfile } from '../src/formats/oodt-profile/write-xml.ts';
import { createFormatRegistry } from '../src/formats/registry.ts';
import { createIngestPool } from '../src/harvest/ingest-pool.ts';
import { parseDis } from '../src/query/dis/parse-dis.ts';
import type { IncomingRecord } from '../src/store/index.ts';
import { openThreadedStore } from '../src/store/threads/open.ts';
import { readOptions } from './options.ts';

const BATCH = 1000;
const ROUNDS = 20;
const LEVELS = ['mission_name', 'data_set_id'];

const EXPRESSIONS: readonly string[] = [
  'IDENTIFIER=GO-J/JSA-SSI-2-REDR-V1.0:10I0012',
  'TARGET_NAME=IO AND EXPOSURE_DURATION > 60.0',
  'TARGET_NAME=IO AND NOT FILTER_NAME=RED',
  'DATA_SET_ID=ODY-M-THM-2-IREDR-V1.0 AND CENTER_LONGITUDE > 359.25',
  'DATA_SET_ID=MGN-V-RDRS-5-DIM-V1.0 AND IMAGE_ID=FO43S181',
  'START_TIME > 1999-06 AND START_TIME < 1999-08 AND INSTRUMENT_ID = SSI',
  'TARGET_NAME LIKE %NY% AND ORBIT_NUMBER <= 5',
  'NOT (TARGET_NAME = MARS OR TARGET_NAME = VENUS)',
  'FILTER_NAME != CLEAR AND CENTER_LATITUDE > 60',
  'TARGET_NAME = NOWHERE',
];

const values = readOptions(
  'bench:federate-dis: expressions and forms over many profiles. Taking them in is most of the time.',
  {
    profiles: { value: 'N', default: '1000000', help: 'how many' },
    direct: { help: 'straight into the store, not as XML, which is quicker' },
    keep: { value: 'FOLDER', help: 'where the store is made and stays' },
  },
);
const total = Number(values.profiles);
const folder = values.keep ?? mkdtempSync(join(tmpdir(), 'garner-bench-'));
const fields = createFormatRegistry().fieldSpecs();
const meaning = createItemMeaning({ fields });
const store = await openThreadedStore(
  {
    folder,
    fields,
    sources: [{ name: 'planets', access: PUBLIC }],
    views: [],
    repositoryIdentifier: 'bench.example.org',
  },
  { readers: 1 },
);

try {
  const building = await measure(build);
  console.log(
    `taken in   ${total} profiles, ${Math.round(total / building.seconds)} a second, CPU ${building.cpu.toFixed(1)} s`,
  );
  await store.admin.optimise();
  console.log(`store      ${Math.round(statSync(join(folder, 'garner.sqlite')).size / 1e6)} MB`);
  await gather(building.cpu);
  await timeExpressions();
  console.log(`RSS        ${Math.round(process.memoryUsage().rss / 1e6)} MB`);
} finally {
  await store.close();
  if (values.keep === undefined) rmSync(folder, { recursive: true, force: true });
}

async function measure(work: () => Promise<void>): Promise<{ seconds: number; cpu: number }> {
  const cpuBefore = process.cpuUsage();
  const started = performance.now();
  await work();
  const { user, system } = process.cpuUsage(cpuBefore);
  return { seconds: (performance.now() - started) / 1000, cpu: (user + system) / 1e6 };
}

async function build(): Promise<void> {
  const ingest = createIngestPool({ ownFormats: [], validation: 'report', threads: 1 });
  const encoder = new TextEncoder();
  const extract = async (batch: readonly Profile[]): Promise<readonly IncomingRecord[]> => {
    if (values.direct === true) return batch.map((product) => profileRecord(product, fields));
    const pieces = batch.map((product) => ({
      bytes: encoder.encode(writeProfile(product)),
      syntax: 'xml' as const,
      where: 'generated',
      line: 1,
      fallbackIdentifier: '',
    }));
    return (await ingest.extract(pieces)).records;
  };
  const run = await store.runs.startRun('planets', 'bench');
  let batch: Profile[] = [];
  let done = 0;
  for (const product of makePlanetaryProducts({ products: total })) {
    batch.push(product);
    done++;
    if (batch.length < BATCH && done < total) continue;
    await store.items.commit({ source: 'planets', runId: run.id, records: await extract(batch) });
    batch = [];
    if (done % 50_000 === 0) process.stderr.write(`${done} profiles\n`);
  }
  await store.runs.finishRun(run.id, 'complete');
  await ingest.close();
}

async function gather(importCpu: number): Promise<void> {
  // Lists show closed seconds only.
  await new Promise((resolve) => setTimeout(resolve, 2000));
  const aggregates = new Aggregates(store, {
    dataFolder: folder,
    meaning,
    digest: '',
    levels: LEVELS,
    valueLimit: 200,
  });
  const { cpu } = await measure(async () => {
    await aggregates.catchUp();
  });
  const root = aggregates.find([])?.aggregate;
  const share = (100 * cpu) / importCpu;
  console.log(
    `gathered   ${root?.products ?? 0} profiles, CPU ${cpu.toFixed(1)} s: ${share.toFixed(1)} % of taking them in`,
  );
  await timeForms(aggregates);
  const pruned = EXPRESSIONS.filter((dis) => root && !possiblyMatches(root, parseDis(dis).query));
  console.log(`pruned     ${pruned.join(', ')}`);
  aggregates.close();
}

/** Forms of the guided search, without the page around them. */
async function timeForms(aggregates: Aggregates): Promise<void> {
  console.log('\n  matches   p50 ms   p95 ms  form after');
  for (const dis of ['', 'MISSION_NAME = GALILEO', 'MISSION_NAME = GALILEO AND FILTER_NAME = RED']) {
    const query = queryOf(readChoices(dis));
    const times: number[] = [];
    let matches = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const started = performance.now();
      const form = await localForm({ store, aggregates, meaning, fields, valueLimit: 200 }, query, ANONYMOUS);
      times.push(performance.now() - started);
      matches = form.total;
    }
    console.log(
      `${String(matches).padStart(9)}${share(times, 0.5)}${share(times, 0.95)}  ${dis || '(everything)'}`,
    );
  }
}

function share(times: number[], part: number): string {
  times.sort((a, b) => a - b);
  return (times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0).toFixed(1).padStart(9);
}

async function timeExpressions(): Promise<void> {
  console.log('\n  matches   p50 ms   p95 ms  expression');
  for (const dis of EXPRESSIONS) {
    const { query } = parseDis(dis);
    const times: number[] = [];
    let matches = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const started = performance.now();
      const answer = await store.search.search({ query, limit: 10 }, ANONYMOUS);
      times.push(performance.now() - started);
      matches = answer.total;
    }
    console.log(`${String(matches).padStart(9)}${share(times, 0.5)}${share(times, 0.95)}  ${dis}`);
  }
}
