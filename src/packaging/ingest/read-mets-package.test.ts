import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { readMetsPackage } from './read-mets-package.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'garner-mets-'));
  await mkdir(join(folder, 'package', 'images'), { recursive: true });
  await writeFile(join(folder, 'secret.txt'), 'secret');
  await writeFile(join(folder, 'package', 'images', 'a b.txt'), 'hello');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function read(files: string, rest = '') {
  const path = join(folder, 'package', 'mets.xml');
  await writeFile(
    path,
    `<mets xmlns="http://www.loc.gov/METS/" xmlns:xlink="http://www.w3.org/1999/xlink" OBJID="box 7" LABEL="A box">
<metsHdr CREATEDATE="2011-02-03T04:05:06Z"/><fileSec><fileGrp>${files}</fileGrp></fileSec>
<structMap><div>${rest}</div></structMap></mets>`,
  );
  return readMetsPackage(path, join(folder, 'scratch'));
}
const located = (href: string, attributes = ''): string =>
  `<file ID="F1" ${attributes}><FLocat LOCTYPE="URL" xlink:href="${href}"/></file>`;
const codes = ({ problems }: Awaited<ReturnType<typeof read>>): (string | undefined)[] =>
  problems.map(({ code }) => code);

test('files beside the document are taken in, with what it says of them', async () => {
  const { files, problems, title } = await read(
    located(
      'images/a%20b.txt',
      `MIMETYPE="text/plain" SIZE="5" CHECKSUMTYPE="SHA-1" CHECKSUM="${hash('sha1', 'hello')}" OWNERID="http://example.org/a"`,
    ),
  );
  assert.deepEqual(problems, []);
  assert.equal(title, 'A box');
  assert.deepEqual(
    files.map(({ url, at, mediaType }) => [url, at, mediaType]),
    [['http://example.org/a', Date.parse('2011-02-03T04:05:06Z'), 'text/plain']],
  );
});

test('a file without an address of its own is named by its place in the package', async () => {
  const { files } = await read(located('file://images/a%20b.txt'));
  assert.equal(files[0]?.url, 'urn:garner:package:box%207/file%3A//images/a%2520b.txt');
});

test('files inside of the document are unpacked', async () => {
  const { files } = await read('<file ID="F1"><FContent><binData>aGVs\n bG8=</binData></FContent></file>');
  assert.equal(await readFile(files[0]?.path ?? '', 'utf8'), 'hello');
});

test('XML that stands in the document is a file, and what is no base64 is told', async () => {
  const inside = (content: string) => read(`<file ID="F1"><FContent>${content}</FContent></file>`);
  const { files } = await inside('<xmlData><a xmlns="urn:a">b</a></xmlData>');
  assert.equal(await readFile(files[0]?.path ?? '', 'utf8'), '<a xmlns="urn:a">b</a>');
  assert.deepEqual(codes(await inside('<binData>a*b</binData>')), ['archive.record']);
});

test('a document that is too large for a record is taken in as a file beside its own', async () => {
  const { files, problems } = await read(
    `<file ID="F1"><FContent><binData>${'QUJD'.repeat(17 * 1024 * 1024)}</binData></FContent></file>`,
  );
  assert.deepEqual(problems, []);
  assert.deepEqual(
    files.map(({ url, mediaType }) => [url, mediaType]),
    [
      ['urn:garner:package:box%207/F1', undefined],
      ['urn:garner:package:box%207/mets.xml', 'application/xml'],
    ],
  );
  assert.equal((await stat(files[0]?.path ?? '')).size, 51 * 1024 * 1024);
});

test('what is elsewhere, missing, damaged or outside is told and left out', async () => {
  assert.deepEqual(codes(await read(located('http://example.org/far.png'))), ['archive.record']);
  assert.deepEqual(codes(await read(located('images/none.png'))), ['archive.record']);
  assert.deepEqual(codes(await read(located('images'))), ['archive.record']);
  assert.deepEqual(codes(await read(located('images/a%20b.txt', 'SIZE="4"'))), ['source.checksum']);
  assert.deepEqual(codes(await read(located('images/a%20b.txt', 'CHECKSUMTYPE="MD5" CHECKSUM="00"'))), [
    'source.checksum',
  ]);
  assert.deepEqual(codes(await read(located('../secret.txt'))), ['archive.unsafe']);
  assert.deepEqual(codes(await read(located(`file://${folder}/secret.txt`))), ['archive.unsafe']);
  await symlink(join(folder, 'secret.txt'), join(folder, 'package', 'link.txt'));
  assert.deepEqual(codes(await read(located('link.txt'))), ['archive.unsafe']);
});

test('references that lead nowhere are reported with their line, and the files still come', async () => {
  const { files, problems } = await read(located('images/a%20b.txt'), '<fptr FILEID="F9"/>');
  assert.equal(files.length, 1);
  assert.deepEqual(
    problems.map(({ code, message, line }) => [code, message, line]),
    [['mets.reference', 'FILEID "F9" is not in the document', 3]],
  );
});

test('files that are records of a web archive beside the document come with that archive', async () => {
  await writeFile(join(folder, 'package', 'a.warc'), 'WARC/1.1');
  const inArchive = (id: string, name: string): string =>
    `<file ID="${id}"><FLocat LOCTYPE="OTHER" OTHERLOCTYPE="WARC" xlink:href="${name}#offset=7"/></file>`;
  const { archives, files, problems } = await read(
    inArchive('F1', 'a.warc') + inArchive('F2', 'a.warc') + inArchive('F3', 'none.warc'),
  );
  assert.deepEqual(
    archives.map((path) => basename(path)),
    ['a.warc'],
  );
  assert.equal(files.length, 0);
  assert.deepEqual(
    problems.map(({ code, where }) => [code, where]),
    [['archive.record', 'F3']],
  );
});

test('a document without a label has the title of its first description, before labels of its divisions', async () => {
  const path = join(folder, 'package', 'mets.xml');
  const wrapped = (title: string) =>
    `<dmdSec ID="d${title.length}"><mdWrap MDTYPE="DC"><xmlData><dc:dc xmlns:dc="urn:dc"><dc:title xml:lang="en"> ${title} </dc:title></dc:dc></xmlData></mdWrap></dmdSec>`;
  const titleOf = async (descriptions: string) => {
    await writeFile(
      path,
      `<mets xmlns="http://www.loc.gov/METS/" xmlns:xlink="http://www.w3.org/1999/xlink">${descriptions}
<amdSec><techMD ID="t"><mdWrap MDTYPE="OTHER"><xmlData><title>of a tool</title></xmlData></mdWrap></techMD></amdSec>
<fileSec><fileGrp>${located('images/a%20b.txt')}</fileGrp></fileSec>
<structMap><div LABEL="objects"/></structMap></mets>`,
    );
    return (await readMetsPackage(path, join(folder, 'scratch'))).title;
  };
  assert.equal(await titleOf(wrapped('Tides &amp; gauges') + wrapped('A page')), 'Tides & gauges');
  assert.equal(await titleOf(''), 'objects');
});
