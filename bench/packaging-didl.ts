/**
 * A container with one large file, written and read as a stream: rows of `bench/packaging.ts`, or alone
 * `node bench/packaging-didl.ts all FOLDER MEGABYTES`. Each task is a process of its own, so that its peak counts
 * for nothing else.
 */
import { execFileSync } from 'node:child_process';
import { createCipheriv, createHash } from 'node:crypto';
import { closeSync, createReadStream, createWriteStream, openSync, readSync } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import {
  captureOf,
  openWarcWriter,
  readArchive,
  responseRecord,
  writeHttpHead,
} from '../src/archive/index.ts';
import { archiveFolder, recordCaptures, recordSnapshot } from '../src/archive/items/index.ts';
import { holdHeaps } from '../src/cli/memory.ts';
import { OPERATOR } from '../src/core/access.ts';
import { createFormatRegistry } from '../src/formats/registry.ts';
import { didlForm } from '../src/packaging/didl/didl-form.ts';
import { readDidlEvents } from '../src/packaging/didl/read-events.ts';
import { writeDidlEvents } from '../src/packaging/didl/write-events.ts';
import { createSiteModels } from '../src/packaging/site-model/site-models.ts';
import type { CaptureEntry } from '../src/store/index.ts';
import { openBenchStore } from './packaging-site.ts';

const [task = '', folder = '', text = '2048'] = process.argv.slice(2);
const target = join(folder, 'large.didl.xml');
const SOURCE = 'site';
const AT = Date.parse('2026-11-15T03:00:00Z');
const CHUNK = 1 << 16;
const megabytes = (bytes: number): number => Math.round(bytes / 1e6);
/** `maxRSS` is in kibibytes. */
const peak = (): number => megabytes(process.resourceUsage().maxRSS * 1024);
const tell = (value: unknown): void => {
  process.stdout.write(`${JSON.stringify(value)}\n`);
};

/** Bytes that no packer makes smaller, and the same in every run. */
function* noise(size: number): Generator<Buffer> {
  const cipher = createCipheriv('aes-128-ctr', Buffer.alloc(16, 7), Buffer.alloc(16));
  const zeros = Buffer.alloc(CHUNK);
  for (let left = size; left > 0; left -= CHUNK)
    yield cipher.update(zeros.subarray(0, Math.min(CHUNK, left)));
}

async function make(size: number): Promise<string> {
  const archive = archiveFolder(folder, SOURCE);
  await mkdir(archive, { recursive: true });
  const writer = await openWarcWriter({
    folder: archive,
    prefix: 'large',
    clock: () => AT,
    level: 1,
    info: [],
  });
  const head = writeHttpHead('HTTP/1.1 200 OK', [['Content-Type', 'application/octet-stream']]);
  const [written] = await writer.append(
    responseRecord(
      { targetUri: 'http://large.example/file.bin', at: AT },
      { head, body: Readable.from(noise(size)) },
    ),
  );
  await writer.close();
  const file = written?.file ?? '';
  const captures: CaptureEntry[] = [];
  for await (const event of readArchive(join(archive, file))) {
    const capture = event.kind === 'record' ? captureOf(event, file) : undefined;
    if (capture) captures.push(capture);
  }
  const store = await openBenchStore(folder);
  const fields = createFormatRegistry().fieldSpecs();
  const { id: runId } = await store.runs.startRun(SOURCE, 'bench');
  const run = { source: SOURCE, runId };
  await recordCaptures({ store, fields, folder: archive }, run, { captures });
  const made = await recordSnapshot({ store, fields }, run, { series: 'LARGE', files: [file] });
  await store.runs.finishRun(runId, 'complete');
  await store.close();
  return made?.identifier ?? '';
}

async function write(identifier: string): Promise<void> {
  const store = await openBenchStore(folder);
  const form = didlForm(
    {
      store,
      dataFolder: folder,
      models: createSiteModels({ store, dataFolder: folder }),
      repository: { baseUrl: 'http://bench.example', identifier: 'bench.example.org' },
      settings: {
        identifier: '{acronym}:{url}',
        maxValueBytes: Number.MAX_SAFE_INTEGER,
        maxContainerBytes: Number.MAX_SAFE_INTEGER,
      },
    },
    'asdc_crawl.archive',
  );
  const bytes = await form.write({ source: SOURCE, identifier }, {}, OPERATOR);
  await pipeline(Readable.from(bytes, { objectMode: false }), createWriteStream(target));
  await store.close();
}

/** Decodes every value, as taking a package in does. */
async function read(): Promise<number> {
  let size = 0;
  for await (const event of readDidlEvents(createReadStream(target, { highWaterMark: CHUNK }))) {
    if (event.kind !== 'value') continue;
    const hash = createHash('sha256');
    for await (const chunk of event.bytes) {
      size += chunk.length;
      hash.update(chunk);
    }
    hash.digest();
  }
  return size;
}

/** With one buffer: what is measured here is not how files are read. */
function digestOfTarget(): string {
  const hash = createHash('sha256');
  const buffer = Buffer.alloc(CHUNK);
  const file = openSync(target, 'r');
  for (let size = readSync(file, buffer); size > 0; size = readSync(file, buffer))
    hash.update(buffer.subarray(0, size));
  closeSync(file);
  return hash.digest('hex');
}

/** Read and written again; equal byte by byte. */
async function again(): Promise<boolean> {
  const hash = createHash('sha256').update('<?xml version="1.0" encoding="UTF-8"?>');
  const source = createReadStream(target, { highWaterMark: CHUNK });
  for await (const chunk of writeDidlEvents(readDidlEvents(source))) hash.update(chunk);
  return hash.digest('hex') === digestOfTarget();
}

// As the command line does for such work.
holdHeaps();
const startedAt = performance.now();
const seconds = (): number => (performance.now() - startedAt) / 1000;
if (task === 'make') tell({ identifier: await make(Number(text) * 1024 ** 2) });
if (task === 'write') {
  await write(text);
  tell({ seconds: seconds(), peakMegabytes: peak(), megabytes: megabytes((await stat(target)).size) });
}
if (task === 'read') tell({ megabytes: megabytes(await read()), seconds: seconds(), peakMegabytes: peak() });
if (task === 'again') tell({ equal: await again(), seconds: seconds(), peakMegabytes: peak() });
if (task === 'all') {
  const run = (...given: readonly string[]): string =>
    execFileSync(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', fileURLToPath(import.meta.url), ...given],
      { encoding: 'utf8' },
    ).trim();
  const made = run('make', folder, text);
  const { identifier } = JSON.parse(made) as { identifier: string };
  for (const one of ['write', 'read', 'again']) console.log(one, run(one, folder, identifier));
}
