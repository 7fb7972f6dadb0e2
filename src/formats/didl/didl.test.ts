import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { parseXml } from '../../xml/engine.ts';
import { compileSchema } from '../../xml/xsd.ts';
import { type DidlFile, writeFileDidl } from './web-file.ts';

const schemas = fileURLToPath(new URL('../../../../shared/standards/xsd/', import.meta.url));

async function* inChunks(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  for (let at = 0, i = 0; at < bytes.length; i++) {
    const size = sizes.length > 0 ? (sizes[i % sizes.length] ?? 1) : bytes.length;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

const file = (more: Partial<DidlFile> = {}): DidlFile => ({
  url: 'https://www.foo.edu/a?b=1&c=%3C',
  mediaType: 'text/html',
  fixity: { size: 5, sha256: 'ab'.repeat(32) },
  headers: [['Content-Type', 'text/html']],
  dublinCore: { title: ['A & B'], format: ['text/html', '5 bytes'] },
  reference: true,
  ...more,
});

async function write(described: DidlFile): Promise<string> {
  let text = '';
  for await (const piece of writeFileDidl(described)) text += piece;
  return text;
}

test('bytes come back from base64 whatever the pieces they were read in', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ maxLength: 300 }),
      fc.array(fc.integer({ min: 1, max: 7 }), { maxLength: 5 }),
      async (bytes, sizes) => {
        const text = await write(file({ bytes: inChunks(bytes, sizes) }));
        const [, content] = /encoding="base64">([^<]*)</.exec(text) ?? [];
        assert.deepEqual(Buffer.from(content ?? '', 'base64'), Buffer.from(bytes));
      },
    ),
    { numRuns: 100 },
  );
});

test('a file goes by value, by reference or both, and never by nothing', async () => {
  const bytes = () => inChunks(Buffer.from('hello'), []);
  const both = await write(file({ bytes: bytes() }));
  assert.match(
    both,
    /encoding="base64">aGVsbG8=<.*<didl:Resource mimeType="text\/html" ref="https:[^"]*&amp;c=%3C"\/>/,
  );
  assert.doesNotMatch(await write(file({ bytes: bytes(), reference: false })), / ref=/);
  assert.match(await write(file({ reference: false })), / ref=/);
});

test('the document is valid against the DIDL, PREMIS and Dublin Core schemas (DII and http_header reconstructed)', async (t) => {
  if (!existsSync(schemas)) return t.skip('no schema collection beside the project');
  using schema = compileSchema(join(schemas, 'drivers/didl-web.xsd'), { root: schemas });
  for (const variant of [file(), file({ bytes: inChunks(Buffer.from('hello'), []) })]) {
    using document = parseXml(Buffer.from(await write(variant)));
    assert.deepEqual(schema.validate(document), []);
  }
});
