/** Captures of other tools' test archives, against a second and simpler way to see the links in them. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { readArchive } from '../read/read-archive.ts';
import type { CaptureContent } from './capture-content.ts';
import type { ContentReading } from './metadata/extracted.ts';
import { readContent } from './read-content.ts';

const folder = fileURLToPath(new URL('../../../../shared/data/archives/', import.meta.url));
const skip = existsSync(`${folder}INDEX.md`) ? false : 'the sample archives are not beside the project';

async function* readCaptures(
  file: string,
): AsyncGenerator<CaptureContent & { readonly bytes: Buffer; readonly reading: ContentReading }> {
  for await (const event of readArchive(folder + file)) {
    if (event.kind === 'damage' || event.type !== 'response' || !event.http || !event.targetUri) continue;
    const { bytes } = await event.content();
    const capture = { url: event.targetUri, bytes, headers: event.http.headers };
    yield { ...capture, reading: await readContent(capture) };
  }
}

const NAIVE =
  /\s(?:href|src|data|cite|longdesc|poster|background|data-href|data-uri|data-thumbnail)="([^"#][^"]*)"/g;

test('the links of the pages made for link extraction are all found', { skip }, async () => {
  let pages = 0;
  let compared = 0;
  for await (const { url, bytes, reading } of readCaptures('webarchive-commons/link-extraction-test.warc')) {
    pages++;
    const found = new Set(reading.links.map((link) => link.url));
    const html = bytes.toString().replace(/<!--.*?-->|<base\b[^>]*>/gs, '');
    for (const [, value = ''] of html.matchAll(NAIVE)) {
      const address = URL.parse(value.replaceAll('&amp;', '&'), url);
      if (!address?.protocol.startsWith('http')) continue;
      address.hash = '';
      assert.ok(found.has(address.href), `${address.href} in ${url}`);
      compared++;
    }
  }
  assert.ok(pages >= 3 && compared >= 30, `${compared} links of ${pages} pages`);
});

test('a crawl of 2008 is understood: pages have titles, images have sizes, places are right', {
  skip,
}, async () => {
  const counts = { html: 0, titled: 0, links: 0, images: 0, sized: 0, problems: 0 };
  for await (const { bytes, reading } of readCaptures(
    'solrwayback/IAH-20080430204825-00000-blackbook.arc.gz',
  )) {
    const { type, links, extracted, charset, problems } = reading;
    counts.problems += problems.length;
    if (type.type === 'text/html') {
      counts.html++;
      if (extracted.title !== undefined) counts.titled++;
    }
    if (extracted.image) {
      counts.images++;
      if ((extracted.image.width ?? 0) > 0 && (extracted.image.height ?? 0) > 0) counts.sized++;
    }
    for (const { position, written, heuristic } of links) {
      counts.links++;
      if (!position || heuristic || !charset || /&|\\/.test(written)) continue;
      const there = new TextDecoder(charset.encoding).decode(
        bytes.subarray(position.at, position.at + position.length),
      );
      // An entity stands for what it means.
      if (!there.includes('&')) assert.equal(there, written);
    }
  }
  assert.ok(counts.html > 50 && counts.titled / counts.html > 0.7, JSON.stringify(counts));
  assert.ok(counts.images > 20 && counts.sized === counts.images, JSON.stringify(counts));
  assert.ok(counts.links > 1000 && counts.problems < 5, JSON.stringify(counts));
});
