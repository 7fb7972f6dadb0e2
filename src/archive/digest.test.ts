import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type DigestAlgorithm,
  digestHex,
  parseDigest,
  sha1Base32,
  writeBase32,
  writeDigest,
} from './digest.ts';
import { readAll, warcRecord } from './samples.fixture.ts';

test('base32 has the vectors of RFC 4648, without padding', () => {
  const vectors = ['', 'MY', 'MZXQ', 'MZXW6', 'MZXW6YQ', 'MZXW6YTB', 'MZXW6YTBOI'];
  assert.deepEqual(
    vectors,
    [0, 1, 2, 3, 4, 5, 6].map((length) => writeBase32(Buffer.from('foobar').subarray(0, length))),
  );
});

test('a digest is understood in hex, base32 and base64, in any case of its label', () => {
  fc.assert(
    fc.property(
      fc.uint8Array(),
      fc.constantFrom<DigestAlgorithm[]>('sha1', 'sha256', 'sha512', 'md5'),
      (bytes, algorithm) => {
        const hex = digestHex(algorithm, Buffer.from(bytes));
        const raw = Buffer.from(hex, 'hex');
        const forms = [
          hex,
          hex.toUpperCase(),
          writeBase32(raw),
          writeBase32(raw).toLowerCase(),
          raw.toString('base64'),
        ];
        for (const form of forms) assert.deepEqual(parseDigest(`${algorithm}:${form}`), { algorithm, hex });
        assert.deepEqual(parseDigest(writeDigest({ algorithm, hex })), { algorithm, hex });
      },
    ),
  );
  assert.equal(parseDigest('sha-256:'.concat('0'.repeat(64)))?.algorithm, 'sha256');
  for (const text of ['sha1:short', 'crc32:00000000', 'nothing', 'sha1:1112H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ']) {
    assert.equal(parseDigest(text), undefined);
  }
});

test('verdicts tell right digests from wrong and unknown ones', async () => {
  const right = `sha1:${sha1Base32(Buffer.from('the block'))}`;
  const verdict = async (extra: string, type = 'resource') =>
    (await readAll(warcRecord('the block', { extra, type }), { verify: true })).records[0]?.verdicts?.[0]
      ?.result;
  assert.equal(await verdict(`WARC-Block-Digest: ${right}`), 'right');
  assert.equal(await verdict(`WARC-Payload-Digest: ${right}`), 'right');
  assert.equal(await verdict(`WARC-Block-Digest: sha1:${sha1Base32(Buffer.from('another'))}`), 'wrong');
  assert.equal(await verdict('WARC-Block-Digest: crc32:01020304'), 'unknown');
  // The payload of a revisit is in another record.
  assert.equal(await verdict(`WARC-Payload-Digest: ${right}`, 'revisit'), 'unknown');
  assert.equal(await verdict('X-Nothing: here'), undefined);
});
