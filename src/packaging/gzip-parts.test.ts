import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { crc32, gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { combineCrc32 } from './combine-crc32.ts';
import { type DeflatedPart, deflateHeld, deflatePart, gzipOf } from './gzip-parts.ts';

test('the CRC of two parts is that of both after one another', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.uint8Array({ maxLength: 300 }), (first, second) => {
      const whole = crc32(Buffer.concat([first, second]));
      assert.equal(combineCrc32(crc32(first), crc32(second), second.length), whole);
    }),
  );
});

test('the CRC may be of more bytes than 32 bits can count', () => {
  const doubled = (crc: number, from: number, until: number): number => {
    let made = crc;
    for (let length = from; length < until; length *= 2) made = combineCrc32(made, made, length);
    return made;
  };
  const byte = crc32(Buffer.from('a'));
  const half = doubled(byte, 1, 2 ** 33);
  // One byte and the 2³³ − 1 that follow are the same as two halves.
  let rest = byte;
  let length = 1;
  for (let power = 1; power < 33; power++) {
    rest = combineCrc32(rest, doubled(byte, 1, 2 ** power), 2 ** power);
    length += 2 ** power;
  }
  assert.equal(length, 2 ** 33 - 1);
  assert.equal(combineCrc32(byte, rest, length), half);
});

async function* held(bytes: Uint8Array): DeflatedPart {
  const { deflated, ...check } = await deflateHeld(bytes);
  yield deflated;
  return check;
}

async function* inChunks(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 7000) yield bytes.subarray(at, at + 7000);
}

test('parts that were deflated apart, at once or as streams, are one member of gzip', async () => {
  const text = Buffer.from('The pen was cleaned on Sundays. '.repeat(9000));
  const contents = [text, Buffer.alloc(0), randomBytes(200_000), Buffer.from('x'), text];
  const parts = contents.flatMap((one) => [() => held(one), () => deflatePart(inChunks(one))]);
  const chunks: Uint8Array[] = [];
  for await (const chunk of gzipOf(parts)) chunks.push(chunk);
  const packed = Buffer.concat(chunks);
  const whole = Buffer.concat(contents.flatMap((one) => [one, one]));
  assert.ok(gunzipSync(packed).equals(whole));
  // Readers like this one refuse whatever follows the first member.
  const strict = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  assert.ok(Buffer.from(await new Response(strict).arrayBuffer()).equals(whole));
});
