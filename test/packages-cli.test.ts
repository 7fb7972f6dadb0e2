/** Packages from end to end by the command line: out of one store as DIDL and bags, into another one. */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openWarcWriter, readRecordAt, responseRecord, writeHttpHead } from '../src/archive/index.ts';
import { readMets } from '../src/formats/mets/read-mets.ts';
import { runGarner } from './garner-process.ts';

const HOME = 'http://isccp.example.org/';
let folder: string;
let identifier: string;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'garner-packages-cli-'));
  const writer = await openWarcWriter({ folder, prefix: 'in', clock: () => 0, info: [] });
  const at = Date.parse('2026-11-15T03:00:00Z');
  const head = writeHttpHead('HTTP/1.1 200 OK', [
    ['Content-Type', 'text/html'],
    ['X-Origin', 'tests'],
  ]);
  const page = Buffer.from('<title>Clouds</title><meta name=author content=Rossow><p>stratus</p>');
  const [written] = await writer.append(
    responseRecord({ targetUri: HOME, at }, { head, body: page }),
    responseRecord({ targetUri: `${HOME}a?b=1`, at: at + 1000 }, { head, body: Buffer.from('<p>cirrus') }),
  );
  await writer.close();
  const imported = await runGarner(folder, 'import', written?.file ?? '', '--source', 'ISCCP', '--json');
  identifier = /"snapshot":"([^"]+)"/.exec(imported.stdout)?.[1] ?? '';
  assert.equal(identifier, 'ISCCP:20261115T030000Z', imported.stdout + imported.stderr);
});
after(() => rm(folder, { recursive: true, force: true }));

const lastReport = (stdout: string) => {
  const line = stdout.split('\n').findLast((text) => text.includes('import.finished')) ?? '{}';
  return JSON.parse(line) as { captures: number; snapshot?: string; status: string; problems: number };
};

test('a container that garner get writes is taken in again: the same pages, headers and times', async () => {
  const didl = await runGarner(folder, 'get', identifier, '--format', 'asdc_crawl.archive');
  await writeFile(join(folder, 'snapshot.didl.xml'), didl.stdout);
  const back = await runGarner(folder, 'import', 'snapshot.didl.xml', '--source', 'back', '--json');
  assert.equal(back.code, 0, back.stdout + back.stderr);
  assert.equal(lastReport(back.stdout).captures, 2);
  const page = await runGarner(folder, 'get', `${HOME}@20261115`, '--source', 'back', '--headers');
  assert.match(page.stdout, /X-Origin: tests[\s\S]*<title>Clouds<\/title>/);
  const again = await runGarner(folder, 'import', 'snapshot.didl.xml', '--source', 'back', '--json');
  assert.equal(lastReport(again.stdout).captures, 0, 'taken in again it makes nothing new');
});

test('a bag goes out as a folder and as a file, and comes in again', async () => {
  for (const target of ['bag', 'bag.zip']) {
    const out = await runGarner(folder, 'export', identifier, '--bag', target);
    assert.equal(out.code, 0, out.stderr);
    const source = `from-${target.replace('.', '-')}`;
    const back = await runGarner(folder, 'import', target, '--source', source, '--json');
    assert.equal(back.code, 0, back.stdout + back.stderr);
    const text = await runGarner(folder, 'get', `${HOME}a?b=1@20261115`, '--source', source);
    assert.equal(text.stdout, '<p>cirrus');
  }
});

test('the METS of a bag leads to the records of the WARC file that is in the bag', async () => {
  const out = await runGarner(folder, 'export', identifier, '--bag', 'led');
  assert.equal(out.code, 0, out.stderr);
  const packages = join(folder, 'led', 'data', 'packages');
  const name = identifier.replace(':', '_');
  const { fileGroups } = readMets(await readFile(join(packages, `${name}.mets.xml`)));
  const urls: string[] = [];
  for (const { ownerId = '', locations } of fileGroups.flatMap(({ files }) => files)) {
    const place = locations.find(({ otherType }) => otherType === 'WARC');
    const [file = '', offset = ''] = place?.href.split('#offset=') ?? [];
    const record = await readRecordAt(join(packages, file), Number(offset));
    assert.equal(record.targetUri, ownerId);
    await record.close();
    urls.push(ownerId);
  }
  assert.deepEqual(urls.sort(), [HOME, `${HOME}a?b=1`]);
});

test('a snapshot is modified, pinned, thinned and rolled back by verbs, and its history tells it all', async () => {
  const modify = (...more: string[]) => runGarner(folder, 'modify', identifier, '--source', 'ISCCP', ...more);
  assert.equal((await modify('--as', 'fix')).code, 2, 'a reason is wanted');
  for (const subject of ['one', 'two', 'three'])
    await modify(
      '--as',
      'recataloguing',
      '--reason',
      `subject ${subject}`,
      '--subject',
      subject,
      '--agent',
      'Ada',
    );
  await runGarner(folder, 'pin', identifier, '--source', 'ISCCP', '--version', '2');
  const thinned = await runGarner(folder, 'thin', 'ISCCP', '--keep', '1', '--older-than', '0', '--json');
  assert.deepEqual(JSON.parse(thinned.stdout), { thinned: { ISCCP: 1 } });
  const { stdout } = await runGarner(folder, 'history', identifier, '--source', 'ISCCP');
  assert.match(stdout, /capture, creator-driven/);
  assert.match(stdout, /recataloguing, repository-driven, Ada, subject one, pinned/);
  assert.match(stdout, /subject two, content no longer kept/);
  const back = await runGarner(folder, 'rollback', identifier, '--source', 'ISCCP', '--to', '2');
  assert.equal(back.code, 0, back.stderr);
  const dc = await runGarner(folder, 'get', identifier, '--source', 'ISCCP', '--format', 'oai_dc');
  assert.match(dc.stdout, /<dc:subject>one<.*/);
  const old = await runGarner(
    folder,
    'get',
    identifier,
    '--source',
    'ISCCP',
    '--format',
    'oai_didl',
    '--version',
    '1',
  );
  assert.doesNotMatch(old.stdout, /<dc:subject>/);
});
