import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { GarnerError } from '../../core/errors.ts';
import type { ArchiveRecord } from '../read/archive-record.ts';
import { readAll, warcRecord } from '../samples.fixture.ts';
import { createDechunker } from './chunked.ts';

async function response(headers: string, body: Buffer | string): Promise<ArchiveRecord> {
  const block = Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\n${headers}\r\n\r\n`), Buffer.from(body)]);
  const warc = warcRecord(block, {
    type: 'response',
    extra: 'Content-Type: application/http; msgtype=response',
  });
  const [record] = (await readAll(warc)).records;
  assert.ok(record);
  return record;
}

const TEXT = 'Clouds over the sea, and the sea under clouds. '.repeat(40);
const CODERS: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: gzipSync,
  'x-gzip': gzipSync,
  deflate: deflateSync,
  br: brotliCompressSync,
  zstd: zstdCompressSync,
};

const chunk = (bytes: Buffer, size: number): Buffer => {
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size) {
    const part = bytes.subarray(at, at + size);
    parts.push(Buffer.from(`${part.length.toString(16)};ext=1\r\n`), part, Buffer.from('\r\n'));
  }
  return Buffer.concat([...parts, Buffer.from('0\r\nTrailer: x\r\n\r\n')]);
};

for (const [name, encode] of Object.entries(CODERS)) {
  test(`${name} is undone, chunked or not, and the payload stays coded`, async () => {
    const coded = encode(Buffer.from(TEXT));
    const plain = await response(`Content-Encoding: ${name}`, coded);
    assert.equal((await plain.content()).bytes.toString(), TEXT);
    const chunked = await response(
      `Content-Encoding: ${name}\r\nTransfer-Encoding: chunked`,
      chunk(coded, 50),
    );
    assert.equal((await chunked.content()).bytes.toString(), TEXT);
    assert.deepEqual((await chunked.content()).codings, ['chunked', name]);
    assert.ok((await chunked.payload()).bytes.equals(coded));
  });

  test(`a body that only says it is ${name} is given as it is`, async () => {
    const record = await response(`Content-Encoding: ${name}`, TEXT);
    const { bytes, codings, problems } = await record.content();
    assert.equal(bytes.toString(), TEXT);
    assert.deepEqual([codings, problems], [[], ['false-coding']]);
  });

  test(`a ${name} body that breaks off is given as far as it goes`, async () => {
    // Not so repetitive that everything is in the first bytes.
    const long = Array.from({ length: 200_000 }, (_, i) => (i * i * 7919) % 1_000_003).join(' ');
    const coded = encode(Buffer.from(long));
    const record = await response(
      `Content-Encoding: ${name}`,
      coded.subarray(0, Math.floor(coded.length * 0.7)),
    );
    const { bytes } = await record.content();
    assert.ok(bytes.length > 1000);
    assert.ok(long.startsWith(bytes.toString()));
  });
}

test('deflate without its header is undone, too', async () => {
  const record = await response('Content-Encoding: deflate', deflateRawSync(TEXT));
  assert.equal((await record.content()).bytes.toString(), TEXT);
});

test('a body that only says it is chunked is given as it is', async () => {
  const record = await response('Transfer-Encoding: chunked', TEXT);
  const { bytes, problems } = await record.payload();
  assert.equal(bytes.toString(), TEXT);
  assert.deepEqual(problems, ['false-chunked']);
});

test('chunks that break off give what they held', async () => {
  const record = await response('Transfer-Encoding: chunked', chunk(Buffer.from(TEXT), 100).subarray(0, 333));
  const { bytes, problems } = await record.payload();
  assert.ok(bytes.length > 200 && TEXT.startsWith(bytes.toString()));
  assert.deepEqual(problems, ['broken-chunks']);
});

test('a bomb is stopped by its ratio and by its size', async () => {
  const bomb = await response('Content-Encoding: gzip', gzipSync(Buffer.alloc(60_000_000)));
  const isUnsafe = (error: unknown): boolean =>
    error instanceof GarnerError && error.code === 'archive.unsafe';
  await assert.rejects(bomb.content(), isUnsafe);
  const large = await response('Content-Encoding: br', brotliCompressSync(Buffer.from(TEXT.repeat(100))));
  await assert.rejects(large.content({ maxBytes: 10_000, maxRatio: 1e9 }), isUnsafe);
  assert.equal((await large.content()).bytes.length, TEXT.length * 100);
});

test('two codings, one over the other, are undone in their order', async () => {
  const record = await response('Content-Encoding: deflate, gzip', gzipSync(deflateSync(TEXT)));
  const { bytes, codings } = await record.content();
  assert.equal(bytes.toString(), TEXT);
  assert.deepEqual(codings, ['gzip', 'deflate']);
});

test('chunks are undone wherever the pieces are cut', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 300 }),
      fc.integer({ min: 1, max: 40 }),
      fc.integer({ min: 1, max: 50 }),
      (bytes, size, step) => {
        const body = Buffer.from(bytes);
        const coded = chunk(body, size);
        const dechunker = createDechunker();
        const out: Buffer[] = [];
        for (let at = 0; at < coded.length; at += step)
          out.push(...dechunker.push(coded.subarray(at, at + step)));
        const { rest, verdict } = dechunker.end();
        assert.equal(verdict, 'chunked');
        assert.ok(Buffer.concat([...out, ...rest]).equals(body));
      },
    ),
  );
});

test('a header that is no HTTP leaves the block as payload', async () => {
  const warc = warcRecord('20080430204825\nwww.example.org.\t589\tIN\tA\t192.0.2.1\n', {
    type: 'response',
    uri: 'dns:www.example.org',
    extra: 'Content-Type: text/dns',
  });
  const [record] = (await readAll(warc)).records;
  assert.equal(record?.http, undefined);
  assert.match((await record?.content())?.bytes.toString() ?? '', /^20080430204825\nwww/);
});
