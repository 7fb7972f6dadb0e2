import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { readRecordAt } from '../read/read-record-at.ts';
import { readAll, stuttering, temporaryFolder } from '../samples.fixture.ts';
import {
  metadataRecord,
  REVISIT_PROFILES,
  requestRecord,
  resourceRecord,
  responseRecord,
  revisitRecord,
  writeHttpHead,
} from './record-draft.ts';
import { recoverWarc } from './recover.ts';
import { openWarcWriter, type WarcWriterOptions, type WrittenRecord } from './warc-writer.ts';

const AT = Date.UTC(2026, 1, 3, 4, 5, 6);
const setup = (folder: string, more: Partial<WarcWriterOptions> = {}): WarcWriterOptions => ({
  folder,
  prefix: 'test',
  clock: () => AT,
  info: [['software', 'test']],
  ...more,
});
const context = (number: number) => ({ targetUri: `http://example.org/${number}`, at: AT });
const HEAD = writeHttpHead('HTTP/1.1 200 OK', [['Content-Type', 'text/plain']]);

const headerName = fc.stringMatching(/^[A-Za-z][A-Za-z0-9-]{0,12}$/).map((name) => `X-${name}`);
const headerText = fc.stringMatching(/^[!-~]([ -~]{0,30}[!-~])?$/);
const headers = fc.array(fc.tuple(headerName, headerText), { maxLength: 6 });

test('whatever is written is read back equal, by every packing and cut of the bytes', async (t) => {
  const folder = await temporaryFolder(t);
  let series = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ headers, extra: headers, body: fc.uint8Array({ maxLength: 600 }) }), {
        minLength: 1,
        maxLength: 5,
      }),
      fc.boolean(),
      fc.integer({ min: 1, max: 300 }),
      async (pages, compress, step) => {
        const writer = await openWarcWriter(setup(folder, { prefix: `p${series++}`, compress }));
        const places: WrittenRecord[] = [];
        for (const [i, { headers: sent, extra, body }] of pages.entries()) {
          const head = writeHttpHead('HTTP/1.1 200 OK', sent);
          const drafted = responseRecord({ ...context(i), extra }, { head, body: Buffer.from(body) });
          places.push(...(await writer.append(drafted)));
        }
        await writer.close();
        const bytes = readFileSync(join(folder, places[0]?.file ?? ''));
        const { records, damages } = await readAll(stuttering(bytes, step), { verify: true });
        assert.deepEqual(damages, []);
        assert.deepEqual(
          records.map(({ type }) => type),
          ['warcinfo', ...pages.map(() => 'response')],
        );
        for (const [i, page] of pages.entries()) {
          const record = records[i + 1];
          const place = places[i];
          assert.deepEqual(record?.stored, { offset: place?.offset, length: place?.length });
          assert.deepEqual(record?.http?.headers, page.headers);
          for (const [name, value] of page.extra) {
            assert.ok(record?.headers.some((other) => other[0] === name && other[1] === value));
          }
          assert.ok((await record?.payload())?.bytes.equals(page.body));
          assert.deepEqual(
            record?.verdicts?.map(({ result }) => result),
            ['right', 'right'],
          );
          assert.equal(record?.header('WARC-Payload-Digest'), place?.payloadDigest);
        }
      },
    ),
    { numRuns: 25 },
  );
});

test('every type of record is written with the fields of WARC 1.1', async (t) => {
  const folder = await temporaryFolder(t);
  const writer = await openWarcWriter(setup(folder));
  const response = responseRecord(
    { ...context(1), address: '192.0.2.1', protocols: ['h2', 'tls/1.3'] },
    { head: HEAD, body: Buffer.from('hello') },
  );
  const request = requestRecord(
    { ...context(1), concurrentTo: [response.recordId] },
    { head: writeHttpHead('GET /1 HTTP/1.1', []) },
  );
  const metadata = metadataRecord(
    { ...context(1), concurrentTo: [response.recordId] },
    [['via', 'http://example.org/\r\nX-Evil: 1']],
    response.recordId,
  );
  const [written] = await writer.append(response, request, metadata);
  const revisit = revisitRecord(context(1), HEAD, {
    profile: REVISIT_PROFILES.identicalPayload,
    recordId: response.recordId,
    targetUri: 'http://example.org/1',
    at: AT,
    payloadDigest: written?.payloadDigest ?? '',
  });
  const [place] = await writer.append(
    revisit,
    resourceRecord(context(2), 'image/png', Buffer.from([1, 2, 3])),
  );
  await writer.sync();
  const { records, damages } = await readAll(join(folder, place?.file ?? ''), { verify: true });
  await writer.close();
  assert.deepEqual(damages, []);
  assert.deepEqual(
    records.map(({ type, version }) => `${type} ${version}`),
    ['warcinfo', 'response', 'request', 'metadata', 'revisit', 'resource'].map((type) => `${type} 1.1`),
  );
  assert.deepEqual(
    records[1]?.headers.filter(([name]) => name === 'WARC-Protocol').map(([, value]) => value),
    ['h2', 'tls/1.3'],
  );
  assert.match(records[1]?.header('WARC-Block-Digest') ?? '', /^sha256:[0-9a-f]{64}$/);
  assert.match(records[1]?.header('WARC-Payload-Digest') ?? '', /^sha1:[A-Z2-7]{32}$/);
  assert.equal(records[2]?.header('WARC-Concurrent-To'), response.recordId);
  assert.equal(records[3]?.whole?.toString(), 'via: http://example.org/ X-Evil: 1\r\n');
  assert.equal(records[4]?.header('WARC-Refers-To-Date'), '2026-02-03T04:05:06Z');
  assert.equal(records[4]?.header('WARC-Payload-Digest'), written?.payloadDigest);
  for (const { verdicts } of records)
    for (const { result } of verdicts ?? []) assert.notEqual(result, 'wrong');
});

test('a large body of unknown length is spooled, digested and leaves no file behind', async (t) => {
  const folder = await temporaryFolder(t);
  const writer = await openWarcWriter(setup(folder));
  const part = Buffer.alloc(1 << 20, 'large ');
  const body = async function* () {
    for (let i = 0; i < 9; i++) yield part;
  };
  const [place] = await writer.append(responseRecord(context(1), { head: HEAD, body: body() }));
  await writer.close();
  assert.deepEqual(readdirSync(folder).length, 1);
  const record = await readRecordAt(join(folder, place?.file ?? ''), place?.offset ?? 0, { verify: true });
  assert.equal(record.whole?.length, HEAD.length + 9 * part.length);
  assert.deepEqual(
    record.verdicts?.map(({ result }) => result),
    ['right', 'right'],
  );
});

test('a body that fails while it is read leaves no trace, and the writer goes on', async (t) => {
  const folder = await temporaryFolder(t);
  const writer = await openWarcWriter(setup(folder));
  const failing = async function* () {
    yield Buffer.alloc(6 << 20);
    throw new RangeError('the server went away');
  };
  await assert.rejects(
    writer.append(responseRecord(context(1), { head: HEAD, body: failing() })),
    /went away/,
  );
  const [place] = await writer.append(responseRecord(context(2), { head: HEAD, body: Buffer.from('ok') }));
  await writer.close();
  assert.equal(readdirSync(folder).length, 1);
  const { records, damages } = await readAll(join(folder, place?.file ?? ''));
  assert.deepEqual([records.length, damages.length], [2, 0]);
});

test('a full file is followed by the next of the series, each with its warcinfo', async (t) => {
  const folder = await temporaryFolder(t);
  const writer = await openWarcWriter(
    setup(folder, { maxBytes: 5000, template: '{prefix}_{serial}_{timestamp}' }),
  );
  const bodies = Array.from({ length: 20 }, (_, i) =>
    Buffer.from(Array.from({ length: 800 }, (_x, j) => (i * j * 7919) % 256)),
  );
  // Not waited for one by one: the order is that of the calls all the same.
  const places = (
    await Promise.all(
      bodies.map((body, i) => writer.append(responseRecord(context(i), { head: HEAD, body }))),
    )
  ).flat();
  await writer.close();
  const names = readdirSync(folder).sort();
  assert.ok(names.length > 2);
  assert.match(names[0] ?? '', /^test_00000_20260203040506\.warc\.gz$/);
  assert.deepEqual([...new Set(places.map(({ file }) => file))], names);
  for (const name of names) {
    assert.ok(statSync(join(folder, name)).size <= 5000);
    assert.equal((await readAll(join(folder, name))).records[0]?.header('WARC-Filename'), name);
  }
  for (const [i, { file, offset }] of places.entries()) {
    assert.equal((await readRecordAt(join(folder, file), offset)).targetUri, `http://example.org/${i}`);
  }
});

for (const compress of [true, false]) {
  test(`a torn last record is cut off wherever the tear is, ${compress ? 'gzip' : 'plain'}, and writing goes on`, async (t) => {
    const folder = await temporaryFolder(t);
    const writer = await openWarcWriter(setup(folder, { compress }));
    const places: WrittenRecord[] = [];
    for (let i = 0; i < 3; i++)
      places.push(
        ...(await writer.append(responseRecord(context(i), { head: HEAD, body: Buffer.from(`body ${i}`) }))),
      );
    await writer.close();
    const path = join(folder, places[0]?.file ?? '');
    const whole = readFileSync(path);
    const last = places[2];
    for (let size = (last?.offset ?? 0) + 1; size < whole.length; size += 5) {
      writeFileSync(path, whole.subarray(0, size));
      assert.deepEqual(await recoverWarc(path), {
        size: last?.offset,
        removed: size - (last?.offset ?? 0),
        records: 3,
      });
    }
    writeFileSync(path, whole);
    assert.deepEqual(await recoverWarc(path), { size: whole.length, removed: 0, records: 4 });
    assert.equal((await recoverWarc(path, places[1]?.offset)).records, 2);
    truncateSync(path, whole.length - 3);
    const second = await openWarcWriter(setup(folder, { compress }));
    const [again] = await second.append(
      responseRecord(context(9), { head: HEAD, body: Buffer.from('again') }),
    );
    await second.close();
    assert.equal(again?.offset, last?.offset);
    const { records, damages } = await readAll(path);
    assert.deepEqual(
      records.map(({ targetUri }) => targetUri?.slice(-1)),
      [undefined, '0', '1', '9'],
    );
    assert.deepEqual(damages, []);
  });
}

test('damage in the middle of a file is left alone by recovery', async (t) => {
  const folder = await temporaryFolder(t);
  const path = join(folder, 'x.warc.gz');
  const record = (text: string) =>
    gzipSync(`WARC/1.1\r\nWARC-Type: resource\r\nContent-Length: ${text.length}\r\n\r\n${text}\r\n\r\n`);
  const bytes = Buffer.concat([record('a'), Buffer.from('damage'), record('b')]);
  writeFileSync(path, bytes);
  assert.equal((await recoverWarc(path)).removed, 0);
  assert.ok(readFileSync(path).equals(bytes));
});

test('a writer that is killed at any moment leaves files of whole records', async (t) => {
  const folder = await temporaryFolder(t);
  const script = fileURLToPath(new URL('./endless-writer.fixture.ts', import.meta.url));
  const acknowledged = new Set<string>();
  for (let round = 0; round < 4; round++) {
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script, folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      // Some way into the writing, at another moment in every round.
      if (text.length > 2000 * (round + 1)) child.kill('SIGKILL');
    });
    await once(child, 'close');
    for (const line of text.split('\n').slice(0, -1)) acknowledged.add(line);
  }
  const writer = await openWarcWriter(setup(folder, { prefix: 'endless', maxBytes: 200_000 }));
  await writer.close();
  const found = new Set<string>();
  for (const name of readdirSync(folder)) {
    const { records, damages } = await readAll(join(folder, name), { verify: true });
    assert.deepEqual(damages, [], name);
    for (const { targetUri, verdicts, truncated } of records) {
      assert.equal(truncated, false);
      for (const { result } of verdicts ?? []) assert.equal(result, 'right');
      if (targetUri !== undefined) {
        assert.ok(!found.has(targetUri), 'no record twice');
        found.add(targetUri);
      }
    }
  }
  assert.ok(acknowledged.size > 50);
  for (const uri of acknowledged) assert.ok(found.has(uri), `${uri} was reported as written`);
});
