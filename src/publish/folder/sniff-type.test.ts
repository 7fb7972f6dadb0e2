import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isRunByServers } from './run-by-servers.ts';
import { sniffType } from './sniff-type.ts';

const CASES: readonly [bytes: string, name: string, type: string][] = [
  ['\xff\xd8\xff\xe0....JFIF', 'photo.jpg', 'image/jpeg'],
  ['\xff\xd8\xff\xe0....JFIF', 'misnamed.txt', 'image/jpeg'],
  ['\x89PNG\r\n\x1a\n', 'x', 'image/png'],
  ['PK\x03\x04', 'report.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ['PK\x03\x04', 'report.html', 'application/zip'],
  ['%PDF-1.7', 'paper', 'application/pdf'],
  ['\x1f\x8b\x08', 'data.csv', 'application/gzip'],
  ['<!DOCTYPE html><p>', 'page', 'text/html'],
  ['<?xml version="1.0"?><svg xmlns="">', 'drawing', 'image/svg+xml'],
  ['<?xml version="1.0"?><root/>', 'data.rdf', 'application/rdf+xml'],
  ['plain words', 'README', 'text/plain'],
  ['a,b\n1,2', 'table.csv', 'text/csv'],
  ['caf\xe9 in Latin-1', 'old.html', 'text/html'],
  ['\x00\x01\x02', 'mystery', 'application/octet-stream'],
  ['CDF is a word, too', 'notes.txt', 'text/plain'],
  ['', 'empty.css', 'text/css'],
];

for (const [bytes, name, type] of CASES) {
  test(`${name} that begins with ${JSON.stringify(bytes.slice(0, 12))} is ${type}`, () => {
    assert.equal(sniffType(Buffer.from(bytes, 'latin1'), name).mediaType, type);
  });
}

test('text in UTF-8 says so, other text does not', () => {
  assert.equal(sniffType(Buffer.from('<p>ü'), 'a.html').charset, 'utf-8');
  assert.equal(sniffType(Buffer.from('<p>\xfc', 'latin1'), 'a.html').charset, undefined);
});

test('programs that servers run are known by any of their extensions', () => {
  for (const name of ['a.php', 'a.PHP5', 'a.php.bak', 'x.shtml', 'y.jsp'])
    assert.ok(isRunByServers(name), name);
  for (const name of ['php', 'tool.py', 'a.phpx', 'index.html']) assert.ok(!isRunByServers(name), name);
});
