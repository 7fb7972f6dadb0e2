/** Who may read an item, when its record comes again. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { recordDocument } from '../src/app/record-document.ts';
import { createSourceIngest, type Garner, openGarner } from '../src/app.ts';
import { ANONYMOUS, OPERATOR } from '../src/core/access.ts';
import { defaultConfig } from '../src/core/config.ts';
import { reindexSource } from '../src/harvest/reindex.ts';
import { hideItem, openTestArchive, SOURCE } from '../src/packaging/archive.fixture.ts';

const SCHEMA = `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">
  <xs:element name="note"><xs:complexType><xs:sequence>
    <xs:element name="year" type="xs:gYear"/>
  </xs:sequence></xs:complexType></xs:element>
</xs:schema>`;

test('a record that its schema refuses is hidden until a valid one comes', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'garner-kept-rules-'));
  try {
    await writeFile(join(folder, 'note.xsd'), SCHEMA);
    await using garner = await openGarner(
      defaultConfig(folder, {
        data: join(folder, 'data'),
        sources: {
          notes: {
            kind: 'files',
            path: folder,
            xsd: join(folder, 'note.xsd'),
            validation: 'quarantine',
          },
        },
      }),
    );
    const take = async (year: string) => {
      await writeFile(join(folder, 'one.xml'), `<note><year>${year}</year></note>`);
      await recordDocument(garner, 'notes', join(folder, 'one.xml'));
      const [hit] = (await garner.store.search.search({ query: { type: 'all' }, limit: 1 }, ANONYMOUS)).hits;
      return hit?.identifier;
    };
    const shown = await take('1999');
    assert.notEqual(shown, undefined);
    assert.equal(await take('soon'), undefined);
    assert.equal(await take('2001'), shown);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('reindexing judges what is stored by the validation of today', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'garner-kept-rules-'));
  try {
    await writeFile(join(folder, 'note.xsd'), SCHEMA);
    await writeFile(join(folder, 'one.xml'), '<note><year>soon</year></note>');
    const seenAfter = async (
      validation: 'report' | 'quarantine',
      work: (garner: Garner) => Promise<unknown>,
    ) => {
      await using garner = await openGarner(
        defaultConfig(folder, {
          data: join(folder, 'data'),
          sources: { notes: { kind: 'files', path: folder, xsd: join(folder, 'note.xsd'), validation } },
        }),
      );
      await work(garner);
      return (await garner.store.search.search({ query: { type: 'all' }, limit: 1 }, ANONYMOUS)).total;
    };
    const reindex = async (garner: Garner) => {
      const ingest = createSourceIngest(garner, 'notes');
      try {
        await reindexSource({ store: garner.store, ingest, formats: garner.formats }, 'notes');
      } finally {
        await ingest.close();
      }
    };
    const take = (garner: Garner) => recordDocument(garner, 'notes', join(folder, 'one.xml'));
    assert.equal(await seenAfter('report', take), 1);
    assert.equal(await seenAfter('quarantine', reindex), 0);
    assert.equal(await seenAfter('report', reindex), 1);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('reindexing gives captures the sets of their types, which older archives lack', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'garner-kept-rules-'));
  try {
    const capture = {
      webCapture: 1,
      url: 'http://example.org/plan',
      added: { capturedAt: '2005-03-04T05:06:07Z', contentType: 'text/plain' },
      described: { type: 'Web capture', mediaType: 'application/pdf' },
      extracted: {},
    };
    await using garner = await openGarner(
      defaultConfig(folder, {
        data: join(folder, 'data'),
        sources: { old: { kind: 'files', path: folder } },
      }),
    );
    const { store } = garner;
    const setsOf = async () =>
      (await store.items.findItem({ source: 'old', identifier: capture.url }, ANONYMOUS))?.sets;
    const ingest = createSourceIngest(garner, 'old');
    try {
      const bytes = Buffer.from(JSON.stringify(capture));
      const { records } = await ingest.extract([
        { bytes, syntax: 'json', where: 'old.warc', line: 1, fallbackIdentifier: 'old' },
      ]);
      const { id: runId } = await store.runs.startRun('old', 'import');
      await store.items.commit({ source: 'old', runId, records });
      await store.runs.finishRun(runId, 'complete');
      assert.deepEqual(await setsOf(), []);
      await reindexSource({ store, ingest, formats: garner.formats }, 'old');
    } finally {
      await ingest.close();
    }
    assert.deepEqual(await setsOf(), ['mime:application:pdf']);
    const listed = await store.harvest.listSets({ limit: 9 }, ANONYMOUS);
    assert.deepEqual(
      listed.map(({ spec }) => spec),
      ['mime', 'mime:application', 'mime:application:pdf'],
    );
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('a page that was hidden stays hidden when it is crawled again', async () => {
  await using archive = await openTestArchive();
  const url = 'http://example.org/';
  const crawl = (at: string, body: string) => archive.crawl(at, [{ url, body }]);
  const ref = { source: SOURCE, identifier: url };
  await crawl('2026-01-01T00:00:00Z', '<title>First</title>');
  await hideItem(archive.store, ref);
  await crawl('2026-01-02T00:00:00Z', '<title>Second</title>');
  assert.equal(await archive.store.items.findItem(ref, ANONYMOUS), undefined);
  assert.equal((await archive.store.items.findItem(ref, OPERATOR))?.title, 'Second');
});
