import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { extract } from 'tar-stream';
import { openPromise } from 'yauzl';
import { OPERATOR } from '../../core/access.ts';
import { openTestArchive, SOURCE, type TestArchive } from '../archive.fixture.ts';
import { didlForm } from '../didl/didl-form.ts';
import { createSiteModels } from '../site-model/site-models.ts';
import { parseBagInfo, parseManifestLine, writeBagInfo, writeManifestLine } from './bag-tags.ts';
import { type BagDeps, bagForms, writeSnapshotBag } from './snapshot-bag.ts';
import { writeBag } from './write-bag.ts';

const run = promisify(execFile);
let archive: TestArchive;
let identifier: string;
let deps: BagDeps;

before(async () => {
  archive = await openTestArchive();
  identifier = await archive.crawl('2026-11-15T03:00:00Z', [
    { url: 'http://example.org/', body: '<title>Home</title>' },
    { url: 'http://example.org/a.bin', body: Buffer.alloc(100_000, 'x'), type: 'application/octet-stream' },
  ]);
  const { store, folder } = archive;
  const didl = didlForm(
    {
      store,
      dataFolder: folder,
      models: createSiteModels({ store, dataFolder: folder }),
      repository: { baseUrl: 'https://data.example.org', identifier: 'data.example.org' },
      settings: { identifier: '{acronym}:{url}', maxValueBytes: 1e9, maxContainerBytes: 1e9 },
    },
    'other',
  );
  deps = {
    store,
    dataFolder: folder,
    clock: () => Date.parse('2026-11-16T00:00:00Z'),
    software: 'Test/1',
    organisation: 'Data centre',
    packages: [didl],
    writeWarc: (_ref, _version, target) => writeFile(target, 'WARC/1.1'),
  };
});
after(() => archive[Symbol.asyncDispose]());

const bagOf = async (name: string): Promise<string> => {
  const folder = join(archive.folder, name);
  await writeSnapshotBag(deps, { source: SOURCE, identifier }, {}, folder, OPERATOR);
  return folder;
};

test('a bag has WARC, DIDL, record and list, and manifests that tell the digests of all', async () => {
  const folder = await bagOf('bag-1');
  assert.deepEqual((await readdir(folder)).sort(), [
    'bag-info.txt',
    'bagit.txt',
    'data',
    'manifest-sha256.txt',
    'manifest-sha512.txt',
    'tagmanifest-sha256.txt',
    'tagmanifest-sha512.txt',
  ]);
  const listed: string[] = [];
  for (const algorithm of ['sha256', 'sha512'])
    for (const kind of ['manifest', 'tagmanifest'])
      for (const text of (await readFile(join(folder, `${kind}-${algorithm}.txt`), 'utf8'))
        .trim()
        .split('\n')) {
        const line = parseManifestLine(text);
        assert.ok(line, text);
        const bytes = await readFile(join(folder, line.path));
        assert.equal(createHash(algorithm).update(bytes).digest('hex'), line.digest, line.path);
        if (kind === 'manifest' && algorithm === 'sha256') listed.push(line.path);
      }
  assert.deepEqual(listed, [
    'data/warc/ISCCP_20261115T030000Z.warc.gz',
    'data/packages/ISCCP_20261115T030000Z.didl.xml',
    'data/record/web_snapshot.json',
    'data/record/captures.jsonl',
  ]);
  const info = new Map(parseBagInfo(await readFile(join(folder, 'bag-info.txt'), 'utf8')));
  assert.equal(info.get('External-Identifier'), identifier);
  assert.equal(info.get('Bagging-Date'), '2026-11-16');
  assert.match(info.get('Payload-Oxum') ?? '', /^\d+\.4$/);
});

test('another tool finds the bag valid', async (t) => {
  const known = await run('python3', ['-c', 'import bagit']).then(
    () => true,
    () => false,
  );
  if (!known) return t.skip('the Python module bagit is not installed');
  const folder = await bagOf('bag-2');
  const script = 'import bagit, sys; bagit.Bag(sys.argv[1]).validate(); print("valid")';
  assert.equal((await run('python3', ['-c', script, folder])).stdout.trim(), 'valid');
  await writeFile(join(folder, 'data/record/captures.jsonl'), 'tampered');
  await assert.rejects(run('python3', ['-c', script, folder]), /BagValidationError/);
});

test('as tar and zip the bag is one folder of its name, and nothing of it stays behind', async () => {
  const names: Record<string, string[]> = {};
  for (const form of bagForms(deps)) {
    const bytes = await form.write({ source: SOURCE, identifier }, {}, OPERATOR);
    const path = join(archive.folder, `made${form.extension}`);
    await pipeline(Readable.from(bytes, { objectMode: false }), createWriteStream(path));
    if (form.name === 'bag') {
      names.tar = [];
      for await (const entry of Readable.from([await readFile(path)]).pipe(extract())) {
        names.tar.push(entry.header.name);
        entry.resume();
      }
    } else {
      names.zip = [];
      const zip = await openPromise(path, { lazyEntries: true });
      for await (const { fileName } of zip.eachEntry()) names.zip.push(fileName);
    }
  }
  assert.deepEqual(names.tar, names.zip);
  assert.equal(names.tar?.[0], 'ISCCP_20261115T030000Z/bagit.txt');
  assert.equal(names.tar?.length, 10);
  assert.deepEqual(
    (await readdir(archive.folder)).filter((name) => name.startsWith('.package-')),
    [],
  );
});

test('a bag is not written over other files', async () => {
  const folder = join(archive.folder, 'taken');
  await mkdir(join(folder, 'data'), { recursive: true });
  await writeFile(join(folder, 'x'), '');
  await assert.rejects(writeBag(folder, [], [], 0), { code: 'usage.invalid' });
  await rm(folder, { recursive: true });
});

test('lines of manifests and of bag-info come back as they were', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), (name) => {
      const path = `data/${name}`;
      const line = writeManifestLine({ digest: 'ab12', path });
      assert.equal(line.split('\n').length, 2);
      assert.deepEqual(parseManifestLine(line.slice(0, -1)), { digest: 'ab12', path });
    }),
  );
  assert.deepEqual(parseBagInfo(writeBagInfo([['External-Description', 'one\n two: three']])), [
    ['External-Description', 'one two: three'],
  ]);
});
