/** A captured site of many pages and links in a store, made for `bench/packaging.ts`. The same in every run. */
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  captureOf,
  openWarcWriter,
  readArchive,
  responseRecord,
  writeHttpHead,
} from '../src/archive/index.ts';
import { archiveFolder, recordSnapshot } from '../src/archive/items/index.ts';
import { createFormatRegistry } from '../src/formats/registry.ts';
import type { CaptureEntry, GarnerStore } from '../src/store/index.ts';
import { openStore } from '../src/store/open.ts';

export const SITE = 'http://www.site.example/';
const LINKS_PER_PAGE = 10;
const IMAGES = 500;
const START = Date.parse('2026-11-01T00:00:00Z');
const BATCH = 500;

export function openBenchStore(folder: string): Promise<GarnerStore> {
  return openStore(
    {
      folder,
      fields: createFormatRegistry().fieldSpecs(),
      sources: [{ name: 'site', access: { public: true } }],
      views: [],
      repositoryIdentifier: 'bench.example.org',
    },
    { threads: 0 },
  );
}

const HEAD = (type: string): Buffer =>
  writeHttpHead('HTTP/1.1 200 OK', [
    ['Content-Type', type],
    ['Server', 'bench'],
    ['Last-Modified', 'Sun, 01 Nov 2026 00:00:00 GMT'],
  ]);
const HTML = HEAD('text/html; charset=utf-8');
const CSS = HEAD('text/css');
const GIF = HEAD('image/gif');
const PICTURE = Buffer.from('47494638396110001000800000ffffff0000002c', 'hex');

const pageUrl = (number: number): string => `${SITE}section-${number % 40}/page-${number}.html`;

function pageBody(number: number, pages: number): string {
  const links = Array.from({ length: LINKS_PER_PAGE }, (_, index) => {
    const target = (number * 7 + index * index * 131 + index) % pages;
    return `<li><a class="n" href="${pageUrl(target)}">Über Seite ${target}, from page ${number}</a></li>`;
  });
  const text = `Tide gauge number ${number} was read every six minutes and its pen was cleaned on Sundays. `;
  return `<!doctype html><html lang="en"><head><title>Page ${number} of the gauges</title><meta name="description" content="Gauge ${number}"><link rel="stylesheet" href="/style.css"></head><body><h1>Page ${number}</h1><img src="/images/${number % IMAGES}.gif" alt="Pen"><p>${text.repeat(12)}</p><ul>${links.join('')}</ul></body></html>`;
}

/** Gives the identifier of the snapshot. */
export async function makeSite(folder: string, pages: number): Promise<string> {
  const archive = archiveFolder(folder, 'site');
  await mkdir(archive, { recursive: true });
  const writer = await openWarcWriter({
    folder: archive,
    prefix: 'bench',
    clock: () => START,
    info: [['software', 'bench']],
  });
  let at = START;
  const answer = (url: string, head: Buffer, body: Buffer) => {
    at += 100;
    return responseRecord({ targetUri: url, at }, { head, body });
  };
  await writer.append(
    answer(`${SITE}style.css`, CSS, Buffer.from('@import "more.css"; body { color: #222 }')),
    answer(`${SITE}more.css`, CSS, Buffer.from('h1 { background: url(images/0.gif) }')),
  );
  for (let number = 0; number < IMAGES; number++)
    await writer.append(answer(`${SITE}images/${number}.gif`, GIF, PICTURE));
  for (let number = 0; number < pages; number += BATCH) {
    const count = Math.min(BATCH, pages - number);
    const numbers = Array.from({ length: count }, (_, index) => number + index);
    await writer.append(
      ...numbers.map((one) =>
        answer(one === 0 ? SITE : pageUrl(one), HTML, Buffer.from(pageBody(one, pages))),
      ),
    );
  }
  await writer.close();

  const store = await openBenchStore(folder);
  const files = await readdir(archive);
  const { id: runId } = await store.runs.startRun('site', 'import');
  for (const file of files) {
    let waiting: CaptureEntry[] = [];
    for await (const event of readArchive(join(archive, file))) {
      const capture = event.kind === 'record' ? captureOf(event, file) : undefined;
      if (capture) waiting.push(capture);
      if (waiting.length < BATCH) continue;
      await store.captures.add('site', waiting);
      waiting = [];
    }
    await store.captures.add('site', waiting);
  }
  const fields = createFormatRegistry().fieldSpecs();
  const made = await recordSnapshot({ store, fields }, { source: 'site', runId }, { series: 'SITE', files });
  await store.runs.finishRun(runId, 'complete');
  await store.close();
  return made?.identifier ?? '';
}
