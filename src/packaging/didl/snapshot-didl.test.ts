import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { extract } from 'tar-stream';
import { OPERATOR } from '../../core/access.ts';
import { parseXml } from '../../xml/engine.ts';
import { compileSchema } from '../../xml/xsd.ts';
import { openTestArchive, SOURCE, type TestArchive } from '../archive.fixture.ts';
import { createSiteModels } from '../site-model/site-models.ts';
import { readCandidates } from '../snapshot/read-candidates.ts';
import { readSnapshot } from '../snapshot/read-snapshot.ts';
import { readDidlEvents } from './read-events.ts';
import { type DidlDeps, snapshotDidl } from './snapshot-didl.ts';
import { writeDidlEvents } from './write-events.ts';

const schemas = fileURLToPath(new URL('../../../../shared/standards/xsd/', import.meta.url));
const HOME = 'http://isccp.example.org/';
const PAGE =
  '<title>Clouds &amp; climate</title><meta name="keywords" content="clouds, radiation"><meta name="DC.creator" content="Rossow"><p>Satellite clouds';

let archive: TestArchive;
let identifier: string;

const deps = (settings: Partial<DidlDeps['settings']> = {}): DidlDeps => ({
  store: archive.store,
  dataFolder: archive.folder,
  models: createSiteModels({ store: archive.store, dataFolder: archive.folder }),
  repository: { baseUrl: 'https://data.example.org', identifier: 'data.example.org' },
  settings: {
    identifier: '{acronym}:{url}',
    maxValueBytes: 2 ** 20,
    maxContainerBytes: 2 ** 30,
    ...settings,
  },
  findCandidates: async () => ({
    runId: 7,
    queries: ['cloud climatology'],
    depth: 10,
    method: 'weights',
    startedAt: Date.parse('2026-11-15T02:00:00Z'),
    candidates: [{ position: 1, url: HOME, weight: 19, ranks: { brave: 1, mojeek: 2 }, title: 'Clouds' }],
  }),
});

before(async () => {
  archive = await openTestArchive();
  identifier = await archive.crawl('2026-11-15T03:00:00Z', [
    { url: HOME, body: PAGE, headers: [['Set-Cookie', 'a=b']] },
    {
      url: `${HOME}data/file.bin?x=1&y=2`,
      body: Buffer.alloc(3000, 'cloud'),
      type: 'application/octet-stream',
    },
    { url: `${HOME}gone`, body: 'not here', status: 404 },
    { url: `${HOME}bad`, body: '<title>a\u0001b</title>' },
  ]);
});
after(() => archive[Symbol.asyncDispose]());

async function write(using: DidlDeps, version?: number): Promise<string> {
  const snapshot = await readSnapshot(archive.store, { source: SOURCE, identifier }, { version }, OPERATOR);
  return joined(writeDidlEvents(snapshotDidl(using, snapshot, OPERATOR)));
}

async function joined(pieces: AsyncIterable<string | Uint8Array>): Promise<string> {
  const parts: Buffer[] = [];
  for await (const piece of pieces) parts.push(Buffer.from(piece as string));
  return Buffer.concat(parts).toString();
}

async function* inPieces(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

test('a container has the acronym and the time, and an item per URL with its metadata and its data', async () => {
  const text = await write(deps());
  const encoded = encodeURIComponent(HOME);
  assert.match(text, /<didl:Container [^>]*><didl:Descriptor><didl:Statement[^>]*><dii:Identifier>ISCCP</);
  for (const part of ['', ':METADATA', ':DATA'])
    assert.ok(text.includes(`<dii:Identifier>ISCCP:${encoded}${part}</dii:Identifier>`), part);
  assert.equal(text.match(/<didl:Item id="item-/g)?.length, 4);
  assert.match(text, /dcterms:created[^>]*>2026-11-15T03:00:00.000Z</);
  assert.match(
    text,
    /<g:extracted><g:title>Clouds &amp; climate<.*<g:meta name="keywords">clouds, radiation</,
  );
  assert.match(text, /<dc:creator>Rossow</);
  assert.match(text, /<g:added>.*<g:weight>19<.*<g:rank engine="brave">1</);
  assert.match(text, /<g:candidates [^>]*method="weights".*<g:candidate position="1" weight="19">/);
  assert.match(text, /<premis:eventType>capture<.*creator-driven/);
  assert.doesNotMatch(text, /Set-Cookie/);
});

test('characters that XML cannot hold are replaced and counted', async () => {
  assert.match(
    await write(deps()),
    /<g:metadata [^>]*replacedCharacters="1"><g:extracted><g:title>a\ufffdb</,
  );
});

test('the value is a tar.gz with the file, of the size and digest that PREMIS tells, the same each time', async () => {
  const text = await write(deps());
  assert.ok(text === (await write(deps())));
  const components = [...text.matchAll(/<didl:Component><didl:Descriptor>.*?<\/didl:Component>/g)].map(
    String,
  );
  assert.equal(components.length, 4);
  const names: string[] = [];
  for (const component of components) {
    const value = Buffer.from(/encoding="base64">([^<]*)</.exec(component)?.[1] ?? '', 'base64');
    assert.equal(/<premis:size>(\d+)</.exec(component)?.[1], String(value.length));
    const digest = createHash('sha256').update(value).digest('hex');
    assert.equal(/<premis:messageDigest>(\w+)</.exec(component)?.[1], digest);
    for await (const entry of Readable.from([gunzipSync(value)]).pipe(extract())) {
      names.push(entry.header.name);
      entry.resume();
    }
    assert.match(component, / ref="https:\/\/data\.example\.org\/packages\/web\/[^"]*url=/);
  }
  assert.deepEqual(names.sort(), [
    'isccp.example.org/bad',
    'isccp.example.org/data/file.bin%3Fx%3D1%26y%3D2',
    'isccp.example.org/gone',
    'isccp.example.org/index.html',
  ]);
});

test('what is over a limit goes by reference only, and the object says so', async () => {
  const text = await write(deps({ maxValueBytes: 10 }));
  const small = await write(deps({ maxContainerBytes: 300 }));
  assert.doesNotMatch(text, /encoding="base64"/);
  assert.equal(text.match(/<g:delivery [^>]*by="reference"><g:note>by reference only/g)?.length, 4);
  const byValue = small.match(/encoding="base64"/g)?.length ?? 0;
  assert.ok(byValue > 0 && byValue < 4, `${byValue} by value`);
});

test('identifiers follow the template', async () => {
  const text = await write(deps({ identifier: 'info:{repository}/{acronym}/{time}/{url}' }));
  assert.ok(
    text.includes(
      `info:data.example.org/ISCCP/20261115T030000Z/${encodeURIComponent(HOME)}:DATA</dii:Identifier>`,
    ),
  );
});

test('written, read and written again it is the same, whatever the pieces', async () => {
  const text = await write(deps());
  for (const size of [1, 7, 1000, 1 << 20])
    assert.ok(
      (await joined(writeDidlEvents(readDidlEvents(inPieces(text, size))))) === text,
      `pieces of ${size}`,
    );
});

test('the container is valid against the DIDL, PREMIS and Dublin Core schemas', async (t) => {
  if (!existsSync(schemas)) return t.skip('no schema collection beside the project');
  using schema = compileSchema(join(schemas, 'drivers/didl-web.xsd'), { root: schemas });
  for (const settings of [{}, { maxValueBytes: 1 }]) {
    using document = parseXml(Buffer.from(await write(deps(settings))));
    assert.deepEqual(schema.validate(document), []);
  }
});

test('the snapshot is described by what its resources say', async () => {
  const item = await archive.store.items.findItem({ source: SOURCE, identifier }, OPERATOR);
  assert.deepEqual(item?.fields.creator, ['Rossow']);
  assert.deepEqual(item?.fields.subject, ['clouds', 'radiation']);
  assert.deepEqual(item?.sets, ['ISCCP']);
});

test('the list that a crawl began with is kept with its snapshot, and stands in the container', async () => {
  const list = {
    runId: 3,
    queries: ['clouds'],
    depth: 25,
    method: 'reciprocal',
    startedAt: Date.parse('2026-12-01T00:00:00Z'),
    candidates: [
      { position: 1, url: HOME, originals: [`${HOME}index.html`], weight: 0.03, ranks: { mojeek: 4 } },
    ],
  };
  const other = await archive.crawl(
    '2026-12-01T03:00:00Z',
    [{ url: `${HOME}index.html`, body: '<title>By another spelling</title>' }],
    { candidates: list },
  );
  const snapshot = await readSnapshot(archive.store, { source: SOURCE, identifier: other }, {}, OPERATOR);
  const kept = { ...deps(), findCandidates: () => readCandidates(archive.store, snapshot.record) };
  const text = await joined(writeDidlEvents(snapshotDidl(kept, snapshot, OPERATOR)));
  assert.match(text, /<g:candidates [^>]*run="3" method="reciprocal" depth="25"/);
  assert.match(text, /<g:position>1<\/g:position><g:weight>0.03<\/g:weight><g:rank engine="mojeek">4</);
});
