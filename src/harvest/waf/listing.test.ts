import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readListing } from './listing.ts';

const HERE = 'https://files.example/records/';
const at = (text: string) => Date.parse(text);
const read = (html: string) =>
  readListing(html, HERE).map(({ url, isFolder, modifiedAt }) => [
    url.slice(HERE.length),
    isFolder,
    modifiedAt,
  ]);

test('the preformatted listing of Apache and nginx', () => {
  assert.deepEqual(
    read(`<html><h1>Index of /records</h1><pre><a href="?C=N;O=D">Name</a> <a href="?C=M;O=A">Last modified</a><hr><a href="/">Parent Directory</a>     -
<a href="sub/">sub/</a>              2023-04-05 06:07    -
<a href="one.xml">one.xml</a>           2024-05-01 12:00  1.2K
<a href="caf%C3%A9%20two.xml">caf&eacute;..&gt;</a>    01-May-2024 12:30   1234
</pre></html>`),
    [
      ['sub/', true, at('2023-04-05T06:07Z')],
      ['one.xml', false, at('2024-05-01T12:00Z')],
      ['caf%C3%A9%20two.xml', false, at('2024-05-01T12:30Z')],
    ],
  );
});

test('the table of Apache', () => {
  assert.deepEqual(
    read(`<table><tr><th><a href="?C=S">Size</a></th></tr>
<tr><td><img src="x.gif"></td><td><a href="a.xml">a.xml</a></td><td align="right">2020-02-03 04:05  </td><td>12K</td></tr>
<tr><td></td><td><a href="https://files.example/records/b.xml">b.xml</a></td><td align="right">2021-02-03 04:05  </td><td>&nbsp;</td></tr></table>`),
    [
      ['a.xml', false, at('2020-02-03T04:05Z')],
      ['b.xml', false, at('2021-02-03T04:05Z')],
    ],
  );
});

test('the listing of IIS, with times before the names', () => {
  assert.deepEqual(
    read(`<pre><A HREF="/">[To Parent Directory]</A><br><br>
 5/14/2024  3:07 PM        &lt;dir&gt; <A HREF="/records/Inner/">Inner</A><br>
 5/15/2024 12:00 AM         1234 <A HREF="/records/x.xml">x.xml</A><br></pre>`),
    [
      ['Inner/', true, at('2024-05-14T15:07Z')],
      ['x.xml', false, at('2024-05-15T00:00Z')],
    ],
  );
});

test('links elsewhere are none of it', () => {
  assert.deepEqual(
    read(`<a href="https://other.example/records/a.xml">a</a><a href="../b.xml">b</a><a href="c.xml?download=1">c</a>
<a href="mailto:x@y.example">m</a><a href="deep/er.xml">d</a><a href="./">here</a><a href="javascript:void(0)">j</a>`),
    [],
  );
});
