import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { cutValues } from './cut-values.ts';
import { ValueSpool } from './value-spool.ts';

let folder: string;
let spool: ValueSpool;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'garner-didl-'));
  spool = new ValueSpool(join(folder, 'values'));
  await spool.begin();
});
after(() => rm(folder, { recursive: true, force: true }));

const LONG = Buffer.alloc(90_000, 'heather ');

async function* inPieces(text: string, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0, i = 0; at < bytes.length; i++) {
    const size = sizes[i % sizes.length] ?? 1;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

async function cut(text: string, sizes: readonly number[]): Promise<string> {
  // Joined before they are decoded: a piece may end inside a character.
  const out: Uint8Array[] = [];
  for await (const bytes of cutValues(inPieces(text, sizes), spool)) out.push(Buffer.from(bytes));
  return Buffer.concat(out).toString();
}

test('only long base64 of resources is taken out, wherever the answer is broken into pieces', async () => {
  const long = LONG.toString('base64');
  const text = `<a><!-- <d:Resource encoding="base64"> --><d:Resource encoding='base64'>${long}</d:Resource><d:Resource>${long}</d:Resource><Resource encoding="base64">aGk=</Resource><b>ü</b></a>`;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 50, max: 70_000 }), { minLength: 1, maxLength: 5 }),
      async (sizes) => {
        const out = await cut(text, sizes);
        const name = /'base64'>(value:[^<]*)<\/d:Resource>/.exec(out)?.[1] ?? '';
        assert.equal(out.replace(name, long), text);
        const value = spool.find(name);
        assert.equal(value?.size, LONG.length);
        assert.equal(value.digests.sha1, createHash('sha1').update(LONG).digest('hex'));
        await value.discard();
      },
    ),
    { numRuns: 30 },
  );
  assert.deepEqual(await readdir(join(folder, 'values')), []);
});

test('short pieces around the tags change nothing', async () => {
  const text = '<x><Resource encoding="base64">aGk=</Resource><y/><Resource encoding="base64"/></x>';
  for (const size of [1, 2, 3, 5]) assert.equal(await cut(text, [size]), text);
});

test('thirty megabytes leave the stream as a name, and what is no base64 as nothing that could be taken for it', async () => {
  const line = `${Buffer.alloc(48 * 1024, 'moss').toString('base64')}\n`;
  const lines = 640;
  let longest = 0;
  let passed = 0;
  async function* answer(ending: string): AsyncGenerator<Uint8Array> {
    yield Buffer.from('<Resource encoding="base64">');
    for (let i = 0; i < lines; i++) yield Buffer.from(line);
    yield Buffer.from(`${ending}</Resource>`);
  }
  for (const ending of ['', '*']) {
    let out = '';
    passed = 0;
    for await (const bytes of cutValues(answer(ending), spool)) {
      longest = Math.max(longest, bytes.length);
      passed += bytes.length;
      out += Buffer.from(bytes).toString();
    }
    assert.ok(passed < 200 && longest < 100, `${passed} bytes were handed on`);
    const content = />([^<]*)</.exec(out)?.[1] ?? '';
    if (ending === '') {
      assert.equal(spool.find(content)?.size, lines * 48 * 1024);
      await spool.find(content)?.discard();
    } else assert.equal(content, '!');
  }
  assert.deepEqual(await readdir(join(folder, 'values')), [], 'a broken one leaves no file');
});
