import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Base64Reader } from './base64.ts';
import { readDidl } from './read-didl.ts';
import { writeFileDidl } from './web-file.ts';

const decode = (text: string, sizes: readonly number[] = []): Buffer => {
  const reader = new Base64Reader();
  const parts: Buffer[] = [];
  for (let at = 0, i = 0; at < text.length; i++) {
    const size = sizes.length > 0 ? (sizes[i % sizes.length] ?? 1) : text.length;
    parts.push(reader.push(Buffer.from(text.slice(at, at + size))));
    at += size;
  }
  return Buffer.concat([...parts, reader.finish()]);
};

test('base64 is read whatever the pieces, with blanks, and with or without padding', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 200 }),
      fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 4 }),
      fc.boolean(),
      (bytes, sizes, padded) => {
        const text = Buffer.from(bytes)
          .toString('base64')
          .replace(/(.{7})/g, '$1\r\n ');
        assert.deepEqual(decode(padded ? text : text.replaceAll('=', ''), sizes), Buffer.from(bytes));
      },
    ),
  );
});

test('what is no base64 is refused, and never read as something shorter', () => {
  for (const text of [
    '*',
    'aGVsb',
    'a===',
    '=aaa',
    'aGVs=bG8',
    'aGVsbG8=aGVs',
    'aGVs-bG8',
    'aGVsé',
    'aGVs&#10;',
  ])
    assert.throws(() => decode(text), { code: 'didl.content' }, text);
});

test('what our own writer makes is read again: address, headers, digest, size, value and reference', async () => {
  const headers = [
    ['Content-Type', 'text/html; charset=utf-8'],
    ['X-Note', 'a < b & "c"'],
  ] as const;
  let text = '';
  for await (const piece of writeFileDidl({
    url: 'https://www.foo.edu/a?b=1&c=2',
    mediaType: 'text/html',
    fixity: { size: 5, sha256: 'ab'.repeat(32) },
    headers,
    dublinCore: { title: ['size'] },
    reference: true,
    bytes: (async function* () {
      yield Buffer.from('hello');
    })(),
  }))
    text += piece;
  const didl = readDidl(Buffer.from(text));
  assert.equal(didl.identifier, 'https://www.foo.edu/a?b=1&c=2');
  assert.deepEqual(didl.headers, headers);
  assert.deepEqual(didl.fixity, [{ algorithm: 'sha256', digest: 'ab'.repeat(32) }]);
  assert.equal(didl.size, 5);
  assert.deepEqual(
    didl.resources.map(({ content, ...rest }) => ({ ...rest, content: content.toString() })),
    [
      { mediaType: 'text/html', encoding: 'base64', content: 'aGVsbG8=', component: 0 },
      { mediaType: 'text/html', ref: 'https://www.foo.edu/a?b=1&c=2', content: '', component: 0 },
    ],
  );
});

test('what is no DIDL, or breaks off, is refused', () => {
  for (const text of ['', '<dc/>', '<DIDL><Item><Component><Resource>aGVs'])
    assert.throws(() => readDidl(Buffer.from(text)), { code: 'didl.content' }, text);
});
