import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { GarnerError } from '../../core/errors.ts';
import { bytesInMemory } from '../bytes/byte-source.ts';
import { readAll, stuttering, temporaryFolder, warcRecord } from '../samples.fixture.ts';
import { readArchive } from './read-archive.ts';
import { readRecordAt } from './read-record-at.ts';

const texts = (blocks: readonly Buffer[]): string[] => blocks.map((block) => block.toString('latin1'));
const numbered = (count: number): Buffer[] =>
  Array.from({ length: count }, (_, i) => warcRecord(`block ${i}`, { uri: `http://example.org/${i}` }));

const PACKINGS: Readonly<Record<string, (records: readonly Buffer[]) => Buffer>> = {
  plain: (records) => Buffer.concat(records),
  'gzip per record': (records) => Buffer.concat(records.map((record) => gzipSync(record))),
  'one big gzip': (records) => gzipSync(Buffer.concat(records)),
  'gzip cut anywhere': (records) => {
    const all = Buffer.concat(records);
    const parts: Buffer[] = [];
    for (let at = 0; at < all.length; at += 97) parts.push(gzipSync(all.subarray(at, at + 97)));
    return Buffer.concat(parts);
  },
  'zstd per record': (records) => Buffer.concat(records.map((record) => zstdCompressSync(record))),
  'one big zstd': (records) => zstdCompressSync(Buffer.concat(records)),
};

for (const [name, pack] of Object.entries(PACKINGS)) {
  test(`records packed as ${name} are read, each with its place`, async () => {
    const bytes = pack(numbered(5));
    const { records, blocks } = await readAll(bytes);
    assert.deepEqual(texts(blocks), ['block 0', 'block 1', 'block 2', 'block 3', 'block 4']);
    for (const [i, { stored, version, at }] of records.entries()) {
      assert.equal(version, '1.1');
      assert.equal(at, Date.UTC(2026, 1, 3, 4, 5, 6, 789));
      const again = await readRecordAt(bytesInMemory(bytes), stored.offset, {
        ...(stored.inner !== undefined && { inner: stored.inner }),
      });
      assert.equal(again.whole?.toString(), `block ${i}`);
    }
  });

  test(`records packed as ${name} are read however the bytes arrive`, async () => {
    const bytes = pack(numbered(3));
    for (const step of [1, 2, 3, 7, 64, 1000]) {
      const { blocks } = await readAll(stuttering(bytes, step));
      assert.deepEqual(texts(blocks), ['block 0', 'block 1', 'block 2']);
    }
  });
}

test('lengths of records that do not share a member cover the file', async () => {
  for (const name of ['plain', 'gzip per record', 'zstd per record']) {
    const bytes = PACKINGS[name]?.(numbered(4)) ?? Buffer.alloc(0);
    const { records } = await readAll(bytes);
    let end = 0;
    for (const { stored } of records) {
      assert.equal(stored.offset, end);
      end += stored.length ?? 0;
    }
    assert.equal(end, bytes.length);
  }
});

test('a zstd WARC with a dictionary in front is read, also from its middle', async () => {
  const dictionary = Buffer.from(
    'WARC/1.1 WARC-Type: resource WARC-Target-URI: http://example.org/ '.repeat(8),
  );
  const skippable = (content: Buffer): Buffer => {
    const head = Buffer.alloc(8);
    head.writeUInt32LE(0x184d2a5d, 0);
    head.writeUInt32LE(content.length, 4);
    return Buffer.concat([head, content]);
  };
  const frames = numbered(3).map((record) => zstdCompressSync(record, { dictionary }));
  for (const stored of [dictionary, zstdCompressSync(dictionary)]) {
    const bytes = Buffer.concat([skippable(stored), ...frames]);
    const { records, blocks, damages } = await readAll(bytes);
    assert.deepEqual(texts(blocks), ['block 0', 'block 1', 'block 2']);
    assert.deepEqual(damages, []);
    const offset = records[2]?.stored.offset ?? 0;
    assert.equal((await readRecordAt(bytesInMemory(bytes), offset)).whole?.toString(), 'block 2');
  }
});

test('a block larger than the limit is a stream, in every packing, and is checked and measured', async () => {
  const large = Buffer.alloc(3_000_000, 'abcdefghij');
  const sha1 = 'sha1:UIEQFETU3TQMBKCZOKJJYQMQBEV5JKL3';
  const records = [
    warcRecord('before'),
    warcRecord(large, { extra: `WARC-Block-Digest: ${sha1}` }),
    warcRecord('after'),
  ];
  for (const [name, pack] of Object.entries(PACKINGS)) {
    if (name === 'gzip cut anywhere') continue;
    const sizes: number[] = [];
    const bytes = pack(records);
    for await (const event of readArchive(bytesInMemory(bytes), { wholeBytes: 100_000, verify: true })) {
      if (event.kind === 'damage') continue;
      let size = 0;
      if (event.whole) size = event.whole.length;
      else for await (const part of event.blockStream()) size += part.length;
      sizes.push(size);
    }
    assert.deepEqual(sizes, [6, large.length, 5], name);
    const unread = await readAllUnread(bytes);
    assert.deepEqual(unread.uris.length, 3, name);
    assert.equal(unread.verdict, 'wrong', name);
  }
});

async function readAllUnread(bytes: Buffer) {
  const uris: (string | undefined)[] = [];
  let streamed: { verdicts?: readonly { result: string }[] | undefined } = {};
  for await (const event of readArchive(bytesInMemory(bytes), { wholeBytes: 100_000, verify: true })) {
    if (event.kind === 'damage') continue;
    uris.push(event.targetUri);
    if (!event.whole) streamed = event;
  }
  return { uris, verdict: streamed.verdicts?.[0]?.result };
}

test('a large record at a place keeps its file open until it was read or closed', async () => {
  const bytes = Buffer.concat([warcRecord('x'), warcRecord(Buffer.alloc(500_000, 'y'))]);
  const { records } = await readAll(bytes);
  const offset = records[1]?.stored.offset ?? 0;
  const record = await readRecordAt(bytesInMemory(bytes), offset, { wholeBytes: 1000 });
  assert.equal(record.whole, undefined);
  assert.equal((await record.block()).length, 500_000);
  const unread = await readRecordAt(bytesInMemory(bytes), offset, { wholeBytes: 1000 });
  await unread.close();
});

test('a place without a record is an error of its own', async () => {
  const bytes = Buffer.concat(numbered(2));
  await assert.rejects(
    readRecordAt(bytesInMemory(bytes), 5),
    (error) => error instanceof GarnerError && error.code === 'archive.record',
  );
  await assert.rejects(readRecordAt(bytesInMemory(bytes), 99_999), /no record at/);
});

test('a file without any record is refused', async () => {
  for (const bytes of [Buffer.from('just some text\n'), gzipSync('packed text'), Buffer.alloc(2000, 1)]) {
    await assert.rejects(
      readAll(bytes),
      (error) => error instanceof GarnerError && error.code === 'archive.format',
    );
  }
});

test('header lines with LF, folded values, junk and repeated names are read', async () => {
  const head =
    'WARC/1.0\nWARC-Type: response\nWARC-Target-URI: <http://example.org/a b>\nX-Folded: one\n  two\nno colon here\nX-Twice: 1\nx-twice: 2\nContent-Length: 4\n\n';
  const { records, blocks } = await readAll(Buffer.from(`${head}body\n\n`));
  const [record] = records;
  assert.equal(record?.targetUri, 'http://example.org/a b');
  assert.equal(record?.header('x-folded'), 'one two');
  assert.ok(record?.headers.some(([name, value]) => name === '' && value === 'no colon here'));
  assert.deepEqual(
    record?.headers.filter(([name]) => name.toLowerCase() === 'x-twice').map(([, value]) => value),
    ['1', '2'],
  );
  assert.deepEqual(texts(blocks), ['body']);
});

test('a length that is too short, too long or missing is mended by the next record, and reported', async () => {
  for (const length of [2, 40, 5_000_000, null]) {
    const bytes = Buffer.concat([warcRecord('the whole block', { length }), warcRecord('next')]);
    for (const pack of ['plain', 'gzip per record', 'one big gzip'] as const) {
      const records =
        pack === 'gzip per record'
          ? [warcRecord('the whole block', { length }), warcRecord('next')]
          : [bytes];
      const { blocks, damages } = await readAll(PACKINGS[pack]?.(records) ?? bytes);
      assert.deepEqual(texts(blocks), ['the whole block', 'next'], `${pack} ${length}`);
      assert.equal(
        damages.filter(({ reason, offset }) => reason === 'length' && offset === 0).length,
        1,
        pack,
      );
    }
  }
});

test('a large block that swallowed records gives them back', async () => {
  const bytes = Buffer.concat([
    warcRecord(Buffer.alloc(30_000, 'x'), { length: 60_000 }),
    warcRecord('hidden'),
    warcRecord(Buffer.alloc(50_000, 'y')),
  ]);
  const { records, damages } = await readAll(bytes, { wholeBytes: 10_000 });
  assert.equal(records.length, 3);
  assert.deepEqual(
    damages.map(({ reason, offset }) => [reason, offset]),
    [['length', 0]],
  );
});

test('a damaged gzip member costs only itself', async () => {
  const members = numbered(6).map((record) => gzipSync(record));
  const offset = (members[0]?.length ?? 0) + (members[1]?.length ?? 0);
  const hurt = Buffer.from(members[2] ?? '');
  hurt.fill(0xff, 40, 90);
  members[2] = hurt;
  const { records, damages } = await readAll(Buffer.concat(members));
  const whole = records.filter(({ truncated }) => !truncated);
  assert.deepEqual(
    whole.map(({ targetUri }) => targetUri?.slice(-1)),
    ['0', '1', '3', '4', '5'],
  );
  assert.equal(damages[0]?.offset, offset);
  assert.equal(damages[0]?.skipped, hurt.length);
});

test('a flipped bit that still decompresses shows as a wrong checksum', async () => {
  const member = gzipSync(warcRecord('x'.repeat(50)), { level: 0 });
  const at = member.indexOf('xxxx');
  member[at] = 0x79;
  const { records, damages } = await readAll(Buffer.concat([member, gzipSync(warcRecord('next'))]));
  assert.equal(records.length, 2);
  assert.deepEqual(
    damages.map(({ reason, offset }) => [reason, offset]),
    [['checksum', 0]],
  );
});

test('junk between members and records is passed over and measured', async () => {
  const [first, second] = numbered(2).map((record) => gzipSync(record));
  const junk = Buffer.from('\u001f\u008b\u0008\u0000 this only begins like gzip', 'latin1');
  const packed = await readAll(Buffer.concat([first ?? junk, junk, second ?? junk]));
  assert.equal(packed.records.filter(({ truncated }) => !truncated).length, 2);
  assert.equal(packed.damages[0]?.offset, first?.length);
  assert.equal(packed.damages[0]?.skipped, junk.length);
  const plain = await readAll(
    Buffer.concat([warcRecord('a'), Buffer.from('what is this?\n'), warcRecord('b')]),
  );
  assert.deepEqual(texts(plain.blocks), ['a', 'b']);
  assert.deepEqual(
    plain.damages.map(({ reason, skipped }) => [reason, skipped]),
    [['junk', 14]],
  );
});

test('a file cut off anywhere keeps all that is before the cut', async () => {
  for (const name of ['plain', 'gzip per record', 'zstd per record', 'one big gzip']) {
    const bytes = PACKINGS[name]?.(numbered(3)) ?? Buffer.alloc(0);
    const whole = await readAll(bytes);
    for (let cut = 60; cut < bytes.length; cut += 13) {
      let got: Awaited<ReturnType<typeof readAll>>;
      try {
        got = await readAll(bytes.subarray(0, cut));
      } catch (error) {
        // Less than one line of the first record.
        assert.ok(error instanceof GarnerError && error.code === 'archive.format');
        continue;
      }
      const before = whole.records.filter(
        ({ stored }) => stored.offset + (stored.length ?? Number.POSITIVE_INFINITY) <= cut,
      );
      assert.ok(got.records.length >= before.length, `${name} cut at ${cut}`);
      for (const [i, block] of got.blocks.entries()) {
        assert.ok(whole.blocks[i]?.subarray(0, block.length).equals(block), `${name} cut at ${cut}`);
      }
    }
  }
});

test('ARC version 2 lines, blanks in URLs and the version block are understood', async () => {
  const version =
    '2 0 Test\nURL IP-address Archive-date Content-type Result-code Checksum Location Offset Filename Archive-length\n';
  const bytes = Buffer.from(
    `filedesc://x.arc 0.0.0.0 20010203040506 text/plain 200 - - 0 x.arc ${version.length}\n${version}\n` +
      'http://example.org:80/a b 192.0.2.1 20010203040507 text/html 404 0123abc http://example.org/c 209 x.arc 20\nHTTP/1.0 404 No\n\nhi!\n' +
      'http://example.org/v1 2001:db8::1 20010203040508 text/html; charset=x 3\nabc\n',
  );
  const { records, blocks, damages } = await readAll(bytes);
  assert.deepEqual(
    records.map(({ type, version: v }) => [type, v]),
    [
      ['filedesc', '2'],
      ['response', '2'],
      ['response', '1'],
    ],
  );
  assert.equal(records[1]?.targetUri, 'http://example.org:80/a b');
  assert.equal(records[1]?.header('Result-code'), '404');
  assert.equal(records[1]?.http?.status, 404);
  assert.equal((await records[1]?.payload())?.bytes.toString(), 'hi!');
  assert.equal(records[2]?.header('Content-type'), 'text/html; charset=x');
  assert.equal(blocks[2]?.toString(), 'abc');
  assert.deepEqual(damages, []);
});

test('a thread that inflates ahead gives the same records and damages', async (t) => {
  const path = join(await temporaryFolder(t), 'x.warc.gz');
  const members = Array.from({ length: 300 }, (_, i) =>
    gzipSync(warcRecord(`block ${i} `.repeat(i * 20), { uri: `http://example.org/${i}` })),
  );
  // Larger than a thread's batch, damaged, and no member at all: left to the ordinary way in between.
  members[50] = gzipSync(warcRecord(Buffer.alloc(9_000_000, 'large ')));
  members[100] = Buffer.from(members[100] ?? '').fill(0xff, 60, 70);
  members[200] = Buffer.from('junk');
  writeFileSync(path, Buffer.concat(members));
  const plain = await readAll(path, { verify: true });
  const ahead = await readAll(path, { verify: true, ahead: true });
  assert.equal(plain.records.filter(({ truncated }) => !truncated).length, 298);
  assert.deepEqual(
    ahead.records.map(({ targetUri, stored }) => [targetUri, stored]),
    plain.records.map(({ targetUri, stored }) => [targetUri, stored]),
  );
  assert.ok(ahead.blocks.every((block, i) => block.equals(plain.blocks[i] ?? Buffer.alloc(0))));
  assert.deepEqual(ahead.damages, plain.damages);
});

test('a reader that stops early ends the thread that inflates ahead', async (t) => {
  const path = join(await temporaryFolder(t), 'x.warc.gz');
  const noise = Array.from({ length: 40 }, (_, i) => gzipSync(warcRecord(Buffer.alloc(1_000_000, `${i} `))));
  writeFileSync(path, Buffer.concat(noise));
  for await (const event of readArchive(path, { ahead: true })) {
    assert.equal(event.kind, 'record');
    break;
  }
});
