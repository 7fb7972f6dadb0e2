import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { readManifest } from '../../archive/items/index.ts';
import { OPERATOR } from '../../core/access.ts';
import type { SnapshotLine } from '../../formats/web-snapshot.ts';
import { type Answer, openTestArchive, SOURCE, type TestArchive, withinRun } from '../archive.fixture.ts';
import { findListingVersion, readSnapshot } from '../snapshot/read-snapshot.ts';
import { findLastCataloguing } from './last-cataloguing.ts';
import { modifySnapshot } from './modify-snapshot.ts';
import { chooseThinned, thinSnapshots } from './thin-snapshots.ts';

const HOME = 'http://example.org/';
const WORDS = Array.from({ length: 300 }, (_, i) => `word${i}`).join(' ');
const page = (more: string): Answer => ({ url: HOME, body: `<title>Home</title><p>${WORDS} ${more}` });
const OTHER: Answer = { url: `${HOME}other`, body: 'never changes', type: 'text/plain' };

let archive: TestArchive;
before(async () => {
  // All of it happens within one second, as it may on a quick machine.
  archive = await openTestArchive(() => 1_900_000_000_000);
});
after(() => archive[Symbol.asyncDispose]());

const read = (identifier: string, version?: number) =>
  readSnapshot(archive.store, { source: SOURCE, identifier }, { version }, OPERATOR);

const modify = (identifier: string, change: Partial<Parameters<typeof modifySnapshot>[3]>) =>
  withinRun(archive.store, (runId) =>
    modifySnapshot(archive, { source: SOURCE, identifier }, runId, {
      type: 'fix',
      agent: 'Ada',
      reason: 'a test',
      ...change,
    }),
  );

test('a re-run is a new item, and says what is the same, essentially the same, other, new and gone', async () => {
  const comparing = { threshold: 0.9, fold: false };
  const gone: Answer = { url: `${HOME}gone`, body: 'x' };
  await archive.crawl('2026-01-01T00:00:00Z', [page('first'), OTHER, gone], { series: 'A', comparing });
  const second = await archive.crawl(
    '2026-01-02T00:00:00Z',
    [page('second'), { ...OTHER, revisitOf: '2026-01-01T00:00:01Z' }, { url: `${HOME}new`, body: 'y' }],
    { series: 'A', comparing },
  );
  assert.equal(second, 'A:20260102T000000Z');
  const { record } = await read(second);
  const {
    identifier,
    same,
    similar,
    changed,
    added,
    gone: lost,
    essentiallyUnchanged,
  } = record.comparedWith ?? {};
  assert.deepEqual([identifier, same, similar, changed, added, lost], ['A:20260101T000000Z', 1, 1, 0, 1, 1]);
  assert.equal(essentiallyUnchanged?.[0]?.url, HOME);
});

test('a text that is really other is not taken for the same, and the threshold decides', async () => {
  await archive.crawl('2026-01-01T00:00:00Z', [page('first')], { series: 'B' });
  const other = { url: HOME, body: '<p>nothing of this was there before, not a single run of words' };
  const second = await archive.crawl('2026-01-02T00:00:00Z', [other], {
    series: 'B',
    comparing: { threshold: 0.9, fold: true },
  });
  assert.equal(second, 'B:20260102T000000Z', 'it is no version of the one before');
  assert.equal((await read(second)).record.comparedWith?.changed, 1);
});

test('with folding, an essentially equal re-run is a creator-driven version of the item before', async () => {
  const first = await archive.crawl('2026-01-01T00:00:00Z', [page('first'), OTHER], { series: 'C' });
  const comparing = { threshold: 0.9, fold: true };
  const again: Answer[] = [page('second'), { ...OTHER, revisitOf: '2026-01-01T00:00:01Z' }];
  assert.equal(await archive.crawl('2026-01-02T00:00:00Z', again, { series: 'C', comparing }), first);
  const { history, record } = await read(first);
  assert.deepEqual(
    history.map(({ event }) => [event?.type, event?.driver]),
    [
      ['capture', 'creator'],
      ['recapture', 'creator'],
    ],
  );
  assert.equal(record.files.length, 2);
  assert.equal(record.identifier, first);
});

test('a curator’s values stand before extracted ones, and both are kept', async () => {
  const body = '<title>Home</title><meta name=keywords content="a, b"><meta name=author content="Bo">';
  const identifier = await archive.crawl('2026-01-03T00:00:00Z', [{ url: HOME, body }], { series: 'D' });
  await modify(identifier, { type: 'recataloguing', catalogued: { title: 'Clouds', subject: ['c'] } });
  const { item, record, history } = await read(identifier);
  assert.equal(item.title, 'Clouds');
  assert.deepEqual(item.fields.subject, ['c']);
  assert.deepEqual(item.fields.creator, ['Bo']);
  assert.deepEqual(record.described?.subject, ['a', 'b']);
  assert.deepEqual(history.at(-1)?.event, {
    type: 'recataloguing',
    driver: 'repository',
    agent: 'Ada',
    reason: 'a test',
  });
  await modify(identifier, { catalogued: { title: '', subject: [] } });
  assert.deepEqual((await read(identifier)).item.fields.subject, ['a', 'b']);
  assert.equal((await read(identifier, 2)).record.catalogued?.title, 'Clouds', 'the old version as it was');
});

test('a capture that takes the place of another is listed instead of it', async () => {
  const identifier = await archive.crawl('2026-01-01T00:00:00Z', [page('broken'), OTHER], { series: 'E' });
  await archive.crawl('2026-01-05T00:00:00Z', [page('whole')], { series: 'E2' });
  const [better] = await archive.store.captures.list(
    {
      urlKey: 'org,example)/',
      fromAt: Date.parse('2026-01-05T00:00:00Z'),
      untilAt: Date.parse('2026-01-05T00:00:00Z'),
      limit: 1,
    },
    OPERATOR,
  );
  assert.ok(better);
  await modify(identifier, { captures: [better] });
  const { record } = await read(identifier);
  const lines: SnapshotLine[] = [];
  for await (const line of readManifest(archive.store, record)) lines.push(line);
  assert.deepEqual(
    lines.map(({ url, at }) => [url, new Date(at).toISOString().slice(0, 10)]),
    [
      [HOME, '2026-01-05'],
      [`${HOME}other`, '2026-01-01'],
    ],
  );
  const stranger = { ...better, url: 'http://elsewhere.example/' };
  await assert.rejects(modify(identifier, { captures: [stranger] }), { code: 'item.unknown' });
});

test('who catalogued an item, when and why, is told of what was brought back, too', () => {
  const version = (number: number, digest: string, type: 'capture' | 'recataloguing') => ({
    format: 'web_snapshot',
    version: number,
    at: number * 1000,
    change: number === 4 ? ('rolled-back' as const) : ('updated' as const),
    runId: number,
    digest,
    size: 1,
    event: { type, driver: 'repository' as const },
  });
  const history = [
    version(1, 'a', 'capture'),
    version(2, 'b', 'recataloguing'),
    version(3, 'c', 'recataloguing'),
    version(4, 'b', 'recataloguing'),
  ];
  assert.equal(findLastCataloguing(history)?.version, 2);
  assert.equal(findLastCataloguing(history.slice(0, 3))?.version, 3);
  assert.equal(findLastCataloguing(history.slice(0, 1)), undefined);
});

test('retention keeps the newest few, the first, pinned ones and young ones', () => {
  const history = [1, 2, 3, 4, 5, 6].map((version) => ({
    format: 'web_snapshot',
    version,
    at: version * 1000,
    change: 'updated' as const,
    runId: 1,
    digest: 'd',
    size: 1,
    ...(version === 3 && { pinned: true }),
  }));
  assert.deepEqual(chooseThinned(history, { keepVersions: 2, before: Infinity }), [2, 4]);
  assert.deepEqual(chooseThinned(history, { keepVersions: 2, before: 3000 }), [2]);
  assert.deepEqual(chooseThinned(history, { keepVersions: 1, before: Infinity }), [2, 4, 5]);
  assert.deepEqual(chooseThinned(history, { keepVersions: 0, before: Infinity }), []);
});

test('thinning a source forgets manifests that no kept version needs', async () => {
  const identifier = await archive.crawl('2026-02-01T00:00:00Z', [page('one')], { series: 'F' });
  await archive.crawl('2026-02-02T00:00:00Z', [page('two')], { series: 'F2' });
  const at = Date.parse('2026-02-02T00:00:00Z');
  const [other] = await archive.store.captures.list(
    { urlKey: 'org,example)/', fromAt: at, untilAt: at, limit: 1 },
    OPERATOR,
  );
  assert.ok(other);
  await modify(identifier, { captures: [other] });
  const middle = (await read(identifier)).record.manifest.digest;
  await withinRun(archive.store, (runId) =>
    archive.store.items.rollback({ source: SOURCE, identifier }, { version: 1 }, runId),
  );
  const count = await withinRun(archive.store, (runId) =>
    thinSnapshots(archive.store, SOURCE, runId, { keepVersions: 1, before: Infinity }),
  );
  assert.ok(count >= 1);
  assert.equal(await archive.store.blobs.find(middle), undefined);
  const { record } = await read(identifier);
  assert.ok(await archive.store.blobs.find(record.manifest.digest), 'shared by the first and the newest');
  await assert.rejects(read(identifier, 2), {
    code: 'version.thinned',
    message:
      /^version 2 of "F:20260201T000000Z", of .+, was thinned out on .+Z; kept are 1 \(.+Z\), 3 \(.+Z\)$/,
  });
  await assert.rejects(read(identifier, 9), { code: 'version.unknown' });
});

test('the version that references of a kept one lead to is kept, too', async () => {
  const identifier = await archive.crawl('2026-03-01T00:00:00Z', [page('one')], { series: 'G' });
  await archive.crawl('2026-03-02T00:00:00Z', [page('two')], { series: 'G2' });
  const at = Date.parse('2026-03-02T00:00:00Z');
  const [other] = await archive.store.captures.list(
    { urlKey: 'org,example)/', fromAt: at, untilAt: at, limit: 1 },
    OPERATOR,
  );
  assert.ok(other);
  // Version 2 lists other captures than the first; 3, 4 and 5 only describe them.
  await modify(identifier, { captures: [other] });
  for (const subject of ['a', 'b', 'c']) await modify(identifier, { catalogued: { subject: [subject] } });
  const newest = await read(identifier);
  assert.equal(newest.version, 5);
  const named = await findListingVersion(archive.store, newest, OPERATOR);
  assert.equal(named, 2);
  await withinRun(archive.store, (runId) =>
    thinSnapshots(archive.store, SOURCE, runId, { keepVersions: 1, before: Infinity }),
  );
  const { record } = await read(identifier, named);
  assert.equal(record.manifest.digest, newest.record.manifest.digest);
  assert.equal(await findListingVersion(archive.store, await read(identifier), OPERATOR), named);
  await assert.rejects(read(identifier, 3), { code: 'version.thinned' });
  await assert.rejects(read(identifier, 4), { code: 'version.thinned' });
});

test('re-runs that begin in one second are items of their own, in order, and each is compared with the one before', async () => {
  const comparing = { threshold: 0.9, fold: false };
  const found: string[] = [];
  for (const body of ['one', 'two', 'three'])
    found.push(await archive.crawl('2026-04-01T00:00:00.250Z', [page(body)], { series: 'H', comparing }));
  const later = await archive.crawl('2026-04-01T00:00:01Z', [page('four')], { series: 'H', comparing });
  assert.deepEqual(found, ['H:20260401T000000Z', 'H:20260401T000000Z.02', 'H:20260401T000000Z.03']);
  assert.deepEqual([...found, later].toSorted(), [...found, later]);
  const before = await Promise.all(
    [...found, later].map(async (one) => (await read(one)).record.comparedWith?.identifier),
  );
  assert.deepEqual(before, [undefined, ...found]);
});
