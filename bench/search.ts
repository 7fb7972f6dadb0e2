/**
 * Search at size: `npm run bench:search`, with `-- --help` for its options.
 * Builds a store of generated records through the real pipeline (XML → fields → store → index), then
 * times every kind of query. Figures are wall milliseconds in one run on this machine.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ANONYMOUS, PUBLIC } from '../src/core/access.ts';
import { asGarnerError } from '../src/core/errors.ts';
import { createFormatRegistry } from '../src/formats/registry.ts';
import type { RecordPiece } from '../src/harvest/ingest.ts';
import { createIngestPool } from '../src/harvest/ingest-pool.ts';
import { createCatalogue } from '../src/query/catalogue.ts';
import { parseQuery } from '../src/query/parse.ts';
import type { FacetRequest, GarnerStore, SearchRequest, SortSpec } from '../src/store/index.ts';
import { openThreadedStore } from '../src/store/threads/open.ts';
import { readOptions } from './options.ts';
import { BENCH_FORMAT, type BenchRecords, createBenchRecords } from './records.ts';

const BATCH = 1000;
const INSTANCES = 10;
const ROUNDS = 3;

const FACETS: readonly FacetRequest[] = ['region', 'mission', 'sensor', 'keyword'].map((field) => ({
  field,
  limit: 10,
}));

const values = readOptions('bench:search: every kind of question over many records.', {
  records: { value: 'N', default: '500000', help: 'how many' },
  keep: { value: 'FOLDER', help: 'where the store is made and stays' },
});
const total = Number(values.records);
const folder = values.keep ?? mkdtempSync(join(tmpdir(), 'garner-bench-'));

const formats = createFormatRegistry([BENCH_FORMAT]);
const catalogue = createCatalogue(formats.fieldSpecs());
const records = createBenchRecords();
const store = await openThreadedStore(
  {
    folder,
    fields: formats.fieldSpecs(),
    sources: [{ name: 'bench', access: PUBLIC }],
    views: [],
    repositoryIdentifier: 'bench.example.org',
  },
  { readers: 1 },
);
const ingest = createIngestPool({ ownFormats: [BENCH_FORMAT], validation: 'report', threads: 1 });

try {
  await build(store, records);
  await timeQueries(store, records);
  await timeUpserts(store, records);
} finally {
  await ingest.close();
  await store.close();
  if (values.keep === undefined) rmSync(folder, { recursive: true, force: true });
}

function pieces(from: number, count: number, edition = 1): RecordPiece[] {
  return Array.from({ length: count }, (_, i) => ({
    bytes: records.make(from + i, edition),
    syntax: 'xml',
    where: 'generated',
    line: 1,
    fallbackIdentifier: `bench:${from + i}`,
  }));
}

async function build(target: GarnerStore, made: BenchRecords): Promise<void> {
  const run = await target.runs.startRun('bench', 'bench');
  const started = performance.now();
  let next = 0;
  let rawBytes = 0;
  const prepare = async () => {
    const from = next;
    next += BATCH;
    const batch = pieces(from, Math.min(BATCH, total - from));
    for (const piece of batch) rawBytes += piece.bytes.length;
    return ingest.extract(batch);
  };
  // One batch is extracted while the one before it is committed.
  let ahead = prepare();
  while (true) {
    const { records: incoming, problems } = await ahead;
    if (problems.length > 0) console.log(problems[0]);
    const more = next < total;
    if (more) ahead = prepare();
    await target.items.commit({ source: 'bench', runId: run.id, records: incoming });
    if (next % 50_000 === 0) progress(`${next} records, ${rate(next, started)} records/s`);
    if (!more) break;
  }
  const indexed = rate(total, started);
  const optimising = performance.now();
  await target.admin.optimise();
  await target.runs.finishRun(run.id, 'complete');
  const size = statSync(join(folder, 'garner.sqlite')).size;
  console.log(
    `\nbuilt ${total} records of ${Math.round(rawBytes / total)} bytes, ${made.vocabulary.length} words`,
  );
  console.log(`index rate      ${indexed} records/s (XML parsed, 10 fields, exact and stemmed words)`);
  console.log(`optimise        ${((performance.now() - optimising) / 1000).toFixed(1)} s`);
  console.log(`store size      ${Math.round(size / 1e6)} MB (raw records ${Math.round(rawBytes / 1e6)} MB)`);
  console.log(`RSS             ${Math.round(process.memoryUsage().rss / 1e6)} MB`);
}

function rate(count: number, since: number): number {
  return Math.round(count / ((performance.now() - since) / 1000));
}

function progress(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** Words whose number of records is nearest to the wanted share. */
function wordsNear(wanted: number, count: number, made: BenchRecords): string[] {
  return made.vocabulary
    .map((word, i) => ({ word, off: Math.abs((made.documentCounts[i] as number) - wanted) }))
    .sort((a, b) => a.off - b.off)
    .slice(0, count)
    .map(({ word }) => word);
}

interface Timing {
  readonly name: string;
  readonly query: (instance: number) => string;
  readonly sort?: SortSpec;
  readonly facets?: readonly FacetRequest[];
  readonly limit?: number;
}

async function timeQueries(target: GarnerStore, made: BenchRecords): Promise<void> {
  const rare = wordsNear(20, INSTANCES, made);
  const mid = wordsNear(total * 0.01, INSTANCES * 2, made);
  const broad = wordsNear(total * 0.2, INSTANCES, made);
  const at = (words: readonly string[], i: number) => words[i % words.length] as string;
  const exact = (word: string) => `"${word}"`;
  const timings: readonly Timing[] = [
    { name: 'rare (~20)', query: (i) => exact(at(rare, i)) },
    { name: 'mid (~1 %)', query: (i) => exact(at(mid, i)) },
    { name: 'broad (~20 %)', query: (i) => exact(at(broad, i)) },
    { name: 'broad, stemmed', query: (i) => at(broad, i) },
    { name: 'AND of 2 mid', query: (i) => `"${at(mid, i)}" "${at(mid, i + 7)}"` },
    { name: 'AND of 2 broad', query: (i) => `"${at(broad, i)}" "${at(broad, i + 3)}"` },
    { name: 'OR of 4 mid', query: (i) => [0, 3, 6, 9].map((k) => exact(at(mid, i + k))).join(' OR ') },
    { name: 'phrase of 2 broad', query: (i) => `"${at(broad, i)} ${at(broad, i + 1)}"` },
    { name: 'prefix', query: (i) => `${at(mid, i).slice(0, 6)}*` },
    { name: 'mid + date range', query: (i) => `"${at(mid, i)}" when:[1990 TO 1999]` },
    { name: 'broad + date range', query: (i) => `"${at(broad, i)}" when:[1990 TO 1999]` },
    { name: 'mid + box', query: (i) => `"${at(mid, i)}" area:[-20,30,40,70]` },
    { name: 'broad + box', query: (i) => `"${at(broad, i)}" area:[-20,30,40,70]` },
    { name: 'mid + 4 facets', query: (i) => exact(at(mid, i)), facets: FACETS },
    { name: 'broad + 4 facets', query: (i) => exact(at(broad, i)), facets: FACETS },
    { name: 'match-all + 4 facets', query: () => '*:*', facets: FACETS },
    {
      name: 'broad, sort by date',
      query: (i) => exact(at(broad, i)),
      sort: { by: 'when', direction: 'desc' },
    },
    {
      name: 'broad, sort by title',
      query: (i) => exact(at(broad, i)),
      sort: { by: 'title', direction: 'asc' },
    },
    {
      name: 'count broad',
      query: (i) => exact(at(broad, i)),
      limit: 0,
      sort: { by: 'updated', direction: 'desc' },
    },
    { name: 'nasty: b*', query: () => 'b*' },
    { name: 'nasty: *a*', query: () => '*a*' },
    { name: 'nasty: OR of 10 broad', query: () => broad.join(' OR ') },
    { name: 'nasty: NOT rare', query: (i) => `NOT ${at(rare, i)}` },
    { name: 'nasty: fuzzy ~2', query: (i) => `${at(mid, i)}~2` },
  ];
  console.log(
    `\n${'query'.padEnd(24)}${'hits'.padStart(10)}${'p50 ms'.padStart(10)}${'p95 ms'.padStart(10)}`,
  );
  for (const timing of timings) console.log(await timeOne(target, timing));
}

async function timeOne(target: GarnerStore, timing: Timing): Promise<string> {
  const taken: number[] = [];
  let hits = 0;
  let outcome = '';
  for (let round = 0; round <= ROUNDS; round++) {
    for (let instance = 0; instance < INSTANCES; instance++) {
      const request: SearchRequest = {
        query: parseQuery(timing.query(instance), catalogue),
        limit: timing.limit ?? 10,
        ...(timing.sort && { sort: timing.sort }),
        ...(timing.facets && { facets: timing.facets }),
      };
      const started = performance.now();
      try {
        const answer = await target.search.search(request, ANONYMOUS);
        hits = Math.max(hits, answer.total);
        if (answer.notes.length > 0) outcome = answer.notes.join('; ');
      } catch (error) {
        outcome = `refused: ${asGarnerError(error).code}`;
      }
      // The first round warms caches and is not counted.
      if (round > 0) taken.push(performance.now() - started);
    }
  }
  taken.sort((a, b) => a - b);
  const quantile = (q: number) =>
    (taken[Math.min(taken.length - 1, Math.floor(taken.length * q))] as number).toFixed(2);
  return `${timing.name.padEnd(24)}${String(hits).padStart(10)}${quantile(0.5).padStart(10)}${quantile(0.95).padStart(10)}  ${outcome}`;
}

async function timeUpserts(target: GarnerStore, made: BenchRecords): Promise<void> {
  const run = await target.runs.startRun('bench', 'bench');
  const changed = await ingest.extract(
    Array.from({ length: 1000 }, (_, i) => {
      const number = (i * 7919) % total;
      const text = new TextDecoder()
        .decode(made.make(number, 2))
        .replace('<title>', '<title>freshlyupdated ');
      return {
        bytes: new TextEncoder().encode(text),
        syntax: 'xml' as const,
        where: 'generated',
        line: 1,
        fallbackIdentifier: `bench:${number}`,
      };
    }),
  );
  const started = performance.now();
  await target.items.commit({ source: 'bench', runId: run.id, records: changed.records });
  const answer = await target.search.search(
    { query: parseQuery('freshlyupdated', catalogue), limit: 10 },
    ANONYMOUS,
  );
  console.log(
    `\n1,000 upserts searchable after ${Math.round(performance.now() - started)} ms (${answer.total} found)`,
  );
  console.log(`RSS at the end  ${Math.round(process.memoryUsage().rss / 1e6)} MB`);
  await target.runs.finishRun(run.id, 'complete');
}
