/** Pages that are in the store are judged again, by rules and by pages of others that came after them. */
import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createPdfReader } from '../src/archive/content/index.ts';
import { archiveFolder, captureRecord, judgeCaptures } from '../src/archive/items/index.ts';
import { OPERATOR } from '../src/core/access.ts';
import type { WebCapture } from '../src/formats/web-capture.ts';
import { openTestArchive, SOURCE, type TestArchive, withinRun } from '../src/packaging/archive.fixture.ts';

const TAGS =
  '<meta name="description" content="Gauges and tides of the harbour, hour by hour since 1901"><meta name="keywords" content="gauges, tides, harbour, hours">';
const TEXT = '<p>Gauges and tides of the harbour are here, hour by hour since 1901.</p>';
const page = (title: string, tags = TAGS): string => `<title>${title}</title><h1>Heading</h1>${tags}${TEXT}`;
const OLD = 'http://old.example/';
const LATE = 'http://late.example/';

const pdf = createPdfReader();
let archive: TestArchive;
before(async () => {
  archive = await openTestArchive();
  await archive.crawl('2020-02-02T00:00:00Z', [
    { url: OLD, body: page('Untitled Document', '') },
    { url: LATE, body: page('Gauges') },
    { url: `${LATE}b`, body: page('Gauges of today') },
  ]);
});
after(async () => {
  await pdf.close();
  await archive[Symbol.asyncDispose]();
});

const judge = () =>
  withinRun(archive.store, (runId) =>
    judgeCaptures({ ...archive, dataFolder: archive.folder, pdf }, { source: SOURCE, runId }),
  );
const itemOf = async (identifier: string) =>
  (await archive.store.items.findItem({ source: SOURCE, identifier }, OPERATOR)) ?? assert.fail(identifier);

/** As an installation has it that knew of no doubts. */
async function believe(identifier: string, title: string): Promise<void> {
  const { items } = archive.store;
  const content = await items.findContent({ source: SOURCE, identifier }, {}, OPERATOR);
  const { described, ...record } = JSON.parse(Buffer.from(content?.bytes ?? []).toString()) as WebCapture;
  const { judged: _, tagDigest: __, ...rest } = described;
  const before = {
    ...record,
    described: { ...rest, title, subject: ['gauges'] },
    catalogued: { place: ['Kiel'] },
  };
  await withinRun(archive.store, (runId) =>
    items.commit({ source: SOURCE, runId, records: [captureRecord(before, archive.fields, {})] }),
  );
}

test('a page from before there were rules is judged; what a curator said of it stays', async () => {
  await believe(OLD, 'Untitled Document');
  assert.equal((await itemOf(OLD)).title, 'Untitled Document');
  assert.deepEqual(await judge(), { judged: 3, changed: 1, unread: 0 });
  const { title, fields } = await itemOf(OLD);
  assert.deepEqual([title, fields.doubtful, fields.place], ['Heading', ['title'], ['Kiel']]);
  const history = await archive.store.items.listHistory({ source: SOURCE, identifier: OLD }, OPERATOR);
  const [last] = history.toSorted((a, b) => b.version - a.version);
  assert.deepEqual(last?.event, {
    type: 'modification',
    driver: 'repository',
    reason: 'what the page says of itself was judged anew',
  });
  assert.deepEqual(await judge(), { judged: 3, changed: 0, unread: 0 }, 'once is enough');
});

test('tags turn out to be copied when the page that had them before comes in', async () => {
  const [description] = (await itemOf(LATE)).fields.description ?? [];
  assert.ok(description);
  await archive.crawl('2010-01-01T00:00:00Z', [{ url: 'http://first.example/', body: page('Gauges') }]);
  // Also when nobody knew the tags of either.
  await believe(LATE, 'Gauges');
  await believe('http://first.example/', 'Gauges');
  await judge();
  const { fields } = await itemOf(LATE);
  assert.deepEqual([fields.subject, fields.doubtful], [undefined, ['description', 'subject']]);
  assert.ok((await itemOf('http://first.example/')).fields.subject);
});

test('a page whose content is gone stays as it is, and is counted', async () => {
  const before = await itemOf(LATE);
  await rm(join(archiveFolder(archive.folder, SOURCE)), { recursive: true });
  const { judged, changed, unread } = await judge();
  assert.deepEqual([judged, changed, unread], [0, 0, 4]);
  assert.deepEqual(await itemOf(LATE), before);
});
