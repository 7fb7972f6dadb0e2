/** Web archives on the command line: in, found, printed, out again. */
import assert from 'node:assert/strict';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { openWarcWriter, responseRecord, writeHttpHead } from '../src/archive/index.ts';
import { runGarner, temporaryFolder } from './garner-process.ts';
import { dcRecord, writeFiles } from './sample-records.ts';

const HOME = 'http://example.org/';

async function writeArchive(folder: string): Promise<void> {
  const writer = await openWarcWriter({ folder: join(folder, 'in'), prefix: 'a', clock: () => 0, info: [] });
  const head = writeHttpHead('HTTP/1.1 200 OK', [
    ['Content-Type', 'text/html'],
    ['X-Test', 'yes'],
  ]);
  for (const [year, word] of [
    ['2019', 'first'],
    ['2021', 'second'],
  ]) {
    const body = Buffer.from(`<title>${word}</title><p>the ${word} page`);
    const at = Date.parse(`${year}-05-01T00:00:00Z`);
    await writer.append(responseRecord({ targetUri: HOME, at }, { head, body }));
  }
  await writer.close();
}

test('an archive is taken in, found, printed as it was at a time, exported, and taken in elsewhere', async (t) => {
  const folder = temporaryFolder(t);
  await writeArchive(folder);
  const imported = await runGarner(folder, 'import', 'in', '--source', 'web');
  assert.equal(imported.code, 0, imported.stderr);
  assert.match(imported.stdout, /web: 2 new captures, snapshot web:20190501T000000Z/);
  const early = await runGarner(folder, 'get', `${HOME}@2018`);
  assert.equal(early.stdout, '<title>first</title><p>the first page');
  assert.match(early.stderr, /2019-05-01T00:00:00/);
  const late = await runGarner(folder, 'get', `${HOME}@20210401`, '--headers');
  assert.match(
    late.stdout,
    /^HTTP\/1\.1 200 OK\r\nContent-Type: text\/html\r\nX-Test: yes\r\n\r\n<title>second/,
  );
  const never = await runGarner(folder, 'get', 'http://example.org/never@2020');
  assert.notEqual(never.code, 0);
  const history = await runGarner(folder, 'history', HOME, '--json');
  assert.match(history.stdout, /"version":2/);

  await mkdir(join(folder, 'other'));
  for (const [option, file] of [
    ['--wacz', 'a.wacz'],
    ['--warc', 'b.warc.gz'],
    ['--tar', 'c.tar.gz'],
    ['--folder', 'pages'],
  ]) {
    const target = join(folder, 'other', file ?? '');
    const exported = await runGarner(folder, 'export', 'title:second', option ?? '', target);
    assert.equal(exported.code, 0, exported.stderr);
  }
  assert.deepEqual((await readdir(join(folder, 'other'))).sort(), [
    'a.wacz',
    'b.warc.gz',
    'c.tar.gz',
    'pages',
  ]);
  const again = await runGarner(folder, 'export', 'title:second', '--wacz', join(folder, 'other', 'a.wacz'));
  assert.equal(again.code, 2, 'a file that is there is not overwritten');
  const snapshot = await runGarner(folder, 'export', 'web:20190501T000000Z', '--warc', 's.warc.gz');
  assert.match(snapshot.stdout, /1 pages, 2 captures/);
  const copied = await runGarner(folder, 'import', 'other/a.wacz', '--source', 'copy', '--json');
  assert.match(copied.stdout, /"captures":2/);
  const found = await runGarner(folder, 'search', 'second', '--source', 'copy', '--json');
  assert.match(found.stdout, /"identifier":"http:\/\/example\.org\/"/);
});

test('records and web archives do not share a source, and a dropped one can be filled again', async (t) => {
  const folder = temporaryFolder(t);
  await writeArchive(folder);
  writeFiles(folder, { 'r/a.xml': dcRecord('oai:example.org:1', 'One') });
  await runGarner(folder, 'import', 'in', '--source', 'web');
  for (const paths of [['r'], ['r', 'in']]) {
    const mixed = await runGarner(folder, 'import', ...paths, '--source', 'web');
    assert.equal(mixed.code, 2, mixed.stdout);
  }
  await runGarner(folder, 'drop', 'web', '--yes');
  assert.notEqual((await runGarner(folder, 'get', `${HOME}@2020`)).code, 0);
  const again = await runGarner(folder, 'import', 'in', '--source', 'web');
  assert.match(again.stdout, /web: 2 new captures/);
  const verified = await runGarner(folder, 'verify');
  assert.equal(verified.code, 0, verified.stdout);
});
