/** METS and site models by the command line, and in what bags hold. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { openWarcWriter, responseRecord, writeHttpHead } from '../src/archive/index.ts';
import { checkMetsReferences } from '../src/formats/mets/check-references.ts';
import { readMets } from '../src/formats/mets/read-mets.ts';
import { runGarner } from './garner-process.ts';

const HOME = 'http://tides.example.org/';
const SNAPSHOT = 'tides:20261115T030000Z';
let folder: string;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'garner-mets-cli-'));
  const writer = await openWarcWriter({ folder, prefix: 'in', clock: () => 0, info: [] });
  const at = Date.parse('2026-11-15T03:00:00Z');
  const head = writeHttpHead('HTTP/1.1 200 OK', [['Content-Type', 'text/html']]);
  const page = (url: string, body: string) =>
    responseRecord({ targetUri: url, at }, { head, body: Buffer.from(body) });
  const [written] = await writer.append(
    page(HOME, '<title>Tides</title><a href="b">Ebb</a>'),
    page(`${HOME}b`, '<title>B</title><a href="/">Flood</a>'),
  );
  await writer.close();
  const imported = await runGarner(folder, 'import', written?.file ?? '', '--source', 'tides');
  assert.equal(imported.code, 0, imported.stderr);
});
after(() => rm(folder, { recursive: true, force: true }));

test('garner get writes METS of a snapshot, of one page of it, of its pages apart, and of a capture', async () => {
  const get = async (...given: string[]) => {
    const { code, stdout, stderr } = await runGarner(
      folder,
      'get',
      ...given,
      '--source',
      'tides',
      '--format',
      'mets',
    );
    assert.equal(code, 0, stderr);
    assert.deepEqual(checkMetsReferences([Buffer.from(stdout)]), []);
    return readMets(Buffer.from(stdout));
  };
  const whole = await get(SNAPSHOT);
  assert.deepEqual(
    whole.links.map(({ title }) => title),
    ['Ebb', 'Flood'],
  );
  const page = await get(SNAPSHOT, '--page', `${HOME}b#somewhere`);
  assert.equal(page.head.objectId, `${HOME}b`);
  const apart = await get(SNAPSHOT, '--pages-apart');
  assert.equal([...(apart.structures[0]?.root.divs ?? [])].length, 2);
  const capture = await get(HOME);
  assert.equal(capture.head.label, 'Tides');
  const wrong = await runGarner(
    folder,
    'get',
    SNAPSHOT,
    '--source',
    'tides',
    '--format',
    'mets',
    '--page',
    'http://no.example/',
  );
  assert.equal(wrong.code, 1);
  assert.match(wrong.stderr, /no page http:\/\/no\.example\//);
});

/** Where the divisions of an aggregator lead. */
function pointersOf(text: string): string[] {
  assert.deepEqual(checkMetsReferences([Buffer.from(text)]), []);
  const { structures } = readMets(Buffer.from(text));
  return [...(structures[0]?.root.divs ?? [])].map(({ pointers }) => pointers[0]?.href ?? '');
}

test('garner get writes METS that leads to the harvests of a series and of a day, to all sites and all days', async () => {
  const get = async (name: string, ...given: string[]) => {
    const { code, stdout, stderr } = await runGarner(folder, 'get', name, '--format', 'mets', ...given);
    assert.equal(code, 0, stderr);
    return pointersOf(stdout).map((href) => new URL(href).pathname);
  };
  assert.deepEqual(await get('tides', '--source', 'tides'), [`/packages/tides/${SNAPSHOT}`]);
  assert.deepEqual(await get('2026-11-15', '--source', 'tides'), [`/packages/tides/${SNAPSHOT}`]);
  assert.deepEqual(await get('sites', '--source', 'tides'), ['/mets/sites/tides/tides']);
  assert.deepEqual(await get('days', '--source', 'tides'), ['/mets/days/2026-11-15']);
  const none = await runGarner(folder, 'get', '2026-11-16', '--format', 'mets');
  assert.equal(none.code, 1);
  assert.match(none.stderr, /there is no item "2026-11-16"/);
});

test('garner export --mets writes documents that lead to each other, from the sites and from the days', async () => {
  const told = await runGarner(folder, 'export', 'tides', '--source', 'tides', '--mets', 'tree', '--json');
  assert.equal(told.code, 0, told.stderr);
  assert.match(told.stdout, /"harvests":1,"aggregators":4/);
  const { stdout: harvest } = await runGarner(
    folder,
    'get',
    SNAPSHOT,
    '--source',
    'tides',
    '--format',
    'mets',
  );
  for (const root of ['sites', 'days']) {
    const top = pathToFileURL(join(folder, 'tree', `${root}.mets.xml`));
    const [next = ''] = pointersOf(await readFile(top, 'utf8'));
    const middle = new URL(next, top);
    const [last = ''] = pointersOf(await readFile(middle, 'utf8'));
    assert.equal(await readFile(new URL(last, middle), 'utf8'), harvest);
  }
  const none = await runGarner(folder, 'export', 'ebb', '--mets', 'nowhere');
  assert.equal(none.code, 1);
  assert.match(none.stderr, /there is no snapshot, series or day of snapshots "ebb"/);
});

test('METS that was written is taken in again: by itself as a record, beside its archive with all captures', async () => {
  const { stdout } = await runGarner(folder, 'get', SNAPSHOT, '--source', 'tides', '--format', 'mets');
  const alone = join(folder, 'alone');
  await mkdir(alone);
  await writeFile(join(alone, 'tides.mets.xml'), stdout);
  const back = await runGarner(folder, 'import', 'alone/tides.mets.xml', '--source', 'catalogue');
  assert.equal(back.code, 0, back.stdout + back.stderr);
  const again = await runGarner(folder, 'get', SNAPSHOT, '--source', 'catalogue');
  assert.equal(again.stdout, stdout);

  await writeFile(join(folder, 'tides.mets.xml'), stdout);
  const whole = await runGarner(folder, 'import', 'tides.mets.xml', '--source', 'copy', '--json');
  assert.equal(whole.code, 0, whole.stdout + whole.stderr);
  assert.match(whole.stdout, /"captures":2/);
  const page = await runGarner(folder, 'get', `${HOME}b@20261115`, '--source', 'copy');
  assert.equal(page.stdout, '<title>B</title><a href="/">Flood</a>');
});

test('garner site-model counts, and writes tables', async () => {
  const model = await runGarner(
    folder,
    'site-model',
    SNAPSHOT,
    '--source',
    'tides',
    '--csv',
    'tables',
    '--json',
  );
  const { stdout } = model;
  assert.equal(model.code, 0, model.stderr);
  const { pages, links } = JSON.parse(stdout) as { pages: number; links: { internal: number } };
  assert.deepEqual([pages, links.internal], [2, 2]);
  assert.deepEqual((await readdir(join(folder, 'tables'))).sort(), [
    'embedded.csv',
    'files.csv',
    'links.csv',
    'pages.csv',
    'redirects.csv',
  ]);
  const table = await readFile(join(folder, 'tables', 'links.csv'), 'utf8');
  assert.match(table, /,Ebb,,internal,http:\/\/tides\.example\.org\/b,20,19\r\n/);
  const source = await runGarner(folder, 'site-model', 'tides');
  assert.match(source.stdout, /tides: 2 pages of 2 files/);
});
