/** Kill -9 in the stages that publish, gather and package: what the next run finds is whole, and it ends the work. */
import assert from 'node:assert/strict';
import { cpSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openWarcWriter, responseRecord, writeHttpHead } from '../src/archive/index.ts';
import { makePlanetaryProducts } from '../src/federate/demo/planetary.ts';
import { writeProfiles } from '../src/formats/oodt-profile/write-xml.ts';
import { runGarner, temporaryFolder } from './garner-process.ts';
import { killAcross } from './kill-across.ts';
import { writeFiles } from './sample-records.ts';

const KILLS = 7;

async function garner(folder: string, ...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await runGarner(folder, ...args);
  assert.equal(code, 0, `garner ${args.join(' ')}\n${stdout}${stderr}`);
  return stdout;
}

const statisticsOf = async (folder: string) => {
  const { statistics } = JSON.parse(await garner(folder, 'verify', '--json')) as {
    statistics: { liveItems: number; versions: number };
  };
  const { liveItems, versions } = statistics;
  return { liveItems, versions };
};

test('a folder whose scan is killed is published whole: one version of each file, one tombstone of each gone', async (t) => {
  const FILES = 1200;
  const home = temporaryFolder(t);
  const folders = { whole: join(home, 'whole'), killed: join(home, 'killed') };
  const fileOf = (number: number) => `public/${number % 20}/${number}.txt`;
  for (const folder of Object.values(folders))
    writeFiles(folder, Object.fromEntries(Array.from({ length: FILES }, (_, i) => [fileOf(i), `file ${i}`])));
  const args = [
    'expose',
    'public',
    '--url',
    'http://site.example/',
    '--data',
    'garner-data',
    '--once',
    '--force',
  ];

  const first = await killAcross(folders, args, KILLS);
  await garner(folders.killed, ...args);
  assert.equal((await statisticsOf(folders.killed)).versions, FILES);

  const GONE = 300;
  for (const folder of Object.values(folders)) {
    for (let i = 0; i < GONE; i++) rmSync(join(folder, fileOf(i)));
    writeFiles(
      folder,
      Object.fromEntries(Array.from({ length: GONE }, (_, i) => [fileOf(GONE + i), `now other ${i}`])),
    );
  }
  const second = await killAcross(folders, args, KILLS);
  await garner(folders.killed, ...args);
  assert.deepEqual(await statisticsOf(folders.killed), {
    liveItems: FILES - GONE,
    versions: FILES + 2 * GONE,
  });
  assert.ok(first + second > 0, 'at least one scan was killed');
  t.diagnostic(`${first + second} of ${2 * KILLS} scans were killed`);
});

test('profiles whose import and gathering are killed are gathered as if nothing had been', async (t) => {
  const home = temporaryFolder(t);
  const folders = { whole: join(home, 'whole'), killed: join(home, 'killed') };
  const products = writeProfiles([...makePlanetaryProducts({ products: 1500 })]);
  for (const folder of Object.values(folders)) writeFiles(folder, { 'planets.xml': products });

  const imports = await killAcross(
    folders,
    ['profile', 'import', 'planets.xml', '--source', 'planets'],
    KILLS,
  );
  await garner(folders.killed, 'profile', 'import', 'planets.xml', '--source', 'planets');
  assert.deepEqual(await statisticsOf(folders.killed), await statisticsOf(folders.whole));
  const gatherings = await killAcross(folders, ['profile', 'aggregate'], KILLS);
  await garner(folders.killed, 'profile', 'aggregate');
  const gathered = (folder: string) => garner(folder, 'profile', 'export', '--gathered', '--form', 'json');
  assert.deepEqual(JSON.parse(await gathered(folders.killed)), JSON.parse(await gathered(folders.whole)));
  assert.ok(imports + gatherings > 0, 'at least one was killed');
  t.diagnostic(`${imports} imports and ${gatherings} gatherings were killed`);
});

test('a snapshot that is modified, rolled back, thinned and packed under kills has whole versions only', async (t) => {
  const PAGES = 100;
  const home = temporaryFolder(t);
  const folders = { whole: join(home, 'whole'), killed: join(home, 'killed') };
  const writer = await openWarcWriter({ folder: folders.whole, prefix: 'in', clock: () => 0, info: [] });
  const head = writeHttpHead('HTTP/1.1 200 OK', [['Content-Type', 'text/html']]);
  for (let i = 0; i < PAGES; i++)
    await writer.append(
      responseRecord(
        { targetUri: `http://isccp.example.org/${i}`, at: Date.parse('2026-01-01T00:00:00Z') },
        { head, body: Buffer.from(`<title>Page ${i}</title><p>clouds`) },
      ),
    );
  await writer.close();
  const [warc = ''] = readdirSync(folders.whole);
  await garner(folders.whole, 'import', warc, '--source', 'ISCCP');
  cpSync(folders.whole, folders.killed, { recursive: true });
  const identifier = 'ISCCP:20260101T000000Z';
  const ofSource = ['--source', 'ISCCP'];

  const work = [
    ['modify', identifier, ...ofSource, '--as', 'recataloguing', '--reason', 'a test', '--subject', 'clouds'],
    ['rollback', identifier, ...ofSource, '--to', '1'],
    ['thin', 'ISCCP', '--keep', '1', '--older-than', '0'],
  ];
  let killed = 0;
  for (const args of work) {
    killed += await killAcross(folders, args, KILLS);
    await garner(folders.killed, ...args);
  }
  const { versions } = JSON.parse(
    await garner(folders.killed, 'history', identifier, ...ofSource, '--json'),
  ) as {
    versions: { version: number; thinned?: boolean }[];
  };
  assert.deepEqual(
    versions.map(({ version }) => version).sort((a, b) => a - b),
    versions.map((_, index) => index + 1),
  );
  for (const { version, thinned } of versions)
    if (!thinned)
      await garner(
        folders.killed,
        'get',
        identifier,
        ...ofSource,
        '--format',
        'oai_didl',
        '--version',
        `${version}`,
      );
  await garner(folders.killed, 'verify');

  // A bag that has its name is whole.
  const pack = ['export', identifier, ...ofSource, '--bag', 'bag'];
  const packed = await killAcross(folders, pack, KILLS);
  // The last of them may have ended in time.
  if (!existsSync(join(folders.killed, 'bag'))) await garner(folders.killed, ...pack);
  const report = await garner(folders.killed, 'import', 'bag', '--source', 'back', '--json');
  const [, captures] = /"package":"bag".*"captures":(\d+)/.exec(report) ?? [];
  assert.ok(Number(captures) >= PAGES, report);
  assert.ok(killed + packed > 0, 'at least one was killed');
  t.diagnostic(`${killed} changes and ${packed} exports were killed`);
});
