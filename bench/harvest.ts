/**
 * Harvest at size: `npm run bench:harvest`, with `-- --help` for its options. Pages come from another process,
 * rendered beforehand, and go through the real pipeline into a store that already holds records. Each part
 * prints records per second, the peak of resident memory, and where the time went.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createSourceIngest, openGarner } from '../src/app.ts';
import { holdHeaps } from '../src/cli/memory.ts';
import { defaultConfig } from '../src/core/config.ts';
import type { ConfigInput } from '../src/core/config-schema.ts';
import { harvestOai, type OaiReport } from '../src/harvest/oai/index.ts';
import { readOptions } from './options.ts';
import { createBenchRecords } from './records.ts';

const BATCH = 1000;
const SCHEMAS = fileURLToPath(new URL('../../shared/standards/xsd', import.meta.url));

const values = readOptions(
  'bench:harvest: records from a provider on this machine into a store that holds others. Filling it takes most of the\ntime; for a first impression, --held 20000 --iso 10000 --dc 10000 takes one or two minutes.',
  {
    held: { value: 'N', default: '500000', help: 'records in the store beforehand' },
    iso: { value: 'N', default: '50000', help: 'ISO 19139 records of each part that has them' },
    dc: { value: 'N', default: '100000', help: 'oai_dc records' },
    parts: {
      value: 'NAMES',
      default: 'fill,iso,checked,builtin,dc',
      help: 'records beforehand; ten fields; with XSD; all built-in fields; oai_dc',
    },
    keep: { value: 'FOLDER', help: 'where the store is made and stays; the next run need not fill it' },
    xsd: {
      value: 'FILE',
      default: join(SCHEMAS, 'iso19139/20060504/gmd/gmd.xsd'),
      help: 'for the part with XSD',
    },
    'xsd-root': { value: 'FOLDER', default: SCHEMAS, help: 'that it may include from' },
  },
);
holdHeaps();
const held = Number(values.held);
const folder = values.keep ?? mkdtempSync(join(tmpdir(), 'garner-bench-'));
/** Ten fields by XPath, as a user would configure them; the built-in format has more than twice as many. */
const IDENTIFICATION = '/gmd:MD_Metadata/gmd:identificationInfo/gmd:MD_DataIdentification';
const PARTY = 'gmd:CI_ResponsibleParty';
const TEN_FIELDS = {
  namespaces: { gmd: 'http://www.isotc211.org/2005/gmd', gco: 'http://www.isotc211.org/2005/gco' },
  identifier: '/gmd:MD_Metadata/gmd:fileIdentifier/*',
  fields: {
    title: { paths: `${IDENTIFICATION}/gmd:citation/gmd:CI_Citation/gmd:title/*` },
    isoAbstract: { paths: `${IDENTIFICATION}/gmd:abstract/*` },
    isoKeyword: {
      paths: `${IDENTIFICATION}/gmd:descriptiveKeywords/*/gmd:keyword/*`,
      type: 'string',
      facet: true,
    },
    isoLanguage: { paths: '/gmd:MD_Metadata/gmd:language/*', type: 'string', facet: true },
    isoContact: { paths: `/gmd:MD_Metadata/gmd:contact/${PARTY}/gmd:individualName/*`, type: 'string' },
    isoOrganisation: {
      paths: `/gmd:MD_Metadata/gmd:contact/${PARTY}/gmd:organisationName/*`,
      type: 'string',
      facet: true,
    },
    isoAuthor: {
      paths: `${IDENTIFICATION}/gmd:citation/*/gmd:citedResponsibleParty/${PARTY}/gmd:individualName/*`,
    },
    isoStamp: { paths: '/gmd:MD_Metadata/gmd:dateStamp/*', type: 'date' },
    isoDate: { paths: `${IDENTIFICATION}/gmd:citation/*/gmd:date/gmd:CI_Date/gmd:date/*`, type: 'date' },
    isoBox: {
      paths: `${IDENTIFICATION}/gmd:extent/*/gmd:geographicElement/gmd:EX_GeographicBoundingBox`,
      parts: [
        'gmd:westBoundLongitude/*',
        'gmd:southBoundLatitude/*',
        'gmd:eastBoundLongitude/*',
        'gmd:northBoundLatitude/*',
      ],
      type: 'bbox',
    },
  },
} satisfies NonNullable<ConfigInput['formats']>[string];
const remote = { kind: 'oai', url: 'http://127.0.0.1/', allowPrivate: true } as const;

const parts = values.parts.split(',');
if (parts.length > 1) {
  // As `garner harvest` is: a process for each, whose memory is its own.
  for (const part of parts) {
    const args = [...process.argv.slice(2), '--parts', part, '--keep', folder];
    await once(fork(fileURLToPath(import.meta.url), args), 'exit');
  }
  if (values.keep === undefined) rmSync(folder, { recursive: true, force: true });
  process.exit();
}

const garner = await openGarner(
  defaultConfig(
    folder,
    {
      sources: {
        held: { kind: 'files', path: ['.'] },
        iso: { ...remote, format: 'ten' },
        builtin: remote,
        checked: { ...remote, format: 'ten', xsd: values.xsd, xsdRoot: values['xsd-root'] },
        dc: remote,
      },
      formats: { ten: TEN_FIELDS },
    },
    {},
  ),
  { threads: true, readers: 1 },
);

/** Records that are there before; a kept store has them from the run that made it. */
async function fill(): Promise<void> {
  const { store } = garner;
  const there = (await store.items.listSources()).find(({ name }) => name === 'held')?.liveItems ?? 0;
  if (there >= held) return;
  const records = createBenchRecords();
  const ingest = createSourceIngest(garner, 'held');
  const { id: runId } = await store.runs.startRun('held', 'bench');
  const startedAt = performance.now();
  let committing: Promise<unknown> = Promise.resolve();
  for (let from = 0; from < held; from += BATCH) {
    const pieces = Array.from({ length: Math.min(BATCH, held - from) }, (_, i) => ({
      bytes: records.make(from + i),
      syntax: 'xml' as const,
      where: 'generated',
      line: 1,
      fallbackIdentifier: `held:${from + i}`,
    }));
    const extraction = await ingest.extract(pieces);
    await committing;
    committing = store.items.commit({ source: 'held', runId, records: extraction.records });
  }
  await committing;
  await store.runs.finishRun(runId, 'complete');
  await ingest.close();
  await store.admin.optimise();
  const seconds = (performance.now() - startedAt) / 1000;
  console.log(`store filled with ${held} records in ${seconds.toFixed(0)} s`);
}

async function startProvider(
  kind: string,
  count: string,
): Promise<{ child: ChildProcess; url: string; bytes: number }> {
  const child = fork(fileURLToPath(new URL('harvest-provider.ts', import.meta.url)), [kind, count]);
  const [{ url, bytes }] = (await once(child, 'message')) as [{ url: string; bytes: number }];
  return { child, url, bytes };
}

async function measure(name: string, label: string, kind: string, count: string): Promise<void> {
  const { child, url, bytes } = await startProvider(kind, count);
  const ingest = createSourceIngest(garner, name);
  let peak = 0;
  const cpuBefore = process.cpuUsage();
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 50);
  try {
    const report = await harvestOai(
      {
        store: garner.store,
        ingest,
        formats: garner.formats,
        policy: { userAgent: 'bench', allowPrivate: true },
      },
      { name, url, prefixes: { [kind]: undefined }, feed: 'records', fullEveryDays: 30, maxDeleteShare: 1 },
      { full: true },
    );
    const { user, system } = process.cpuUsage(cpuBefore);
    print(label, report, { bytes, peak, cpuMs: (user + system) / 1000 });
  } finally {
    clearInterval(watch);
    await ingest.close();
    child.disconnect();
  }
}

function print(
  label: string,
  { records, seconds, stages, status, counts, problems }: OaiReport,
  { bytes, peak, cpuMs }: { bytes: number; peak: number; cpuMs: number },
): void {
  const share = (ms: number) => `${((100 * ms) / 1000 / seconds).toFixed(0)} %`;
  console.log(
    `${label}: ${Math.round(records / seconds)} records/s (${records} in ${seconds.toFixed(1)} s, ${(bytes / records / 1000).toFixed(1)} kB each, ${status}, ${counts.added} new, ${problems} problems), RSS ≤ ${Math.round(peak / 2 ** 20)} MB, ${(cpuMs / records).toFixed(2)} ms of processor time each`,
  );
  console.log(
    `  of the time: fetching ${share(stages.fetchMs)}, cutting ${share(stages.cutMs)}, extracting ${share(stages.extractMs)}, committing ${share(stages.commitMs)} (they overlap)`,
  );
}

const PARTS: Readonly<Record<string, () => Promise<void>>> = {
  fill,
  iso: () => measure('iso', 'ISO 19139, ten fields', 'iso19139', values.iso),
  checked: async () => {
    if (existsSync(values.xsd))
      await measure('checked', 'ISO 19139, ten fields, with XSD', 'iso19139', values.iso);
    else console.log(`ISO 19139, ten fields, with XSD: skipped, there is no ${values.xsd}`);
  },
  builtin: () => measure('builtin', 'ISO 19139, all built-in fields', 'iso19139', values.iso),
  dc: () => measure('dc', 'oai_dc', 'oai_dc', values.dc),
};

try {
  await PARTS[values.parts]?.();
} finally {
  await garner[Symbol.asyncDispose]();
  if (values.keep === undefined) rmSync(folder, { recursive: true, force: true });
}
