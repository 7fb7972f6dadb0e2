/** The way of one capture through the public face, as a crawler and a packager go it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writePdf } from '../../../test/archived-content/write-pdf.ts';
import {
  type AddedMetadata,
  type CaptureContent,
  type CaptureText,
  CONTENT_LIMITS,
  type ContentLimits,
  type ContentReader,
  type ContentReading,
  createPdfReader,
  type Extracted,
  isRequisite,
  type Link,
  type LinkKind,
  type PdfReader,
  type RobotsDirective,
  readContent,
  robotsRulesFor,
  sniffType,
  textForIndex,
} from './index.ts';

const PAGE: CaptureContent = {
  url: 'http://www.example.org/calender.htm',
  bytes: Buffer.from(
    '<html><head><title>calender</title><meta name=robots content=nofollow><link rel=stylesheet href=s.css></head><body bgcolor="#FFFFFF"><img src=a.gif><a href=home.htm>home</a><form action=/f></form></body></html>',
  ),
  headers: [
    ['Content-Type', 'text/html'],
    ['Last-Modified', 'Sun, 26 Jan 2003 04:05:37 GMT'],
  ],
};

test('a crawler sees what to load with a page, what to follow, and whether it may', async () => {
  const reading: ContentReading = await readContent(PAGE);
  const links: readonly Link[] = reading.links;
  assert.deepEqual(
    links.filter(isRequisite).map(({ url }) => url),
    ['http://www.example.org/s.css', 'http://www.example.org/a.gif'],
  );
  const followed: readonly LinkKind[] = ['page', 'redirect'];
  assert.deepEqual(
    links.filter(({ kind }) => followed.includes(kind)).map(({ url }) => url),
    ['http://www.example.org/home.htm'],
  );
  const robots: readonly RobotsDirective[] = reading.robots;
  assert.deepEqual(robotsRulesFor(robots, 'Garner/1.0'), { index: true, follow: false, archive: true });
});

test('what a capture says of itself is apart from what is said of it', async () => {
  const { extracted }: { readonly extracted: Extracted } = await readContent(PAGE);
  const added: AddedMetadata = { url: PAGE.url, capturedAt: 0, weights: { total: 26 } };
  const described = { extracted, added };
  assert.equal(described.extracted.title, 'calender');
  for (const name of Object.keys(added)) assert.ok(!(name in extracted), name);
  assert.deepEqual(
    extracted.dates.map(({ value }) => value),
    ['2003-01-26T04:05:37Z'],
  );
});

test('one reader with its own limits serves many captures', async () => {
  const limits: ContentLimits = { ...CONTENT_LIMITS, text: 5 };
  const pdf: PdfReader = createPdfReader({ limits });
  const reader: ContentReader = { pdf, limits };
  const file = { url: 'http://www.example.org/a.pdf', bytes: writePdf({ pages: ['Harbour tides'] }) };
  assert.equal(sniffType(file.bytes).type, 'application/pdf');
  const texts: (CaptureText | undefined)[] = [];
  for (const capture of [file, PAGE, file]) texts.push(textForIndex(await readContent(capture, reader)));
  await pdf.close();
  assert.deepEqual(
    texts.map((text) => text?.parts),
    [['Harbo'], ['home'], ['Harbo']],
  );
});
