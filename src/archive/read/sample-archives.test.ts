/** The archives of other tools that stand beside the project, against the counts in their index. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { captureOf } from '../cdx/capture-of.ts';
import { readAll } from '../samples.fixture.ts';
import { readArchive } from './read-archive.ts';
import { readRecordAt } from './read-record-at.ts';

const folder = fileURLToPath(new URL('../../../../shared/data/archives/', import.meta.url));
const skip = existsSync(`${folder}INDEX.md`) ? false : 'the sample archives are not beside the project';
const FAILED = /READ-ERR/;

interface Listed {
  readonly file: string;
  readonly counts: Readonly<Record<string, number>>;
  /** Another reader gave up on it. */
  readonly failed: boolean;
}

function listSamples(): Listed[] {
  if (skip) return [];
  const samples: Listed[] = [];
  for (const line of readFileSync(`${folder}INDEX.md`, 'utf8').split('\n')) {
    const [, file = '', contents = ''] = /^\| (\S+\/\S+) \| \d+ \| \w+ \| (w?arc[ ;].*) \|$/.exec(line) ?? [];
    if (file === '') continue;
    const pairs = /types ([^;]*)/.exec(contents)?.[1]?.trim().split(' ') ?? [];
    const counts = pairs.map((pair): [string, number] => {
      const [type = '', count] = pair.split(':');
      return [type === 'arc_header' ? 'filedesc' : type, Number(count)];
    });
    samples.push({ file, counts: Object.fromEntries(counts), failed: FAILED.test(contents) });
  }
  return samples;
}

async function countTypes(path: string) {
  const { records, damages } = await readAll(path);
  const counts: Record<string, number> = {};
  for (const { type } of records) counts[type] = (counts[type] ?? 0) + 1;
  return { counts, damages };
}

test('the index of the samples lists archives', { skip }, () => {
  assert.ok(listSamples().length >= 40);
});

for (const { file, counts, failed } of listSamples()) {
  if (failed) {
    test(`${file}, where another reader stopped, gives at least as many records and says where it is damaged`, async () => {
      const ours = await countTypes(folder + file);
      for (const [type, count] of Object.entries(counts)) assert.ok((ours.counts[type] ?? 0) >= count, type);
      const total = (of: Readonly<Record<string, number>>) => Object.values(of).reduce((a, b) => a + b, 0);
      assert.ok(total(ours.counts) > total(counts));
      assert.ok(ours.damages.length > 0);
      for (const { offset } of ours.damages) assert.ok(Number.isInteger(offset));
    });
    continue;
  }
  test(`${file} has the records that its index says`, async () => {
    assert.deepEqual((await countTypes(folder + file)).counts, counts);
  });
}

test('no digest of an undamaged sample is wrong', { skip }, async () => {
  const wrong: string[] = [];
  for (const { file, failed } of listSamples()) {
    if (failed) continue;
    for await (const event of readArchive(folder + file, { verify: true })) {
      if (event.kind === 'damage' || event.truncated) continue;
      for (const { result, field } of event.verdicts ?? [])
        if (result === 'wrong') wrong.push(`${file} ${event.stored.offset} ${field}`);
    }
  }
  assert.deepEqual(wrong, []);
});

test('every sampled record is found again by its place', { skip }, async () => {
  for (const { file } of listSamples().filter((sample) => !sample.file.includes('blackbook'))) {
    const { records, blocks } = await readAll(folder + file);
    for (const [i, { stored, targetUri }] of records.entries()) {
      const again = await readRecordAt(folder + file, stored.offset, {
        ...(stored.inner !== undefined && { inner: stored.inner }),
      });
      assert.equal(again.targetUri, targetUri);
      if (!again.truncated) assert.ok((await again.block()).equals(blocks[i] ?? Buffer.alloc(0)), file);
    }
  }
});

test('the ARC and the WARC of one crawl give the same captures', { skip }, async () => {
  const capturesOf = async (file: string): Promise<string[]> => {
    const lines: string[] = [];
    for await (const event of readArchive(`${folder}solrwayback/${file}`)) {
      const capture = event.kind === 'record' ? captureOf(event, file) : undefined;
      if (!capture) continue;
      const { urlKey, url, at, status, mediaType, digest } = capture;
      lines.push([urlKey, url, at, status, mediaType, digest].join(' '));
    }
    return lines.sort();
  };
  const arc = await capturesOf('IAH-20080430204825-00000-blackbook.arc.gz');
  const warc = await capturesOf('IAH-20080430204825-00000-blackbook.warc.gz');
  assert.equal(warc.length, 299);
  // The version block of the ARC is no capture.
  assert.deepEqual(arc, warc);
});

test('a body that was stored with brotli comes out as text', { skip }, async () => {
  const { records } = await readAll(`${folder}solrwayback/transfer_compression_brotli.warc.gz`);
  const response = records.find(({ type }) => type === 'response');
  const content = await response?.content();
  assert.deepEqual(content?.codings, ['br']);
  assert.match(content?.bytes.toString('utf8') ?? '', /<html/i);
});

test('a chunked gzip body comes out as text, and its headers keep their order and repetition', {
  skip,
}, async () => {
  const { records } = await readAll(`${folder}solrwayback/transfer_compression_gzip_chunked.warc.gz`);
  const response = records.find(({ type }) => type === 'response');
  const content = await response?.content();
  assert.deepEqual(content?.codings, ['chunked', 'gzip']);
  assert.match(content?.bytes.toString('utf8') ?? '', /<html/i);
  const repeated = await readAll(`${folder}webarchive-commons/mutliple-headers.warc`);
  const names = repeated.records[0]?.http?.headers.map(([name]) => name).filter((name) => name === 'link');
  assert.equal(names?.length, 3);
});

test('a body stored after LF-only headers is not lost', { skip }, async () => {
  const { records } = await readAll(`${folder}solrwayback/Evil-Warc-Headers.warc`);
  const { bytes } = (await records[0]?.content()) ?? {};
  assert.match(bytes?.toString('latin1') ?? '', /^#+\n#\n# Welcome to the Archive!/);
  assert.equal(records[0]?.truncated, true);
});

test('URIs in angle brackets and with blanks are read as they are meant', { skip }, async () => {
  const wget = await readAll(`${folder}warcio/example-wget-bad-target-uri.warc.gz`);
  assert.ok(wget.records.every(({ targetUri }) => !targetUri?.includes('<')));
  const arc = await readAll(`${folder}warcio/example-space-in-url.arc`);
  assert.ok(arc.records.some(({ targetUri }) => targetUri?.includes(' ')));
});
