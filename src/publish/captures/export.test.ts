import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { extract } from 'tar-stream';
import {
  captureOf,
  openWacz,
  openWarcWriter,
  REVISIT_PROFILES,
  type RecordDraft,
  readArchive,
  responseRecord,
  revisitRecord,
  writeHttpHead,
} from '../../archive/index.ts';
import { archiveFolder, recordCaptures } from '../../archive/items/index.ts';
import { fileOf, folderOf, safePart } from '../../archive/items/safe-name.ts';
import { ANONYMOUS, OPERATOR, type Viewer } from '../../core/access.ts';
import { createFormatRegistry } from '../../formats/registry.ts';
import { MATCH_ALL } from '../../query/ast.ts';
import { createCatalogue } from '../../query/catalogue.ts';
import { parseQuery } from '../../query/parse.ts';
import type { CaptureEntry, GarnerStore } from '../../store/index.ts';
import { openStore } from '../../store/open.ts';
import { exportFolder, exportTar } from './export-files.ts';
import { type ExportDeps, exportWacz, exportWarc } from './export-warc.ts';
import { type ChosenPage, selectPages } from './select-captures.ts';

const formats = createFormatRegistry();
const catalogue = createCatalogue(formats.fieldSpecs());
const HOME = 'http://example.org/';
const HEADS = {
  html: writeHttpHead('HTTP/1.1 200 OK', [['Content-Type', 'text/html; charset=utf-8']]),
  css: writeHttpHead('HTTP/1.1 200 OK', [['Content-Type', 'text/css']]),
  gif: writeHttpHead('HTTP/1.1 200 OK', [['Content-Type', 'image/gif']]),
};
const GIF = 'GIF89a\u0001\u0000\u0001\u0000';

let folder: string;
let store: GarnerStore;
let deps: ExportDeps;

const answer = (url: string, at: string, body: string, kind: keyof typeof HEADS = 'html'): RecordDraft =>
  responseRecord({ targetUri: url, at: Date.parse(at) }, { head: HEADS[kind], body: Buffer.from(body) });

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'garner-export-'));
  await mkdir(join(folder, 'data'));
  store = await openStore(
    {
      folder: join(folder, 'data'),
      fields: formats.fieldSpecs(),
      sources: [
        { name: 'web', access: { public: true } },
        { name: 'copy', access: { public: true } },
        { name: 'closed', access: { groups: ['staff'] } },
      ],
      views: [],
      repositoryIdentifier: 'test.example.org',
    },
    { threads: 0 },
  );
  deps = { store, dataFolder: join(folder, 'data'), clock: () => Date.parse('2026-01-01'), software: 'Test' };
  const page = '<title>Home</title><link rel=stylesheet href="/s.css"><img src="img/%2e%2e%2fx.gif?a=1">';
  const target = archiveFolder(deps.dataFolder, 'web');
  const writer = await openWarcWriter({ folder: target, prefix: 't', clock: () => 0, info: [] });
  await writer.append(
    answer(HOME, '2020-01-01T00:00:00Z', '<title>Old</title>'),
    answer(HOME, '2021-01-01T00:00:00Z', page),
    revisitRecord({ targetUri: HOME, at: Date.parse('2022-01-01T00:00:00Z') }, HEADS.html, {
      profile: REVISIT_PROFILES.identicalPayload,
      targetUri: HOME,
      at: Date.parse('2021-01-01T00:00:00Z'),
    }),
    answer(`${HOME}s.css`, '2021-01-01T00:00:01Z', 'body{background:url(bg.gif)}', 'css'),
    answer(`${HOME}bg.gif`, '2021-01-01T00:00:02Z', GIF, 'gif'),
    answer(`${HOME}img/%2e%2e%2fx.gif?a=1`, '2021-01-01T00:00:03Z', GIF, 'gif'),
    answer(`${HOME}other`, '2021-01-01T00:00:04Z', '<title>Other</title>'),
  );
  await writer.close();
  await takeIn('web', target);
});
after(async () => {
  await store.close();
  await rm(folder, { recursive: true, force: true });
});

async function takeIn(source: string, target: string): Promise<void> {
  const captures: CaptureEntry[] = [];
  for (const name of await readdir(target))
    for await (const event of readArchive(join(target, name))) {
      const capture = event.kind === 'record' ? captureOf(event, name) : undefined;
      if (capture) captures.push(capture);
    }
  const { id: runId } = await store.runs.startRun(source, 'import');
  const recording = { store, fields: formats.fieldSpecs(), folder: target };
  await recordCaptures(recording, { source, runId }, { captures });
  await store.runs.finishRun(runId, 'complete');
}

const choose = (query = '', viewer: Viewer = OPERATOR): AsyncGenerator<ChosenPage> =>
  selectPages(
    store,
    { query: query === '' ? MATCH_ALL : parseQuery(query, catalogue), sources: ['web'] },
    viewer,
  );

test('an exported WARC taken in elsewhere gives the same captures and items', async () => {
  const target = archiveFolder(deps.dataFolder, 'copy');
  await mkdir(target, { recursive: true });
  const report = await exportWarc(deps, choose(), join(target, 'all.warc.gz'), OPERATOR);
  assert.deepEqual({ ...report }, { pages: 5, captures: 7, problems: [] });
  assert.deepEqual(await readdir(target), ['all.warc.gz']);
  for await (const event of readArchive(join(target, 'all.warc.gz'), { verify: true })) {
    assert.equal(event.kind, 'record');
    if (event.kind === 'record')
      for (const { result } of event.verdicts ?? []) assert.notEqual(result, 'wrong');
  }
  await takeIn('copy', target);
  const facts = async (source: string) => {
    const query = { urlKey: '', match: 'prefix', sources: [source], limit: 100 } as const;
    return (await store.captures.list(query, OPERATOR)).map(
      ({ url, at, type, status, digest, recordId, refersTo }) => ({
        url,
        at,
        type,
        status,
        digest,
        recordId,
        refersTo,
      }),
    );
  };
  assert.deepEqual(await facts('copy'), await facts('web'));
  const items = async (source: string) => {
    const { hits } = await store.search.search({ query: MATCH_ALL, sources: [source], limit: 50 }, OPERATOR);
    return hits.map(({ identifier, title, fields }) => ({ identifier, title, fields })).sort(byIdentifier);
  };
  assert.deepEqual(await items('copy'), await items('web'));
});

const byIdentifier = (a: { identifier: string }, b: { identifier: string }): number =>
  a.identifier < b.identifier ? -1 : 1;

test('a query takes only its pages along, and a revisit brings the record that it repeats', async () => {
  const file = join(folder, 'late.warc.gz');
  const late = selectPages(
    store,
    { query: parseQuery('title:home', catalogue), sources: ['web'], fromAt: Date.parse('2021-06-01') },
    OPERATOR,
  );
  const report = await exportWarc(deps, late, file, OPERATOR);
  assert.equal(report.captures, 2);
  const types: string[] = [];
  for await (const event of readArchive(file)) if (event.kind === 'record') types.push(event.type);
  assert.deepEqual(types, ['warcinfo', 'response', 'revisit']);
});

test('a WACZ has digests that are right, an index that leads to the records, and its pages', async () => {
  const file = join(folder, 'all.wacz');
  await exportWacz(deps, choose(), file, OPERATOR, 'Everything');
  const wacz = await openWacz(file);
  const findings: unknown[] = [];
  for await (const finding of wacz.verify()) findings.push(finding);
  assert.deepEqual(findings, []);
  assert.equal((await wacz.description()).title, 'Everything');
  const pages: string[] = [];
  for await (const { url } of wacz.pages()) pages.push(url);
  assert.deepEqual(pages.sort(), [HOME, `${HOME}other`]);
  let captures = 0;
  for await (const _ of wacz.captures(() => {})) captures++;
  assert.equal(captures, 7);
  await wacz.close();
});

test('a page becomes a directory with what it shows, and its links lead there', async () => {
  const target = join(folder, 'pages');
  await exportFolder(deps, choose('title:home'), target, OPERATOR);
  const [directory = '', ...more] = await readdir(target);
  assert.deepEqual(more, []);
  const names = await readdir(join(target, directory));
  assert.equal(names.length, 5);
  for (const name of names) assert.match(name, /^[A-Za-z0-9_][\w.-]*$/);
  const file = (pattern: RegExp): string => names.find((name) => pattern.test(name)) ?? '';
  const html = await readFile(join(target, directory, file(/\.html$/)), 'utf8');
  assert.ok(html.includes(`href="${file(/\.css$/)}"`), html);
  const css = await readFile(join(target, directory, file(/\.css$/)), 'utf8');
  assert.equal(css, `body{background:url(${file(/^bg-/)})}`);
  const facts: unknown = JSON.parse(await readFile(join(target, directory, 'capture.json'), 'utf8'));
  assert.partialDeepStrictEqual(facts, { url: HOME, title: 'Home', missing: [] });
});

test('a tar.gz holds the same directories', async () => {
  const target = join(folder, 'pages.tar.gz');
  await exportTar(deps, choose('title:home'), target, OPERATOR);
  const names: string[] = [];
  const reader = extract();
  reader.end(gunzipSync(await readFile(target)));
  for await (const entry of reader) {
    names.push(entry.header.name);
    entry.resume();
  }
  const inFolder = await readdir(join(folder, 'pages'), { recursive: true, withFileTypes: true });
  assert.equal(names.length, inFolder.filter((entry) => entry.isFile()).length);
});

test('what the viewer may not read is not exported, and nothing is not a file', async () => {
  const target = archiveFolder(deps.dataFolder, 'closed');
  const writer = await openWarcWriter({ folder: target, prefix: 'c', clock: () => 0, info: [] });
  await writer.append(answer(`${HOME}secret`, '2020-01-01T00:00:00Z', '<title>Secret</title>'));
  await writer.close();
  await takeIn('closed', target);
  const secret = () => selectPages(store, { query: MATCH_ALL, sources: ['closed'] }, ANONYMOUS);
  const file = join(folder, 'secret.wacz');
  await assert.rejects(exportWacz(deps, secret(), file, ANONYMOUS, 't'), { code: 'item.unknown' });
  await assert.rejects(exportTar(deps, secret(), file, ANONYMOUS), { code: 'item.unknown' });
  assert.ok(!(await readdir(folder)).some((name) => /secret|export/.test(name)));
});

test('no URL gives a name that leads anywhere or that a system refuses', () => {
  const hostile = fc.oneof(
    fc.webUrl({ withQueryParameters: true }),
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      'http://x/../../etc/passwd',
      'http://x/..%2f..%5c',
      'http://x/CON',
      'file:///C:/nul',
      '..',
      '',
    ),
  );
  fc.assert(
    fc.property(hostile, fc.constantFrom('text/html', 'image/png', undefined), (url, type) => {
      for (const name of [safePart(url), folderOf(url), fileOf(url, type)]) {
        assert.match(name, /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/);
        assert.doesNotMatch(name, /^(?:con|nul|aux|prn)(?:\.|$)|\.$/i);
        assert.ok(name.length <= 120);
      }
    }),
  );
  assert.notEqual(folderOf('http://a/x'), folderOf('http://a/X'));
});
