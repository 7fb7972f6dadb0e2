/** Packages that others made: what of them is taken in, and what is told of the rest. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { pack } from 'tar-stream';
import { importPackage, sortPackages } from '../src/app/import-packages.ts';
import { type Garner, openGarner } from '../src/app.ts';
import { surtKey } from '../src/archive/index.ts';
import { openCapture } from '../src/archive/items/index.ts';
import { OPERATOR } from '../src/core/access.ts';
import { defaultConfig } from '../src/core/config.ts';
import { silentLog } from '../src/core/log.ts';

let folder: string;
let garner: Garner;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'garner-ingest-'));
  garner = await openGarner(defaultConfig(folder, { data: join(folder, 'data') }, {}), {
    extraSources: ['bags', 'damaged', 'evil', 'first', 'second'],
  });
});
after(async () => {
  await garner[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

async function take(name: string, source: string) {
  const { packages } = await sortPackages([join(folder, name)]);
  const [found] = packages;
  assert.ok(found, `${name} is a package`);
  const report = await importPackage(garner, source, found, silentLog);
  const problems = await garner.store.runs.listProblems({ runId: report.runId, limit: 100 });
  return { ...report, told: problems.map(({ code, where }) => `${code} ${where ?? ''}`).sort() };
}

async function contentOf(source: string, url: string): Promise<string | undefined> {
  const { captures } = garner.store;
  const [capture] = await captures.list({ urlKey: surtKey(url), sources: [source], limit: 1 }, OPERATOR);
  if (!capture) return undefined;
  const { record } = await openCapture({ captures, dataFolder: garner.config.data }, capture, OPERATOR);
  return (await record.content()).bytes.toString();
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

async function writeFiles(texts: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(texts)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
}

const DECLARATION = 'BagIt-Version: 0.97\nTag-File-Character-Encoding: UTF-8\n';

test('files of a bag become items that are found by their words, the bag becomes a snapshot', async () => {
  const page = '<!-- saved from url=(0026)http://saved.example/page --><title>Saved</title><p>altocumulus';
  await writeFiles({
    'good/bagit.txt': DECLARATION,
    'good/bag-info.txt': 'External-Description: A deposit\nExternal-Identifier: dep-7\n',
    'good/data/page.html': page,
    'good/data/notes/a b.txt': 'nimbostratus',
    'good/manifest-md5.txt': `${createHash('md5').update(page).digest('hex')} *data/page.html\n`,
    'good/manifest-sha256.txt': `${sha256(page)}  data/page.html\n${sha256('nimbostratus')}  data/notes/a b.txt\n`,
  });
  const { status, snapshot, told } = await take('good', 'bags');
  assert.deepEqual([status, told], ['complete', []]);
  assert.equal(await contentOf('bags', 'http://saved.example/page'), page);
  const item = await garner.store.items.findItem({ source: 'bags', identifier: snapshot ?? '' }, OPERATOR);
  assert.equal(item?.title, 'A deposit');
  const note = { source: 'bags', identifier: 'urn:garner:package:dep-7/data/notes/a%20b.txt' };
  assert.equal(await contentOf(note.source, note.identifier), 'nimbostratus');
  assert.equal((await garner.store.items.findItem(note, OPERATOR))?.title, 'a b.txt');
  const again = await take('good', 'bags');
  assert.equal(again.captures, 0, 'taken in again it makes nothing new');
});

test('of a damaged bag each bad file is told, and the good ones are taken in', async () => {
  await writeFiles({
    'damaged/bagit.txt': DECLARATION,
    'damaged/data/good.txt': 'good',
    'damaged/data/bad.txt': 'tampered',
    'damaged/data/stray.txt': 'nobody lists me',
    'damaged/manifest-sha256.txt': ['good', 'bad', 'gone']
      .map((name) => `${sha256(name)}  data/${name}.txt\n`)
      .join(''),
  });
  const { status, told } = await take('damaged', 'damaged');
  assert.equal(status, 'incomplete');
  assert.deepEqual(told, [
    'source.checksum data/bad.txt',
    'source.checksum data/gone.txt',
    'source.checksum data/stray.txt',
  ]);
  assert.equal(await contentOf('damaged', 'urn:garner:package:damaged/data/good.txt'), 'good');
  assert.equal(await contentOf('damaged', 'urn:garner:package:damaged/data/bad.txt'), undefined);
});

test('entries of an archive that point outside are refused, and nothing is written there', async () => {
  const tar = pack();
  const payload = 'hello';
  const digest = createHash('sha256').update(payload).digest('hex');
  const texts: Record<string, string> = {
    'evil/bagit.txt': 'BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n',
    'evil/manifest-sha256.txt': `${digest}  data/hello.txt\n${digest}  ../../../escaped.txt\n`,
    'evil/data/hello.txt': payload,
    '../escaped.txt': 'out',
    '/tmp/garner-absolute.txt': 'out',
  };
  for (const [name, text] of Object.entries(texts)) tar.entry({ name }, text);
  tar.entry({ name: 'evil/data/link', type: 'symlink', linkname: '/etc/passwd' });
  tar.finalize();
  const parts: Buffer[] = [];
  for await (const part of tar) parts.push(part as Buffer);
  await writeFile(join(folder, 'evil.tar'), Buffer.concat(parts));
  const { told } = await take('evil.tar', 'evil');
  assert.deepEqual(told, [
    'archive.unsafe ../escaped.txt',
    'archive.unsafe /tmp/garner-absolute.txt',
    'archive.unsafe evil/data/link',
    'archive.unsafe manifest-sha256.txt',
  ]);
  assert.deepEqual(
    (await readdir(folder, { recursive: true })).filter((name) => /escaped|absolute/.test(name)),
    [],
  );
});

test('DIDL of others: both editions, values and references, digests and illegal characters', async () => {
  const sha1 = createHash('sha1').update('hello').digest('hex');
  const premis = (digest: string) =>
    `<p:object xmlns:p="http://www.loc.gov/premis/v3"><p:objectCharacteristics><p:fixity><p:messageDigestAlgorithm>SHA-1</p:messageDigestAlgorithm><p:messageDigest>${digest}</p:messageDigest></p:fixity><p:size>5</p:size></p:objectCharacteristics></p:object>`;
  const item = (url: string, statements: string, resource: string) =>
    `<Item><Descriptor><Statement mimeType="text/xml"><dii:Identifier xmlns:dii="urn:mpeg:mpeg21:2002:01-DII-NS">${url}</dii:Identifier></Statement></Descriptor><Component>${statements}${resource}</Component></Item>`;
  const statement = (xml: string) =>
    `<Descriptor><Statement mimeType="text/xml">${xml}</Statement></Descriptor>`;
  const base64 = Buffer.from('hello').toString('base64');
  const first = `<?xml version="1.0"?>\n<DIDL xmlns="urn:mpeg:mpeg21:2002:01-DIDL-NS"><Container>
    ${item('http://first.example/a.bin', '', `<Resource mimeType="application/octet-stream">${base64}</Resource>`)}
    ${item('http://first.example/b', '', '<Resource mimeType="text/plain" ref="http://first.example/b"/>')}
  </Container></DIDL>`;
  const second = `<didl:DIDL xmlns:didl="urn:mpeg:mpeg21:2002:02-DIDL-NS"><didl:Container>${[
    item(
      'http://second.example/good',
      statement(premis(sha1)),
      `<Resource mimeType="text/plain" encoding="base64">${base64}</Resource>`,
    ),
    item(
      'http://second.example/bad',
      statement(premis('0'.repeat(40))),
      `<Resource mimeType="text/plain" encoding="base64">${base64}</Resource>`,
    ),
    item('http://second.example/xml', '', '<Resource mimeType="application/xml"><x>a\u0001b</x></Resource>'),
  ]
    .join('')
    .replace(
      /<(\/?)(Item|Descriptor|Statement|Component|Resource)/g,
      '<$1didl:$2',
    )}</didl:Container></didl:DIDL>`;
  await writeFiles({ 'first.xml': first, 'second.xml': second });
  assert.deepEqual((await take('first.xml', 'first')).told, ['didl.reference first.xml']);
  assert.equal(await contentOf('first', 'http://first.example/a.bin'), 'hello');
  assert.deepEqual((await take('second.xml', 'second')).told, [
    'record.repaired second.xml',
    'source.checksum second.xml',
  ]);
  assert.equal(await contentOf('second', 'http://second.example/good'), 'hello');
  assert.equal(await contentOf('second', 'http://second.example/bad'), undefined);
  assert.match((await contentOf('second', 'http://second.example/xml')) ?? '', /a\ufffdb/);
});

test('what is no package is left to other importers', async () => {
  await writeFiles({ 'other.xml': '<records/>', 'plain/a.txt': 'x' });
  const paths = ['other.xml', 'plain', 'absent'].map((name) => join(folder, name));
  assert.deepEqual(await sortPackages(paths), { packages: [], others: paths });
});
