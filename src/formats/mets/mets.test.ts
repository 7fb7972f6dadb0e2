import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseXml } from '../../xml/engine.ts';
import { checkMetsReferences } from './check-references.ts';
import type { MetsDiv, MetsParts } from './mets-document.ts';
import { readMetsEvents } from './read-events.ts';
import { readMets } from './read-mets.ts';
import { writeMets } from './write-mets.ts';

/** One of everything, in another prefix than ours, with single quotes. */
const FOREIGN = `<?xml version="1.0"?>
<m:mets xmlns:m="http://www.loc.gov/METS/" xmlns:l='http://www.w3.org/1999/xlink' OBJID='a &amp; b'>
  <m:dmdSec ID="D1"><m:mdWrap MDTYPE="DC"><m:xmlData><title xmlns="urn:t">A <!-- </m:xmlData> --> title</title></m:xmlData></m:mdWrap></m:dmdSec>
  <m:amdSec ID="A1"><m:techMD ID="T1"><m:mdRef MDTYPE="OTHER" LOCTYPE="URL" l:href="tech.xml"/></m:techMD></m:amdSec>
  <m:fileSec><m:fileGrp USE="all"><m:fileGrp USE="inner">
    <m:file ID="F1" SIZE="10" ADMID="A1 T1" DMDID="D1"><m:FLocat LOCTYPE="URL" l:href="pictures/1.png"/></m:file>
    <m:file ID="F2"><m:FContent><m:binData>QUJD
      RA==</m:binData></m:FContent></m:file>
  </m:fileGrp></m:fileGrp></m:fileSec>
  <m:structMap><m:div ID="V0" l:label="root" DMDID="D1" ADMID="T1">
    <m:div ID="V1" l:label="one"><m:fptr><m:area FILEID="F1" BETYPE="BYTE" BEGIN="0" END="9"/></m:fptr></m:div>
    <m:div ID="V2"><m:mptr LOCTYPE="URL" l:href="other.xml"/><m:fptr FILEID="F2"/></m:div>
  </m:div></m:structMap>
  <m:structLink><m:smLink l:from="one" l:to="root"/><m:smLink l:from="V2" l:to="one"/></m:structLink>
</m:mets>`;

const check = (text: string): string[] =>
  checkMetsReferences([Buffer.from(text)]).map(({ message }) => message);

test('a document whose references all lead somewhere has no problem', () => {
  assert.deepEqual(check(FOREIGN), []);
});

const BROKEN: readonly (readonly [string, string, string, RegExp])[] = [
  [
    'a description that is not there',
    'DMDID="D1" ADMID',
    'DMDID="D9" ADMID',
    /^DMDID "D9" is not in the document$/,
  ],
  ['a description that is a file', 'DMDID="D1" ADMID', 'DMDID="F1" ADMID', /^DMDID "F1" is no dmdSec$/],
  [
    'administration that is not there',
    'ADMID="A1 T1"',
    'ADMID="A1 T9"',
    /^ADMID "T9" is not in the document$/,
  ],
  [
    'administration that is a division',
    'ADMID="A1 T1"',
    'ADMID="V1"',
    /^ADMID "V1" is no part of an amdSec$/,
  ],
  [
    'a file that is not there',
    'fptr FILEID="F2"',
    'fptr FILEID="F9"',
    /^FILEID "F9" is not in the document$/,
  ],
  ['a file that is a description', 'area FILEID="F1"', 'area FILEID="D1"', /^FILEID "D1" is no file$/],
  ['a link from nowhere', 'l:from="one"', 'l:from="two"', /^xlink:from "two" of a link is no division$/],
  ['a link to a file', 'l:to="root"', 'l:to="F1"', /^xlink:to "F1" of a link is no division$/],
  ['an ID that is there twice', 'ID="F2"', 'ID="F1"', /^the ID "F1" is there twice$/],
  [
    'an ID that is taken by wrapped metadata',
    '<title xmlns',
    '<title ID="V1" xmlns',
    /^the ID "V1" is there twice$/,
  ],
  ['an ID that is no name', 'ID="V2"', 'ID="2:V"', /^"2:V" is no ID$/],
  ['two divisions of one label', 'ID="V2"', 'ID="V2" l:label="one"', /^two divisions have the label "one"$/],
  [
    'bytes behind the end of the file',
    'END="9"',
    'END="10"',
    /^byte 10 lies behind the end of the file "F1"$/,
  ],
  [
    'bytes that end before they begin',
    'BEGIN="0" END="9"',
    'BEGIN="5" END="4"',
    /^no bytes lie between 5 and 4$/,
  ],
  [
    'a pointer to nowhere',
    'mptr LOCTYPE="URL" l:href="other.xml"',
    'mptr LOCTYPE="URL"',
    /^mptr says no place$/,
  ],
  [
    'a place that is no address',
    'l:href="pictures/1.png"',
    'l:href="http://[x"',
    /^FLocat "http:\/\/\[x" is no address$/,
  ],
];
for (const [what, from, to, expected] of BROKEN)
  test(`${what} is told`, () => {
    assert.ok(FOREIGN.includes(from), from);
    const problems = check(FOREIGN.replace(from, to));
    assert.ok(
      problems.some((message) => expected.test(message)),
      JSON.stringify(problems),
    );
  });

test('problems have the line of the element', () => {
  const [problem] = checkMetsReferences([
    Buffer.from(FOREIGN.replace('fptr FILEID="F2"', 'fptr FILEID="F9"')),
  ]);
  assert.equal(problem?.line, 12);
});

test('documents of others are read, whatever prefix they use', () => {
  const { head, descriptions, fileGroups, structures, links } = readMets(Buffer.from(FOREIGN));
  assert.equal(head.objectId, 'a & b');
  assert.equal(descriptions[0]?.xml, '<title xmlns="urn:t">A <!-- </m:xmlData> --> title</title>');
  assert.deepEqual(
    fileGroups.map(({ use, files }) => [use, files.map(({ id, content }) => [id, content])]),
    [
      [
        'inner',
        [
          ['F1', undefined],
          ['F2', 'QUJDRA=='],
        ],
      ],
    ],
  );
  assert.deepEqual([...(structures[0]?.root.divs ?? [])].length, 2);
  assert.deepEqual(links[1], { from: 'V2', to: 'one' });
});

test('what is no METS is refused', () => {
  assert.throws(() => readMets(Buffer.from('<mets xmlns="urn:other"/>')), { code: 'xml.invalid' });
});

test('a document reads the same however it is cut into pieces', () => {
  const bytes = Buffer.from(FOREIGN.replace('D1" ADMID', 'D9" ADMID'));
  const whole = checkMetsReferences([bytes]);
  fc.assert(
    fc.property(fc.array(fc.nat(bytes.length), { maxLength: 20 }), (cuts) => {
      const places = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
      const pieces = places.slice(1).map((end, index) => bytes.subarray(places[index], end));
      assert.deepEqual(checkMetsReferences(pieces), whole);
    }),
    { numRuns: 60 },
  );
});

const text = fc.string({ unit: 'grapheme', maxLength: 12 }).map((value) => value.replace(/[^\P{C}]/gu, ''));
const id = fc.stringMatching(/^[a-z][a-z0-9-]{0,8}$/);
const base = { dmdIds: [], admIds: [], contentIds: [], pointers: [], divs: [] };
const leaf: fc.Arbitrary<MetsDiv> = fc.record({ id, label: text }).chain(({ id: own, label }) =>
  fc.oneof(
    fc.constant<MetsDiv>({ ...base, id: own, label, files: [{ fileId: 'x' }] }),
    fc.constant<MetsDiv>({
      ...base,
      id: own,
      label,
      files: [{ parallel: [{ fileId: 'x' }, { fileId: 'y' }] }],
    }),
    fc.nat(1000).map(
      (first): MetsDiv => ({
        ...base,
        id: own,
        label,
        files: [{ area: { fileId: 'x', bytes: { first, last: first + 3 } } }],
      }),
    ),
  ),
);

test('whatever is written is well-formed, and reads and writes the same', () => {
  const parts = fc
    .record({ label: text, title: text, divs: fc.array(leaf, { maxLength: 5 }), href: text })
    .map(
      ({ label, title, divs, href }): MetsParts => ({
        head: { label, agents: [{ role: 'CREATOR', name: title }], created: '2026-01-01T00:00:00Z' },
        descriptions: [{ id: 'd', type: 'MODS', xml: '<mods:mods/>' }],
        admins: [{ id: 'a', techMD: [{ id: 't', type: 'OTHER', otherType: label, xml: '<x xmlns=""/>' }] }],
        fileGroups: [
          {
            use: 'page',
            files: [{ id: 'x', admIds: ['a', 't'], dmdIds: ['d'], locations: [{ type: 'URL', href }] }],
          },
        ],
        structures: [{ type: 'logical', root: { ...base, label: title, files: [], divs } }],
        links: [{ from: 'x', to: 'y', title }],
      }),
    );
  fc.assert(
    fc.property(parts, (given) => {
      const written = [...writeMets(given)].join('');
      parseXml(Buffer.from(written)).dispose();
      assert.equal([...writeMets(readMets(Buffer.from(written)))].join(''), written);
    }),
    { numRuns: 100 },
  );
});

test('a file inside of the document comes piece by piece, however the document is cut', () => {
  const text =
    '<mets xmlns="http://www.loc.gov/METS/"><file ID="F"><FContent><binData>aGVs\nbG8=</binData></FContent></file></mets>';
  const bytes = Buffer.from(text);
  for (const size of [1, 2, 7, bytes.length]) {
    const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
      bytes.subarray(i * size, (i + 1) * size),
    );
    let content = '';
    for (const event of readMetsEvents(chunks))
      if (event.kind === 'content') content += Buffer.from(event.bytes).toString();
    assert.equal(content, 'aGVs\nbG8=', `pieces of ${size}`);
  }
  assert.equal(readMets(bytes).fileGroups[0]?.files[0]?.content, 'aGVsbG8=');
});

test('tags that do not fit each other are no METS', () => {
  const inside = (text: string) => [
    ...readMetsEvents([Buffer.from(`<mets xmlns="http://www.loc.gov/METS/">${text}`)]),
  ];
  for (const text of ['<div></mets>', '<div></dib></mets>', '', '<div', '</mets></mets>'])
    assert.throws(() => inside(text), { code: 'xml.malformed' }, text);
  assert.equal(inside('<div/></mets >').length, 4);
});
