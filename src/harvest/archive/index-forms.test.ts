/** Archives of which only an index is here, in every form, and lists of places beside archive files. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import {
  CDX_9,
  openWarcWriter,
  responseRecord,
  surtKey,
  type WrittenRecord,
  writeCdx,
  writeCdxj,
  writeHttpHead,
  writeZipNum,
} from '../../archive/index.ts';
import { OPERATOR } from '../../core/access.ts';
import { createFormatRegistry } from '../../formats/registry.ts';
import type { CaptureEntry, GarnerStore } from '../../store/index.ts';
import { openStore } from '../../store/open.ts';
import { sortPaths } from './find-archives.ts';
import { importArchives } from './import-archives.ts';

const fields = createFormatRegistry().fieldSpecs();
let folder: string;
let input: string;
let store: GarnerStore;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'garner-index-forms-'));
  input = join(folder, 'in');
  await mkdir(input);
  store = await openStore(
    {
      folder: join(folder, 'data'),
      fields,
      extractionDigest: 'x',
      sources: [{ name: 'web', access: { public: true } }],
      views: [],
      repositoryIdentifier: 'test.example.org',
    },
    { threads: 0 },
  );
});
afterEach(async () => {
  await store.close();
  await rm(folder, { recursive: true, force: true });
});

const ENTRIES: readonly CaptureEntry[] = Array.from({ length: 7000 }, (_, n) => {
  const url = `http://www.example.org/page/${String(n).padStart(5, '0')}`;
  return {
    urlKey: surtKey(url),
    url,
    at: Date.UTC(2008, 3, 30) + n * 1000,
    type: 'response',
    status: 200,
    mediaType: 'text/html',
    digest: 'A'.repeat(27) + String(10000 + n).replace(/\d/g, (digit) => 'ABCDEFGHIJ'[Number(digit)] ?? 'A'),
    file: 'far-away.warc.gz',
    offset: n * 100,
    length: 100,
  };
});
const cdxLines = (letters?: string) => writeCdx(ENTRIES, letters).trim().split('\n').slice(1);

async function run(path: string) {
  const { archives, others } = await sortPaths([path]);
  assert.deepEqual(others, []);
  return importArchives({ store, fields, dataFolder: join(folder, 'data') }, 'web', archives);
}
const stored = () => store.captures.list({ urlKey: '', match: 'prefix', limit: 100_000 }, OPERATOR);
const save = (name: string, bytes: string | Uint8Array) => writeFile(join(input, name), bytes);

/** As Common Crawl and pywb have it: shards of gzip members, a summary, and where the shards are. */
async function saveCluster(form: 'cdx' | 'cdxj', shards: number, withPlaces = false): Promise<string> {
  const lines = form === 'cdx' ? cdxLines() : writeCdxj(ENTRIES).trim().split('\n');
  const summary: string[] = [];
  const places: string[] = [];
  const perShard = Math.ceil(lines.length / shards);
  for (let shard = 0; shard < shards; shard++) {
    const own = lines.slice(shard * perShard, (shard + 1) * perShard);
    const part = `cdx-0000${shard}${withPlaces ? '' : '.gz'}`;
    const members: Buffer[] = [];
    let offset = 0;
    for (let i = 0; i < own.length; i += 300) {
      const packed = gzipSync(`${own.slice(i, i + 300).join('\n')}\n`);
      const prefix = (own[i] ?? '').split(' ', 2).join(' ');
      summary.push(`${prefix}\t${part}\t${offset}\t${packed.length}\t${summary.length + 1}`);
      offset += packed.length;
      members.push(packed);
    }
    await save(`cdx-0000${shard}.gz`, Buffer.concat(members));
    places.push(`${part}\t/on/another/machine/cdx-0000${shard}.gz\thdfs://x/cdx-0000${shard}.gz`);
  }
  if (withPlaces) await save('cluster.loc', `${places.join('\n')}\n`);
  await save('cluster.idx', `${summary.join('\n')}\n`);
  return join(input, 'cluster.idx');
}

const FORMS: Readonly<Record<string, () => Promise<string>>> = {
  'CDX of 11 columns': async () => save('a.cdx', writeCdx(ENTRIES)).then(() => join(input, 'a.cdx')),
  'CDX of 9 columns': async () => save('a.cdx', writeCdx(ENTRIES, CDX_9)).then(() => join(input, 'a.cdx')),
  'CDX without its header, compressed': async () =>
    save('a.gz', gzipSync(`${cdxLines().join('\n')}\n`)).then(() => join(input, 'a.gz')),
  CDXJ: async () => save('a.cdxj', writeCdxj(ENTRIES)).then(() => join(input, 'a.cdxj')),
  'ZipNum cluster of CDX': () => saveCluster('cdx', 1),
  'ZipNum cluster of CDXJ in three shards': () => saveCluster('cdxj', 3),
  'ZipNum cluster with a list of places': () => saveCluster('cdx', 2, true),
  'ZipNum as in WACZ files': async () => {
    const { blocks, summary } = await writeZipNum(writeCdxj(ENTRIES).trim().split('\n'), 'index.cdx.gz');
    await save('index.cdx.gz', blocks);
    await save('index.idx', summary);
    return join(input, 'index.idx');
  },
  'folder that holds a ZipNum cluster': async () => {
    await saveCluster('cdxj', 2);
    return input;
  },
  'folder that holds CDX files': async () => {
    await save('a.cdx', writeCdx(ENTRIES.slice(0, 10)));
    await save('b.cdx', writeCdx(ENTRIES.slice(10)));
    return input;
  },
};

for (const [name, write] of Object.entries(FORMS))
  test(`every line of a ${name} is in the index, once`, async () => {
    const path = await write();
    const report = await run(path);
    assert.equal(report.status, 'complete', report.message);
    assert.equal(report.captures, ENTRIES.length);
    const found = await stored();
    assert.deepEqual(
      found.map(({ url, at, status, digest, offset }) => [url, at, status, digest, offset]),
      ENTRIES.map(({ url, at, status, digest, offset }) => [url, at, status, digest, offset]),
    );
    assert.equal((await run(path)).captures, 0, 'given again, nothing is new');
  });

test('a shard that is missing or cut off is told, what came before it is kept', async () => {
  const path = await saveCluster('cdx', 2);
  const shard = join(input, 'cdx-00001.gz');
  await writeFile(shard, (await readFile(shard)).subarray(0, 500));
  const report = await run(path);
  assert.equal(report.status, 'incomplete');
  assert.match(report.message ?? '', /Could not be read: .*cluster\.idx/);
  await rm(shard);
  await run(path);
  assert.ok((await stored()).length >= 2000);
});

async function writeRecords(): Promise<{ path: string; written: readonly WrittenRecord[] }> {
  const writer = await openWarcWriter({
    folder: input,
    prefix: 'old',
    template: '{prefix}-{serial}',
    clock: () => 0,
    info: [['software', 'test']],
  });
  const head = writeHttpHead('HTTP/1.1 200 OK', [['Content-Type', 'text/html']]);
  const written: WrittenRecord[] = [];
  for (let n = 0; n < 20; n++) {
    const context = { targetUri: `http://example.org/${n}`, at: Date.UTC(2001, 0, 1 + n) };
    const body = Buffer.from(`<title>Page ${n}</title>`);
    written.push(...(await writer.append(responseRecord(context, { head, body }))));
  }
  await writer.close();
  return { path: join(input, written[0]?.file ?? ''), written };
}

for (const [form, line] of Object.entries({
  'one number': ({ offset }: WrittenRecord) => `${offset}`,
  'offset and length': ({ offset, length }: WrittenRecord) => `${offset} ${length}`,
  'offset and a name': ({ offset, recordId }: WrittenRecord) => `${offset}\t${recordId}`,
}))
  test(`a list of places (.ndx) with ${form} leads to the archive file beside it`, async () => {
    const { written } = await writeRecords();
    await save('old-00000.ndx', `${written.map(line).join('\n')}\n`);
    const report = await run(join(input, 'old-00000.ndx'));
    assert.equal(report.status, 'complete', report.message);
    assert.equal((await stored()).length, 20);
  });

test('places that lead to no record are told with their offset', async () => {
  const { written } = await writeRecords();
  await save('old-00000.ndx', `${written.map(({ offset }) => offset).join('\n')}\n7\n`);
  const report = await run(join(input, 'old-00000.ndx'));
  assert.equal(report.status, 'incomplete');
  const [problem] = await store.runs.listProblems({ runId: report.runId, limit: 10 });
  assert.match(problem?.where ?? '', /@7$/);
  assert.equal((await stored()).length, 20);
});

test('numbers in a text are no list of places when no archive file lies beside them', async () => {
  await save('table.ndx', '1 2\n3 4\n');
  const { archives, others } = await sortPaths([join(input, 'table.ndx')]);
  assert.deepEqual([archives, others], [[], [join(input, 'table.ndx')]]);
});
