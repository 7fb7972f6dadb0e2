import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { XmlC14NMode, XmlDocument } from 'libxml2-wasm';
import type { DidlEvent } from './didl-events.ts';
import { readDidlEvents } from './read-events.ts';
import { writeDidlEvents } from './write-events.ts';

async function* inPieces(text: string, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0, i = 0; at < bytes.length; i++) {
    const size = sizes[i % sizes.length] ?? 1;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

async function again(text: string, sizes: readonly number[] = [64]): Promise<string> {
  const parts: Buffer[] = [];
  for await (const piece of writeDidlEvents(readDidlEvents(inPieces(text, sizes))))
    parts.push(Buffer.from(piece as string));
  return Buffer.concat(parts).toString();
}

function canonical(text: string): string {
  using document = XmlDocument.fromString(text);
  return document.canonicalizeToString({ mode: XmlC14NMode.XML_C14N_1_0, withComments: false });
}

/** As others write it: first edition, default namespace, blanks, comments, a DIDL inside of a statement. */
const FOREIGN = `<?xml version="1.0" encoding="UTF-8"?>
<!-- made elsewhere -->
<DIDL xmlns="urn:mpeg:mpeg21:2002:01-DIDL-NS" xmlns:x="urn:x">
  <Container id='c'>
    <Descriptor><Statement mimeType='text/xml'><Statement xmlns="urn:other">nested <![CDATA[<a>]]></Statement></Statement></Descriptor>
    <Item>
      <Component><Resource mimeType="text/plain" encoding="base64">
        aGVs
        bG8=
      </Resource><Resource ref="http://example.org/?a=1&amp;b=2"></Resource></Component>
    </Item>
  </Container>
</DIDL>
`;

test('a document of others comes out equal in canonical form but for blanks in base64, whatever the pieces', async () => {
  const wanted = canonical(FOREIGN.replace(/\s+aGVs\s+bG8=\s+/, 'aGVsbG8='));
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 4 }),
      async (sizes) => {
        assert.equal(canonical(await again(FOREIGN, sizes)), wanted);
      },
    ),
    { numRuns: 40 },
  );
});

test('values are decoded while they come in, and one that nobody reads is passed over', async () => {
  const read: string[] = [];
  for (const take of ['all', 'some', 'none'] as const) {
    const seen: string[] = [];
    for await (const event of readDidlEvents(inPieces(FOREIGN, [3]))) {
      if (event.kind === 'value' && take !== 'none')
        for await (const bytes of event.bytes) {
          seen.push(Buffer.from(bytes).toString());
          if (take === 'some') break;
        }
      if (event.kind === 'end') seen.push(`/${event.name}`);
    }
    read.push(seen.filter((name) => name.startsWith('/')).join(''));
    if (take === 'all') assert.equal(seen.filter((name) => !name.startsWith('/')).join(''), 'hello');
  }
  assert.equal(new Set(read).size, 1, 'the rest is the same');
});

test('what is no DIDL, has a document type or breaks off is refused', async () => {
  for (const text of [
    '',
    '<records/>',
    '<!DOCTYPE DIDL [<!ENTITY a "b">]><DIDL/>',
    '<DIDL><Item>',
    '<DIDL></Item></DIDL>',
    '<DIDL/><DIDL/>',
    '<DIDL><Item><Component><Resource encoding="base64">aGVs',
    '<DIDL><Item><Descriptor><Statement>text',
    '<DIDL><Item><Component><Resource encoding="base64">*</Resource></Component></Item></DIDL>',
  ])
    await assert.rejects(again(text), { code: 'didl.content' }, text);
});

test('memory holds one piece of a long value or statement', async () => {
  const line = Buffer.alloc(48 * 1024, 'moss').toString('base64');
  const lines = 400;
  async function* document(open: string, close: string): AsyncGenerator<Uint8Array> {
    yield Buffer.from(`<DIDL><Item><Component>${open}`);
    for (let i = 0; i < lines; i++) yield Buffer.from(line);
    yield Buffer.from(`${close}</Component></Item></DIDL>`);
  }
  for (const [open, close] of [
    ['<Resource encoding="base64">', '</Resource>'],
    ['<Resource>', '</Resource>'],
    ['<Descriptor><Statement>', '</Statement></Descriptor>'],
  ] as const) {
    let total = 0;
    let longest = 0;
    const count = (bytes: Uint8Array | string): void => {
      total += bytes.length;
      longest = Math.max(longest, bytes.length);
    };
    for await (const event of readDidlEvents(document(open, close))) await countEvent(event, count);
    assert.ok(longest <= line.length + 100, `${longest} bytes at once`);
    assert.ok(total >= lines * 48 * 1024);
  }
});

async function countEvent(event: DidlEvent, count: (bytes: Uint8Array | string) => void): Promise<void> {
  if (event.kind === 'markup') count(event.markup);
  if (event.kind === 'value') for await (const bytes of event.bytes) count(bytes);
}
