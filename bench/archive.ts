/**
 * Web archives: `npm run bench:archive`, with `-- --help` for its options.
 * One generated WARC of many records: our write against npm `warcio`; our streaming read with digest check
 * and CDX index against plain `gunzip -c` of the same file. The two take turns, and the best turn of each
 * counts, so that other work on the machine disturbs neither more than the other.
 */
import { spawnSync } from 'node:child_process';
import { createReadStream, createWriteStream, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { WARCRecord, WARCSerializer } from 'warcio';
import { captureOf } from '../src/archive/cdx/capture-of.ts';
import { writeCdx } from '../src/archive/cdx/cdx.ts';
import {
  openWarcWriter,
  readArchive,
  requestRecord,
  responseRecord,
  type WarcWriter,
  writeHttpHead,
} from '../src/archive/index.ts';
import type { CaptureEntry } from '../src/store/index.ts';
import { readOptions } from './options.ts';

const values = readOptions('bench:archive: WARC written and read, against npm warcio and gunzip.', {
  megabytes: { value: 'N', default: '500', help: 'of content' },
  keep: { value: 'FOLDER', help: 'where files are made and stay' },
});
const MEGABYTE = 1e6;
const wanted = Number(values.megabytes) * MEGABYTE;
const TURNS = 5;
/** So much per turn is enough to know the speed of the slower writer. */
const secondOpinionBytes = Math.min(wanted / TURNS, 8 * MEGABYTE);
const folder = values.keep ?? mkdtempSync(join(tmpdir(), 'garner-bench-archive-'));

interface Page {
  readonly url: string;
  readonly at: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
}

/** The same pages in every run: mostly text that compresses like text, one in five like an image. */
function* makePages(): Generator<Page> {
  let state = 42;
  const random = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const words = Array.from({ length: 4000 }, () =>
    Array.from({ length: 2 + Math.floor(random() * 9) }, () =>
      String.fromCharCode(97 + Math.floor(random() * 26)),
    ).join(''),
  );
  for (let number = 0; ; number++) {
    const size = 2000 + Math.floor(random() ** 3 * 90_000);
    const isImage = number % 5 === 4;
    const body = isImage ? noise(size, random) : text(size, words, random);
    yield {
      url: `http://www.site${number % 97}.example.org/path/${number}/page.html?n=${number}&a=1`,
      at: Date.UTC(2026, 0, 1) + number * 1000,
      headers: [
        ['Date', new Date(Date.UTC(2026, 0, 1) + number * 1000).toUTCString()],
        ['Server', 'bench'],
        ['Content-Type', isImage ? 'image/jpeg' : 'text/html; charset=utf-8'],
        ['Content-Length', String(body.length)],
        ['Set-Cookie', `session=${number}`],
      ],
      body,
    };
  }
}

function text(size: number, words: readonly string[], random: () => number): Buffer {
  const parts: string[] = ['<!doctype html><html><head><title>A generated page</title></head><body>\n'];
  for (let length = 0; length < size; ) {
    const word = words[Math.floor(random() ** 2 * words.length)] ?? '';
    const part = random() < 0.06 ? `</p>\n<p class="text">${word} ` : `${word} `;
    parts.push(part);
    length += part.length;
  }
  return Buffer.from(parts.join(''));
}

function noise(size: number, random: () => number): Buffer {
  const bytes = Buffer.allocUnsafe(size);
  for (let i = 0; i < size; i++) bytes[i] = random() * 256;
  return bytes;
}

interface Timed {
  readonly seconds: number;
  readonly cpuSeconds: number;
}

async function time(work: () => unknown): Promise<Timed> {
  const cpu = process.cpuUsage();
  const started = performance.now();
  await work();
  const { user, system } = process.cpuUsage(cpu);
  return { seconds: (performance.now() - started) / 1000, cpuSeconds: (user + system) / 1e6 };
}

function takePages(bytes: number): Page[] {
  const pages: Page[] = [];
  let size = 0;
  for (const page of makePages()) {
    pages.push(page);
    size += page.body.length;
    if (size >= bytes) return pages;
  }
  return pages;
}

const sizeOf = (pages: readonly Page[]): number => pages.reduce((sum, { body }) => sum + body.length, 0);

async function openOurs(): Promise<WarcWriter> {
  return openWarcWriter({
    folder,
    prefix: 'bench',
    clock: () => Date.UTC(2026, 0, 1),
    maxBytes: 1e12,
    info: [['software', 'bench']],
  });
}

async function writeOurs(writer: WarcWriter, pages: readonly Page[]): Promise<string> {
  let file = '';
  const waiting: Promise<unknown>[] = [];
  for (const { url, at, headers, body } of pages) {
    const context = { targetUri: url, at, address: '192.0.2.1' };
    const response = responseRecord(context, { head: writeHttpHead('HTTP/1.1 200 OK', headers), body });
    const request = requestRecord(
      { ...context, concurrentTo: [response.recordId] },
      { head: writeHttpHead(`GET ${url} HTTP/1.1`, [['Host', 'example.org']]) },
    );
    waiting.push(
      writer.append(response, request).then((written) => {
        file = written[0]?.file ?? file;
      }),
    );
    if (waiting.length >= 32) await Promise.all(waiting.splice(0));
  }
  await Promise.all(waiting);
  await writer.sync();
  return join(folder, file);
}

async function writeWithWarcio(pages: readonly Page[]): Promise<void> {
  const out = createWriteStream(join(folder, 'warcio.warc.gz'));
  for (const { url, at, headers, body } of pages) {
    const date = new Date(at).toISOString();
    const response = WARCRecord.create(
      {
        url,
        date,
        type: 'response',
        warcVersion: 'WARC/1.1',
        httpHeaders: Object.fromEntries(headers),
        statusline: 'HTTP/1.1 200 OK',
      },
      one(body),
    );
    const request = WARCRecord.create(
      {
        url,
        date,
        type: 'request',
        warcVersion: 'WARC/1.1',
        httpHeaders: { Host: 'example.org' },
        statusline: `GET ${url} HTTP/1.1`,
      },
      one(Buffer.alloc(0)),
    );
    for (const record of [response, request])
      out.write(await WARCSerializer.serialize(record, { gzip: true }));
  }
  out.end();
  await finished(out);
}

async function* one(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes;
}

async function readOurs(path: string): Promise<{ records: number; wrong: number; damages: number }> {
  let records = 0;
  let wrong = 0;
  let damages = 0;
  const captures: CaptureEntry[] = [];
  for await (const event of readArchive(path, { verify: true, ahead: true })) {
    if (event.kind === 'damage') {
      damages++;
      continue;
    }
    records++;
    for (const { result } of event.verdicts ?? []) if (result !== 'right') wrong++;
    const capture = captureOf(event, 'bench.warc.gz');
    if (capture) captures.push(capture);
  }
  writeFileSync(join(folder, 'bench.cdx'), writeCdx(captures));
  return { records, wrong, damages };
}

/** Also on a busy machine the seconds of the processor can be compared. */
function timeGunzip(path: string): Timed {
  const script = `TIMEFORMAT='%R %U %S'; time gunzip -c '${path}' > /dev/null`;
  const { stderr } = spawnSync('bash', ['-c', script], { encoding: 'utf8' });
  const [seconds = 0, user = 0, system = 0] = stderr.trim().split(' ').map(Number);
  return { seconds, cpuSeconds: user + system };
}

const show = (value: number, digits = 1): string => value.toFixed(digits);

interface Turn extends Timed {
  readonly bytes: number;
}

/** Megabytes per second, and per second of the processor, in the best turn. */
function bestRates(turns: readonly Turn[]): { wall: number; cpu: number } {
  return {
    wall: Math.max(...turns.map(({ bytes, seconds }) => bytes / MEGABYTE / seconds)),
    cpu: Math.max(...turns.map(({ bytes, cpuSeconds }) => bytes / MEGABYTE / cpuSeconds)),
  };
}

const least = (turns: readonly Timed[], what: keyof Timed): number =>
  Math.min(...turns.map((turn) => turn[what]));

try {
  const pages = takePages(wanted);
  console.log(`${pages.length} pages, ${show(sizeOf(pages) / MEGABYTE)} MB`);

  let path = '';
  const writer = await openOurs();
  const ourWrites: Turn[] = [];
  const warcioWrites: Turn[] = [];
  const some = takePages(secondOpinionBytes);
  const step = Math.ceil(pages.length / TURNS);
  for (let turn = 0; turn < TURNS; turn++) {
    const part = pages.slice(turn * step, (turn + 1) * step);
    const ours = await time(async () => {
      path = await writeOurs(writer, part);
    });
    ourWrites.push({ ...ours, bytes: sizeOf(part) });
    warcioWrites.push({ ...(await time(() => writeWithWarcio(some))), bytes: sizeOf(some) });
  }
  await writer.close();
  pages.length = 0;

  // Both find the file in the page cache.
  for await (const _ of createReadStream(path));
  const gunzips: Timed[] = [];
  const reads: Timed[] = [];
  let counts = { records: 0, wrong: 0, damages: 0 };
  for (let turn = 0; turn < TURNS; turn++) {
    gunzips.push(timeGunzip(path));
    const read = await time(async () => {
      counts = await readOurs(path);
    });
    reads.push(read);
  }

  console.log(`${show(statSync(path).size / MEGABYTE)} MB in the file; read ${JSON.stringify(counts)}`);
  console.log(
    `memory at most ${show(process.resourceUsage().maxRSS / 1024, 0)} MB (the pages to write included)`,
  );
  console.log(
    `best of ${TURNS} turns each; load of the machine ${show(loadavg()[0] ?? 0)} on ${availableParallelism()} cores\n`,
  );
  const [write, warcio] = [bestRates(ourWrites), bestRates(warcioWrites)];
  const [gunzip, read] = [least(gunzips, 'seconds'), least(reads, 'seconds')];
  console.log('| what | ours | the other | ratio | wanted |');
  console.log('|---|---|---|---|---|');
  console.log(
    `| write, MB/s | ${show(write.wall)} | npm warcio ${show(warcio.wall)} | ${show(write.wall / warcio.wall, 2)} | ≥ 4 |`,
  );
  console.log(
    `| write, MB per CPU second | ${show(write.cpu)} | npm warcio ${show(warcio.cpu)} | ${show(write.cpu / warcio.cpu, 2)} | |`,
  );
  console.log(
    `| read, digests, index: s | ${show(read, 2)} | gunzip -c ${show(gunzip, 2)} | ${show(gunzip / read, 2)} | ≥ 1 |`,
  );
  const [readCpu, gunzipCpu] = [least(reads, 'cpuSeconds'), least(gunzips, 'cpuSeconds')];
  console.log(
    `| the same, CPU seconds | ${show(readCpu, 2)} | gunzip -c ${show(gunzipCpu, 2)} | ${show(gunzipCpu / readCpu, 2)} | |`,
  );
} finally {
  if (values.keep === undefined) rmSync(folder, { recursive: true, force: true });
}
