/** A small captured web site in a store of its own, for tests of packages. All of it is ours. */
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { deflateSync } from 'node:zlib';
import {
  captureOf,
  openWarcWriter,
  REVISIT_PROFILES,
  type RecordDraft,
  readArchive,
  responseRecord,
  revisitRecord,
  writeHttpHead,
} from '../archive/index.ts';
import { archiveFolder, recordCaptures, recordSnapshot } from '../archive/items/index.ts';
import { OPERATOR } from '../core/access.ts';
import { GarnerError } from '../core/errors.ts';
import { createFormatRegistry } from '../formats/registry.ts';
import type { CaptureEntry, GarnerStore, StoredItem } from '../store/index.ts';
import { openStore } from '../store/open.ts';

export interface Answer {
  readonly url: string;
  readonly at?: string;
  readonly status?: number;
  readonly type?: string;
  readonly location?: string;
  readonly headers?: readonly (readonly [string, string])[];
  readonly body?: string | Buffer;
  /** The content was answered before, at that time; it is not stored again. */
  readonly revisitOf?: string;
}

export interface CapturedSite {
  readonly store: GarnerStore;
  readonly dataFolder: string;
  readonly snapshot: StoredItem;
  /** Another harvest of the same series. */
  readonly harvest: (answers: readonly Answer[], series?: string) => Promise<StoredItem>;
}

export const SITE = 'http://www.gauges.example/';
const FIRST = '2003-04-17T22:31:25Z';

/** 2 × 1 pixels, 8 bits of RGB, 72 dpi. */
export const PNG = makePng(2, 1);

export const SITE_ANSWERS: readonly Answer[] = [
  {
    url: SITE,
    type: 'text/html; charset=iso-8859-1',
    body: Buffer.from(
      '<html lang="de"><head><title>Pegelstände</title><meta name="description" content="Wasserstände an der Küste">' +
        '<meta name="keywords" content="Pegel, Küste"><link rel="stylesheet" href="style.css"></head>' +
        '<body background="grün.gif"><embed src="intro.swf"><a href="home.htm"><img src="enter.png" alt="Über uns"></a>' +
        ' <a href="alt.htm">Früher</a> <a href="http://elsewhere.example/">Anderswo</a> <a href="fehlt.htm">Fehlt</a>' +
        ' <a href="home.htm">noch einmal</a> <a href="#oben">oben</a></body></html>',
      'latin1',
    ),
  },
  {
    url: `${SITE}home.htm`,
    type: 'text/html; charset=utf-8',
    body: '<html lang="en"><head><title>Home — 水位</title><link rel="license" href="https://licences.example/by/"></head><body>水位 <a href="./">Start</a> <a href="plan.pdf">Plan</a> <a href="enter.png">Picture</a><iframe src="frame.html"></iframe></body></html>',
  },
  {
    url: `${SITE}frame.html`,
    type: 'text/html',
    body: '<title>Frame</title><img srcset="enter.png 1x, big.png 2x">',
  },
  {
    url: `${SITE}wide.html`,
    type: 'text/html; charset=utf-16',
    body: Buffer.from('\ufeff<title>Weit</title><p>ä <a href="home.htm">nach Hause</a>', 'utf16le'),
  },
  { url: `${SITE}alt.htm`, status: 301, location: 'home.htm', type: 'text/html', body: 'moved' },
  { url: `${SITE}fehlt.htm`, status: 404, type: 'text/html', body: '<title>Not here</title>' },
  {
    url: `${SITE}style.css`,
    type: 'text/css',
    body: '@import "more.css"; body { background: url(enter.png) }',
  },
  { url: `${SITE}more.css`, type: 'text/css', body: 'h1 { background: url(missing.gif) }' },
  { url: `${SITE}enter.png`, type: 'image/png', body: PNG },
  {
    url: `${SITE}intro.swf`,
    type: 'application/x-shockwave-flash',
    body: 'FWS\u0004\u0010\u0000\u0000\u0000',
  },
  { url: `${SITE}plan.pdf`, type: 'application/pdf', body: '%PDF-1.4\n%%EOF' },
  { url: `${SITE}odd.bin`, type: 'application/x-unknown', body: Buffer.from([0, 1, 2, 3]) },
];

export async function openCapturedSite(
  t: Pick<TestContext, 'after'>,
  answers: readonly Answer[] = SITE_ANSWERS,
): Promise<CapturedSite> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'garner-site-'));
  const formats = createFormatRegistry();
  const fields = formats.fieldSpecs();
  const store = await openStore(
    {
      folder: dataFolder,
      fields,
      sources: [{ name: 'web', access: { public: true } }],
      views: [],
      repositoryIdentifier: 'test.example.org',
    },
    { threads: 0 },
  );
  t.after(async () => {
    await store.close();
    await rm(dataFolder, { recursive: true, force: true });
  });
  const folder = archiveFolder(dataFolder, 'web');
  await mkdir(folder, { recursive: true });
  let count = 0;

  const harvest = async (given: readonly Answer[], series = 'GAUGES'): Promise<StoredItem> => {
    const before = new Set(await readdir(folder));
    count++;
    const writer = await openWarcWriter({
      folder,
      prefix: `harvest${count}`,
      clock: () => 0,
      info: [
        ['software', 'Fixture crawler 1.0'],
        ['operator', 'Harbour library'],
        ['isPartOf', 'gauges-job'],
      ],
    });
    await writer.append(...given.map(draftOf));
    await writer.close();
    const files = (await readdir(folder)).filter((name) => !before.has(name));
    const captures: CaptureEntry[] = [];
    for (const name of files)
      for await (const event of readArchive(join(folder, name))) {
        const capture = event.kind === 'record' ? captureOf(event, name) : undefined;
        if (capture) captures.push(capture);
      }
    const { id: runId } = await store.runs.startRun('web', 'import');
    await recordCaptures({ store, fields, folder }, { source: 'web', runId }, { captures });
    const made = await recordSnapshot({ store, fields }, { source: 'web', runId }, { series, files });
    await store.runs.finishRun(runId, 'complete');
    const item =
      made && (await store.items.findItem({ source: 'web', identifier: made.identifier }, OPERATOR));
    if (!item) throw new GarnerError('internal.bug', 'the fixture made no snapshot');
    return item;
  };
  return { store, dataFolder, snapshot: await harvest(answers), harvest };
}

function draftOf(answer: Answer): RecordDraft {
  const { url, at = FIRST, status = 200, type, location, headers = [], body = '', revisitOf } = answer;
  const head = writeHttpHead(`HTTP/1.1 ${status} Said`, [
    ...(type === undefined ? [] : [['Content-Type', type] as const]),
    ...(location === undefined ? [] : [['Location', location] as const]),
    ...headers,
  ]);
  const context = { targetUri: url, at: Date.parse(at) };
  if (revisitOf !== undefined)
    return revisitRecord(context, head, {
      profile: REVISIT_PROFILES.identicalPayload,
      targetUri: url,
      at: Date.parse(revisitOf),
    });
  return responseRecord(context, { head, body: Buffer.from(body) });
}

function makePng(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const size = Buffer.alloc(4);
    size.writeUInt32BE(data.length);
    // Readers of headers do not check sums.
    return Buffer.concat([size, Buffer.from(type, 'latin1'), data, Buffer.alloc(4)]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const density = Buffer.alloc(9);
  density.writeUInt32BE(2835, 0);
  density.writeUInt32BE(2835, 4);
  density[8] = 1;
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('pHYs', density),
    chunk('IDAT', deflateSync(Buffer.alloc(height * (1 + width * 3)))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
