import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { GarnerError } from '../../core/errors.ts';
import type { CaptureEntry } from '../../store/captures.ts';
import { bytesInMemory } from '../bytes/byte-source.ts';
import { readArchive } from '../read/read-archive.ts';
import { captureOf } from './capture-of.ts';
import { CDX_9, CDX_11, readCdx, writeCdx } from './cdx.ts';
import { parseCdxjLine, readCdxj, writeCdxj, writeCdxjLine } from './cdxj.ts';
import { readDat } from './dat.ts';
import { compareLines } from './line-order.ts';
import { readLines } from './lines.ts';
import { readNdx } from './ndx.ts';
import { surtKey } from './surt.ts';
import { parseZipNumSummary, readZipNum, writeZipNum } from './zipnum.ts';

const folder = fileURLToPath(new URL('../../../../shared/data/archives/', import.meta.url));
const skip = existsSync(folder) ? false : 'the sample archives are not beside the project';

const fail = (line: number, text: string): void => assert.fail(`line ${line}: ${text}`);

async function gather<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

const linesOf = (text: string | Buffer): AsyncGenerator<string> =>
  readLines(bytesInMemory(Buffer.from(text)));

const anyCapture: fc.Arbitrary<CaptureEntry> = fc
  .record({
    path: fc.webPath(),
    second: fc.integer({ min: 0, max: 2_000_000_000 }),
    revisit: fc.boolean(),
    status: fc.option(fc.integer({ min: 100, max: 599 }), { nil: undefined }),
    offset: fc.nat(),
    length: fc.nat(),
  })
  .map(({ path, second, revisit, status, offset, length }) => {
    const url = `http://example.org${path}`;
    return {
      urlKey: surtKey(url),
      url,
      at: second * 1000,
      type: revisit ? 'revisit' : 'response',
      ...(status !== undefined && { status }),
      ...(!revisit && { mediaType: 'text/html' }),
      digest: 'CZBHCHHR4IFLFUDLNLKGN5MTNTAA4DV6',
      file: 'a.warc.gz',
      offset,
      length,
    };
  });

const byLine = (a: CaptureEntry, b: CaptureEntry): number => compareLines(writeCdxjLine(a), writeCdxjLine(b));

test('captures survive being written and read as CDX-11 and CDXJ; CDX-9 loses only the length', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyCapture, { maxLength: 20 }), async (captures) => {
      const sorted = captures.toSorted(byLine);
      assert.deepEqual((await gather(readCdx(linesOf(writeCdx(captures)), fail))).toSorted(byLine), sorted);
      assert.deepEqual(await gather(readCdxj(linesOf(writeCdxj(captures)), fail)), sorted);
      const nine = await gather(readCdx(linesOf(writeCdx(captures, CDX_9)), fail));
      assert.deepEqual(
        new Set(nine.map(({ offset }) => offset)),
        new Set(captures.map(({ offset }) => offset)),
      );
      assert.ok(nine.every(({ length }) => length === undefined));
    }),
    { numRuns: 30 },
  );
});

test('lines without a CDX header are told by their columns, others are refused', async () => {
  const [, line = ''] = writeCdx(
    [{ urlKey: 'org,a)/', url: 'http://a.org/', at: 0, type: 'response' }],
    CDX_11,
  ).split('\n');
  assert.equal((await gather(readCdx(linesOf(`${line}\n`), fail))).length, 1);
  await assert.rejects(
    gather(readCdx(linesOf('only three columns\n'), fail)),
    (error) => error instanceof GarnerError && error.code === 'archive.format',
  );
  const problems: number[] = [];
  await gather(readCdx(linesOf(` CDX ${CDX_11}\n${line}\nshort line\n`), (number) => problems.push(number)));
  assert.deepEqual(problems, [3]);
});

test('the columns of old and of wget files are read by their letters', async () => {
  const old =
    ' CDX A b e a m s c k r V v D d g M n\nexample.org/ 20010203040506 192.0.2.1 http://example.org:80/ text/html 200 abc - - 84348 296101 1 2 x.arc.gz - 9015\n';
  const [entry] = await gather(readCdx(linesOf(old), fail));
  assert.deepEqual(entry, {
    urlKey: 'org,example)/',
    url: 'http://example.org:80/',
    at: Date.UTC(2001, 1, 3, 4, 5, 6),
    type: 'response',
    status: 200,
    mediaType: 'text/html',
    digest: 'abc',
    contentLength: 9015,
    file: 'x.arc.gz',
    offset: 84348,
  });
  const wget =
    ' CDX a b a m s k r M V g u\nhttp://example.org/ 20010203040506 http://example.org/ text/html 200 - - - 12 x.warc.gz <urn:uuid:1>\n';
  assert.equal((await gather(readCdx(linesOf(wget), fail)))[0]?.recordId, '<urn:uuid:1>');
});

test('our index of a sample is equal to the one that another tool made', { skip }, async () => {
  const name = 'IAH-20080430204825-00000-blackbook.warc.gz';
  const theirs = await gather(readCdx(readLines(`${folder}solrwayback/${name}.cdx`), fail));
  const known = new Map(theirs.map((entry) => [`${entry.offset}`, entry]));
  let compared = 0;
  for await (const event of readArchive(`${folder}solrwayback/${name}`)) {
    const ours = event.kind === 'record' ? captureOf(event, name) : undefined;
    if (!ours) continue;
    const other = known.get(String(ours.offset));
    for (const field of ['urlKey', 'url', 'at', 'status', 'digest', 'length', 'offset', 'file'] as const) {
      assert.equal(ours[field], other?.[field], `${field} of ${ours.url}`);
    }
    compared++;
  }
  assert.equal(compared, 299);
});

test('CDXJ lines of pywb and of OpenWayback are read, headers passed over', () => {
  const pywb = parseCdxjLine(
    'org,example)/ 20260203040506 {"url": "http://example.org/", "mime": "text/html", "status": "200", "digest": "sha1:AAAA", "length": "10", "offset": "0", "filename": "a.warc.gz"}',
  );
  assert.equal(pywb?.status, 200);
  assert.equal(pywb?.digest, 'AAAA');
  const openWayback = parseCdxjLine(
    '(org,example,)/ 20260203040506 {"uri":"http://example.org/","sha":"BBBB","hsc":404,"mct":"text/html","rid":"<urn:uuid:2>","srt":"response"}',
  );
  assert.equal(openWayback?.urlKey, 'org,example)/');
  assert.equal(openWayback?.status, 404);
  assert.equal(parseCdxjLine('!OpenWayback-CDXJ 1.0'), undefined);
  assert.equal(parseCdxjLine('org,example)/ 20260203040506 {broken'), undefined);
});

test('ZipNum finds the same lines as looking through all of them', async () => {
  const lines = Array.from(
    { length: 10_000 },
    (_, i) => `org,example)/${String(i).padStart(6, '0')} 20260101000000 {"url":"x"}`,
  );
  const { blocks, summary } = await writeZipNum(lines, 'index.cdx.gz');
  const index = {
    blocks: parseZipNumSummary(summary),
    openPart: () => Promise.resolve(bytesInMemory(blocks)),
  };
  assert.equal(index.blocks.length, 4);
  assert.deepEqual(await gather(readZipNum(index)), lines);
  for (const [from, to] of [
    ['org,example)/000000', 'org,example)/000001'],
    ['org,example)/002999', 'org,example)/003002'],
    ['org,example)/009999', 'org,z'],
    ['com,', 'net,'],
    ['org,f', 'org,z'],
  ] as const) {
    assert.deepEqual(
      await gather(readZipNum(index, { from, to })),
      lines.filter((line) => line >= from && line < to),
    );
  }
});

test('a ZipNum summary of tabs is read; one that is none is refused', () => {
  assert.deepEqual(parseZipNumSummary('org,a)/ 20260101000000\tcdx-00000.gz\t0\t188224\t1\n'), [
    { prefix: 'org,a)/ 20260101000000', part: 'cdx-00000.gz', offset: 0, length: 188224 },
  ]);
  assert.throws(() => parseZipNumSummary('what is this\n'), /no line of a ZipNum summary/);
});

test('index files are read packed, too', async () => {
  assert.deepEqual(await gather(linesOf(gzipSync('one\ntwo\n'))), ['one', 'two']);
});

test('a dat file gives its documents with title, offsets and links', { skip }, async () => {
  const [document] = await gather(readDat(readLines(`${folder}specs/dat-example.dat`)));
  assert.equal(document?.url, 'http://www.kickbutt.org:80/news/scarchives/9711-nov/111797.html');
  assert.equal(document?.at, Date.UTC(2001, 3, 30, 0, 2, 2));
  assert.equal(document?.title, 'SCARCNet Daily Bulletin - 11/17/97');
  assert.deepEqual(
    [document?.status, document?.compressedOffset, document?.offset, document?.length],
    [200, 84348, 296101, 9015],
  );
  assert.equal(document?.links.length, 5);
});

test('two documents of a dat file are kept apart', async () => {
  const text = ['a', 'b']
    .map(
      (name) =>
        `http://${name}.org/ 192.0.2.1 20010203040506 alexa/dat 20\nm text/html\nt Title ${name}\nl x.org/\n`,
    )
    .join('');
  const documents = await gather(readDat(linesOf(text)));
  assert.deepEqual(
    documents.map(({ url, title }) => [url, title]),
    [
      ['http://a.org/', 'Title a'],
      ['http://b.org/', 'Title b'],
    ],
  );
});

test('an ndx file is columns of offsets, with lengths and names beside them', async () => {
  const problems: number[] = [];
  const lines = await gather(
    readNdx(linesOf('# offsets\n0\n1234 567\n8901,23,x.arc.gz\nno number\n'), (number) =>
      problems.push(number),
    ),
  );
  assert.deepEqual(lines, [
    { offset: 0 },
    { offset: 1234, length: 567 },
    { offset: 8901, length: 23, label: 'x.arc.gz' },
  ]);
  assert.deepEqual(problems, [5]);
});
