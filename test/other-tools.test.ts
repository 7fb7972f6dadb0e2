/** Packages that other people's tools read and write: Python's metsrw, bagit, wacz and warcio, and tar. */
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { openWarcWriter, responseRecord, writeHttpHead } from '../src/archive/index.ts';
import { runGarner } from './garner-process.ts';

const run = promisify(execFile);
const HOME = 'http://tides.example.org/';
const SNAPSHOT = 'tides:20261115T030000Z';

const isThere = (command: string, ...args: string[]): boolean => spawnSync(command, args).status === 0;
/** What `test` wants for `skip`. */
const without = (...modules: string[]): string | false =>
  isThere('python3', '-c', `import ${modules.join(', ')}`)
    ? false
    : `of the Python modules ${modules.join(', ')} not all are installed`;

let folder: string;

async function garner(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runGarner(folder, ...args);
  assert.equal(code, 0, stdout + stderr);
  return stdout;
}

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'garner-other-tools-'));
  const writer = await openWarcWriter({ folder, prefix: 'in', clock: () => 0, info: [] });
  const at = Date.parse('2026-11-15T03:00:00Z');
  const answer = (url: string, type: string, body: string, status = 200) => {
    const head = writeHttpHead(`HTTP/1.1 ${status} Answer`, [['Content-Type', type]]);
    return responseRecord({ targetUri: url, at }, { head, body: Buffer.from(body) });
  };
  const [written] = await writer.append(
    answer(HOME, 'text/html', '<title>Tides</title><link rel="stylesheet" href="a.css"><p>Ebb'),
    answer(`${HOME}b`, 'text/html', '<p>without a title'),
    answer(`${HOME}gone`, 'text/html', '<p>not here', 404),
    answer(`${HOME}a.css`, 'text/css', 'p { color: navy }'),
  );
  await writer.close();
  await garner('import', written?.file ?? '', '--source', 'tides');
});
after(() => rm(folder, { recursive: true, force: true }));

test('py-wacz finds our WACZ valid, and its pages are those that were there', {
  skip: without('wacz'),
}, async () => {
  await garner('export', SNAPSHOT, '--source', 'tides', '--wacz', 'tides.wacz');
  const { stdout } = await run('python3', [
    '-c',
    'import sys; from wacz.main import main; sys.exit(main(["validate", "-f", sys.argv[1]]))',
    join(folder, 'tides.wacz'),
  ]);
  assert.match(stdout, /is valid/);
  const { stdout: pages } = await run('python3', [
    '-c',
    'import sys, zipfile; print(zipfile.ZipFile(sys.argv[1]).read("pages/pages.jsonl").decode())',
    join(folder, 'tides.wacz'),
  ]);
  assert.deepEqual(pages.match(/"title":"[^"]+"/g), [
    '"title":"All Pages"',
    '"title":"Tides"',
    `"title":"${HOME}b"`,
  ]);
});

test('a WACZ that py-wacz made of a WARC of warcio is taken in', {
  skip: without('wacz', 'warcio'),
}, async () => {
  await run('python3', ['-c', MAKE_WACZ], { cwd: folder });
  await garner('import', 'nimbus.wacz', '--source', 'nimbus');
  assert.equal(
    await garner('get', 'http://nimbus.example/@2026', '--source', 'nimbus'),
    '<title>Nimbus</title>',
  );
});

test('METS of metsrw is taken in with the files beside it', { skip: without('metsrw') }, async () => {
  await run('python3', ['-c', MAKE_METS], { cwd: folder });
  await garner('import', 'papers/METS.xml', '--source', 'papers');
  const found = await garner('search', 'source:papers', '--json');
  assert.match(found, /"title":"Gauge papers"/);
  assert.match(found, /"title":"Picture of a gauge"/);
  assert.doesNotMatch(found, /"title":"objects"/);
  const back = await garner('get', 'aip-1', '--source', 'papers');
  assert.equal(back, await readFile(join(folder, 'papers', 'METS.xml'), 'utf8'));
});

test('a bag of Archivematica’s shape, packed, is taken in with its METS and its objects', {
  skip: without('metsrw', 'bagit') || !isThere('tar', '--version'),
}, async () => {
  await run('python3', ['-c', MAKE_METS.replaceAll('papers/', 'inner/')], { cwd: folder });
  await run('python3', ['-c', 'import bagit; bagit.make_bag("inner", checksums=["md5", "sha256"])'], {
    cwd: folder,
  });
  await run('tar', ['czf', 'aip.tar.gz', 'inner'], { cwd: folder });
  await garner('import', 'aip.tar.gz', '--source', 'aip');
  const found = await garner('search', 'source:aip', '--json');
  for (const title of ['inner', 'Gauge papers', 'Picture of a gauge'])
    assert.ok(found.includes(`"title":"${title}"`), found);
});

test('tar unpacks the directories of a container', { skip: !isThere('tar', '--version') }, async () => {
  const didl = await garner('get', SNAPSHOT, '--source', 'tides', '--format', 'oai_didl');
  const directories = [...didl.matchAll(/encoding="base64">([^<]+)</g)].map(([, text = '']) => text);
  assert.equal(directories.length, 4);
  const listed = new Set<string>();
  for (const text of directories) {
    await writeFile(join(folder, 'one.tar.gz'), Buffer.from(text, 'base64'));
    const { stdout } = await run('tar', ['tzf', 'one.tar.gz'], { cwd: folder });
    listed.add(stdout);
  }
  assert.ok(listed.has('tides.example.org/index.html\ntides.example.org/a.css\n'), [...listed].join('---'));
  assert.ok(listed.has('tides.example.org/a.css\n'));
});

const MAKE_WACZ = `
from io import BytesIO
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter
from wacz.main import main
with open('nimbus.warc.gz', 'wb') as file:
    writer = WARCWriter(file, gzip=True)
    head = StatusAndHeaders('200 OK', [('Content-Type', 'text/html')], protocol='HTTP/1.1')
    writer.write_record(writer.create_warc_record(
        'http://nimbus.example/', 'response', payload=BytesIO(b'<title>Nimbus</title>'), http_headers=head,
        warc_headers_dict={'WARC-Date': '2026-11-15T03:00:00Z'}))
main(['create', '-o', 'nimbus.wacz', 'nimbus.warc.gz'])
`;

const MAKE_METS = `
import hashlib, os
import metsrw
from lxml import etree
os.makedirs('papers/objects')
contents = {'hello.txt': 'Hello gauges', 'picture.html': '<title>Picture of a gauge</title>'}
entries = []
for number, (name, text) in enumerate(contents.items()):
    with open('papers/objects/' + name, 'w') as file:
        file.write(text)
    entries.append(metsrw.FSEntry(
        label=name, path='objects/' + name, type='Item',
        file_uuid='00000000-0000-4000-8000-00000000000%d' % number,
        checksum=hashlib.sha256(text.encode()).hexdigest(), checksumtype='SHA-256'))
objects = metsrw.FSEntry(label='objects', type='Directory', children=entries)
objects.add_dublin_core(etree.fromstring(
    '<dcterms:dublincore xmlns:dcterms="http://purl.org/dc/terms/" xmlns:dc="http://purl.org/dc/elements/1.1/">'
    '<dc:title>Gauge papers</dc:title></dcterms:dublincore>'))
document = metsrw.METSDocument()
document.objid = 'aip-1'
document.append_file(objects)
document.write('papers/METS.xml')
`;
