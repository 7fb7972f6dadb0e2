import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { type OaiEvent, type OaiSummary, readEnvelope } from './envelope.ts';

async function* inChunks(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  let at = 0;
  for (let i = 0; at < bytes.length; i++) {
    const size = sizes.length > 0 ? (sizes[i % sizes.length] ?? 1) : bytes.length;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

async function read(xml: string | Uint8Array, sizes: readonly number[] = []) {
  const events: OaiEvent[] = [];
  const reading = readEnvelope(inChunks(typeof xml === 'string' ? Buffer.from(xml) : xml, sizes));
  for (;;) {
    const step = await reading.next();
    if (step.done) return { events, summary: step.value satisfies OaiSummary };
    events.push(step.value);
  }
}

const plain = (events: readonly OaiEvent[]) =>
  events.map((event) =>
    event.kind === 'record'
      ? {
          ...event.record,
          ...(event.record.metadata && {
            metadata: {
              ...event.record.metadata,
              bytes: Buffer.from(event.record.metadata.bytes).toString(),
            },
          }),
        }
      : event,
  );

const NASTY = `<?xml version="1.0"?>
<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/" xmlns:x="urn:x" xmlns:unused="urn:u">
<responseDate>2026-01-01T00:00:00Z</responseDate><request verb="ListRecords">http://x/</request>
<ListRecords>
<record><header><identifier>one &amp; &lt;two&gt;</identifier><datestamp>2020-01-01</datestamp><setSpec>a</setSpec><setSpec> a </setSpec></header>
<metadata><x:r><record><header status="deleted"><identifier>inner</identifier></header></record><x:r/><!-- </x:r></record> --><![CDATA[</x:r></metadata></record>]]></x:r></metadata>
<about><provenance xmlns="http://www.openarchives.org/OAI/2.0/provenance"><originDescription harvestDate="2025-01-01T00:00:00Z" altered="true"><baseURL>http://a/</baseURL><identifier>oai:a:1</identifier><datestamp>2024-01-01</datestamp><metadataNamespace>urn:x</metadataNamespace><originDescription harvestDate="2023-01-01T00:00:00Z" altered="false"><baseURL>http://b/</baseURL><identifier>oai:b:1</identifier><datestamp>2022-01-01</datestamp><metadataNamespace>urn:x</metadataNamespace></originDescription></originDescription></provenance></about></record>
<record><header status=" Deleted "><identifier><![CDATA[three]]></identifier><datestamp>2020-01-02</datestamp></header></record>
<record><header><identifier>four</identifier></header><metadata><plain a="1>0"><child/></plain></metadata></record>
<resumptionToken completeListSize="12" cursor="0"> t&amp;k
</resumptionToken></ListRecords></OAI-PMH>`;

test('records are taken apart by depth, whatever stands inside of them', async () => {
  const { events, summary } = await read(NASTY);
  const records = events.flatMap((event) => (event.kind === 'record' ? [event.record] : []));
  assert.deepEqual(
    records.map(({ header }) => header),
    [
      { identifier: 'one & <two>', datestamp: '2020-01-01', sets: ['a'], deleted: false },
      { identifier: 'three', datestamp: '2020-01-02', sets: [], deleted: true },
      { identifier: 'four', sets: [], deleted: false },
    ],
  );
  assert.deepEqual(summary.token, { text: 't&k', completeListSize: 12, cursor: 0 });
  assert.equal(summary.complete, true);
  assert.deepEqual(summary.errors, []);
});

test('metadata stands alone, with the namespaces it uses and no others', async () => {
  const { events } = await read(NASTY);
  const [first, , third] = plain(events) as { metadata?: { bytes: string; namespace: string } }[];
  assert.match(
    first?.metadata?.bytes ?? '',
    /^<x:r xmlns="http:\/\/www\.openarchives\.org\/OAI\/2\.0\/" xmlns:x="urn:x">/,
  );
  assert.equal(first?.metadata?.namespace, 'urn:x');
  assert.equal(
    third?.metadata?.bytes,
    '<plain xmlns="http://www.openarchives.org/OAI/2.0/" a="1>0"><child/></plain>',
  );
});

for (const [inside, wanted] of [
  ['<x:a/><x:b c="d:e"> f </x:b>', false],
  ['<x:a/><b/>', true],
  ['<x:a><été c="d">e</été></x:a>', true],
  ['<x:a>!<x:b/></x:a>', false],
] as const)
  test(`the default namespace ${wanted ? 'goes' : 'does not go'} with ${inside}`, async () => {
    const { events } = await read(NASTY.replace('<plain a="1>0"><child/></plain>', `<x:r>${inside}</x:r>`));
    const third = plain(events)[2] as { metadata?: { bytes: string } };
    assert.equal(third.metadata?.bytes.includes(' xmlns="'), wanted, third.metadata?.bytes);
  });

test('the provider’s own provenance is read hop by hop', async () => {
  const { events } = await read(NASTY);
  const [first] = events;
  assert.equal(first?.kind, 'record');
  assert.deepEqual(first.kind === 'record' && first.record.provenance, {
    baseURL: 'http://a/',
    identifier: 'oai:a:1',
    datestamp: '2024-01-01',
    metadataNamespace: 'urn:x',
    harvestDate: '2025-01-01T00:00:00Z',
    altered: true,
    originDescription: {
      baseURL: 'http://b/',
      identifier: 'oai:b:1',
      datestamp: '2022-01-01',
      metadataNamespace: 'urn:x',
      harvestDate: '2023-01-01T00:00:00Z',
      altered: false,
    },
  });
});

test('the same comes out however the bytes arrive', async () => {
  const whole = await read(NASTY);
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 8 }),
      async (sizes) => {
        const cut = await read(NASTY, sizes);
        assert.deepEqual(plain(cut.events), plain(whole.events));
        assert.deepEqual(cut.summary, whole.summary);
      },
    ),
    { numRuns: 40 },
  );
});

test('wherever an answer breaks off, what was complete before is given, and nothing else', async () => {
  const whole = plain((await read(NASTY)).events);
  const bytes = Buffer.from(NASTY);
  const from = NASTY.indexOf('<OAI-PMH ') + 9;
  for (let end = from; end < bytes.length; end += 7) {
    const { events, summary } = await read(bytes.subarray(0, end));
    assert.deepEqual(plain(events), whole.slice(0, events.length));
    assert.equal(summary.complete, false, `cut at ${end}`);
  }
});

test('an answer of many records keeps few bytes in memory', async () => {
  const record = `<record><header><identifier>i</identifier></header><metadata><a>${'x'.repeat(50_000)}</a></metadata></record>`;
  async function* endless(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('<OAI-PMH><ListRecords>');
    for (let i = 0; i < 2000; i++) yield Buffer.from(record);
    yield Buffer.from('</ListRecords></OAI-PMH>');
  }
  const before = process.memoryUsage().arrayBuffers;
  let count = 0;
  let peak = 0;
  for await (const event of readEnvelope(endless())) {
    if (event.kind === 'record') count++;
    if (count % 100 === 0) peak = Math.max(peak, process.memoryUsage().arrayBuffers - before);
  }
  assert.equal(count, 2000);
  assert.ok(peak < 64 * 1024 * 1024, `${peak} bytes for 100 MB`);
});

test('what is no OAI-PMH is told apart from what is nothing', async () => {
  await assert.rejects(read('<html><title>Please log in</title></html>'), {
    code: 'oai.response',
    message: /Please log in/,
  });
  await assert.rejects(read(' \n '), { code: 'source.empty' });
});

const SAMPLES = fileURLToPath(new URL('../../../../shared/data/oai-responses/', import.meta.url));
for (const [file, records, token] of [
  ['sickle-bsd/ListRecords.xml', undefined, true],
  ['sickle-bsd/ListRecords4.xml', undefined, false],
  ['pyoai-bsd/fake2-00002.xml', undefined, undefined],
  ['oaipmh2js-mit/list-records-1.xml', undefined, true],
  ['oaipmh2js-mit/list-records-3-last.xml', undefined, false],
  ['pycsw-mit/get_ListRecords_iso19139.xml', undefined, undefined],
] as const) {
  const path = SAMPLES + file;
  test(`every record of ${file} is found`, {
    skip: !existsSync(path) && 'shared samples are not here',
  }, async () => {
    const bytes = readFileSync(path);
    const { events, summary } = await read(bytes, [1000]);
    const found = events.filter(({ kind }) => kind === 'record');
    const expected = bytes.toString().match(/<(?:\w+:)?record[\s>]/g)?.length ?? 0;
    assert.equal(found.length, records ?? expected);
    for (const event of found)
      if (event.kind === 'record' && !event.record.header.deleted)
        assert.ok(event.record.header.identifier && event.record.metadata, file);
    assert.equal(summary.complete, true);
    if (token !== undefined) assert.equal(Boolean(summary.token?.text), token);
  });
}
