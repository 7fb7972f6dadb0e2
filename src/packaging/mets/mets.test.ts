import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { OPERATOR } from '../../core/access.ts';
import { checkMetsReferences } from '../../formats/mets/check-references.ts';
import { readMets } from '../../formats/mets/read-mets.ts';
import { writeMets } from '../../formats/mets/write-mets.ts';
import type { StoredItem } from '../../store/index.ts';
import { parseXml } from '../../xml/engine.ts';
import type { XmlSchema } from '../../xml/xsd.ts';
import { openCapturedSite, SITE, SITE_ANSWERS } from '../captured-site.fixture.ts';
import { compileMetsSchema } from '../mets-schema.fixture.ts';
import type { PackageChoice } from '../package-form.ts';
import { createSiteModels } from '../site-model/site-models.ts';
import { dayAggregate, daysAggregate, siteAggregate, sitesAggregate } from './collections.ts';
import { listSnapshots } from './list-snapshots.ts';
import { metsForm, metsItemForms, metsText } from './mets-form.ts';

const publisher = { name: 'Harbour archive', baseUrl: 'https://archive.example', software: 'Garner/test' };
let schema: XmlSchema | undefined;
before(async () => {
  schema = await compileMetsSchema();
});
after(() => schema?.dispose());

async function open(t: Parameters<typeof openCapturedSite>[0], answers = SITE_ANSWERS) {
  const site = await openCapturedSite(t, answers);
  const deps = { ...site, models: createSiteModels(site), publisher };
  const form = metsForm(deps);
  const write = async (item: StoredItem = site.snapshot, choice: PackageChoice = {}): Promise<string> => {
    let text = '';
    for await (const piece of await form.write(item, choice, OPERATOR)) text += piece;
    return text;
  };
  return { ...site, itemForms: metsItemForms(deps), write };
}

/** Valid, without dangling references, and the same after reading and writing. */
function assertGood(text: string, t: { diagnostic(message: string): void }): void {
  const bytes = Buffer.from(text);
  using document = parseXml(bytes);
  if (schema) assert.deepEqual(schema.validate(document), []);
  else t.diagnostic('the schemas are not here: not validated');
  assert.deepEqual(checkMetsReferences([bytes]), []);
  assert.equal([...writeMets(readMets(bytes))].join(''), text.replace(/^<\?.*\?>\n/, ''));
}

test('a harvest is one METS document that is valid, whole, and the same when written again', async (t) => {
  const { write } = await open(t);
  assertGood(await write(), t);
});

test('a page of a harvest is a document of its own, whose links point to the documents of other pages', async (t) => {
  const { write, snapshot } = await open(t);
  const text = await write(snapshot, { page: SITE });
  assertGood(text, t);
  const { structures, fileGroups, links } = readMets(Buffer.from(text));
  assert.deepEqual(
    fileGroups.map(({ use, files }) => [use, files.length]),
    [
      ['page', 1],
      ['image', 1],
      ['object', 1],
      ['style', 2],
    ],
  );
  const [first] = structures[0]?.root.divs ?? [];
  assert.equal(
    first?.pointers[0]?.href,
    `https://archive.example/packages/web/GAUGES:20030417T223125Z?format=mets&page=${encodeURIComponent(`${SITE}home.htm`)}`,
  );
  assert.deepEqual(links, []);
});

test('a single capture is packaged with what it is shown with', async (t) => {
  const { write, store } = await open(t);
  const item = await store.items.findItem({ source: 'web', identifier: SITE }, OPERATOR);
  assert.ok(item);
  const text = await write(item);
  assertGood(text, t);
  const { head, fileGroups, structures } = readMets(Buffer.from(text));
  assert.equal(head.objectId, SITE);
  assert.equal(fileGroups.flatMap(({ files }) => files).length, 5);
  assert.deepEqual(
    [...(structures[0]?.root.divs ?? [])].map(({ label, pointers }) => [label, pointers.length]),
    [
      ['Über uns', 1],
      ['Früher', 1],
      ['Fehlt', 1],
      ['noch einmal', 1],
    ],
  );
});

test('the structure has a division for every page, and one for every link to a page of the site', async (t) => {
  const { write } = await open(t);
  const { structures, links, fileGroups } = readMets(Buffer.from(await write()));
  const files = new Map(fileGroups.flatMap((group) => group.files).map((file) => [file.id, file]));
  const pages = [...(structures[0]?.root.divs ?? [])];
  assert.deepEqual(
    pages.map(({ type, label, divs }) => [type, label, [...divs].map((div) => div.label)]),
    [
      ['web page', 'Pegelstände', ['Über uns', 'Früher', 'noch einmal']],
      ['web page', 'Home — 水位', ['Start', 'Plan', 'Picture']],
      ['file', `${SITE}enter.png`, []],
      ['web page', 'Frame', []],
      ['document', `${SITE}plan.pdf`, []],
      ['web page', 'Weit', ['nach Hause']],
    ],
  );
  const [entry] = pages;
  const [pointer] = entry?.files ?? [];
  assert.ok(pointer && 'parallel' in pointer);
  assert.deepEqual(
    pointer.parallel.map(({ fileId }) => files.get(fileId)?.ownerId?.replace(SITE, '/')),
    ['/', '/style.css', '/intro.swf', '/enter.png', '/more.css'],
  );
  const [link] = entry?.divs ?? [];
  const [place] = link?.files ?? [];
  assert.ok(place && 'area' in place);
  const { first = 0, last = 0 } = place.area.bytes ?? {};
  const body = Buffer.from(SITE_ANSWERS[0]?.body ?? '');
  assert.equal(
    body.toString('latin1', first, last + 1),
    '<a href="home.htm"><img src="enter.png" alt="Über uns"></a>',
  );
  const home = pages[1]?.linkLabel;
  assert.deepEqual(
    links.filter(({ to }) => to === home).map(({ title }) => title),
    ['Über uns', 'Früher', 'noch einmal', 'nach Hause'],
  );
});

test('site and pages are described by the elements of library catalogues', async (t) => {
  const { write } = await open(t);
  const { descriptions } = readMets(Buffer.from(await write()));
  const names = (xml = ''): string[] => [...xml.matchAll(/<mods:(\w+)/g)].map(([, name = '']) => name);
  assert.deepEqual(
    [...new Set(names(descriptions[0]?.xml))],
    [
      'mods',
      'titleInfo',
      'title',
      'genre',
      'originInfo',
      'dateCaptured',
      'language',
      'languageTerm',
      'physicalDescription',
      'internetMediaType',
      'abstract',
      'subject',
      'topic',
      'relatedItem',
      'identifier',
    ],
  );
  assert.match(descriptions[0]?.xml ?? '', /authority="iso639-2b">ger</);
  assert.deepEqual(names(descriptions[1]?.xml), [
    'mods',
    'titleInfo',
    'title',
    'originInfo',
    'dateCaptured',
    'identifier',
    'physicalDescription',
    'extent',
    'genre',
  ]);
});

test('every file has fixity, headers and its capture; images and texts have their technique', async (t) => {
  const { write } = await open(t);
  const { admins, fileGroups } = readMets(Buffer.from(await write()));
  const sections = new Map(
    admins.flatMap(({ techMD = [], rightsMD = [], digiprovMD = [] }) =>
      [...techMD, ...rightsMD, ...digiprovMD].map((section) => [section.id, section] as const),
    ),
  );
  const typesOf = (name: string) => {
    const file = fileGroups.flatMap((group) => group.files).find(({ ownerId }) => ownerId === SITE + name);
    return file?.admIds.map((id) => sections.get(id)?.otherType ?? sections.get(id)?.type);
  };
  assert.deepEqual(typesOf(''), ['PREMIS:OBJECT', 'HTTP-HEADER', 'TEXTMD', 'PREMIS:EVENT']);
  assert.deepEqual(typesOf('enter.png'), ['PREMIS:OBJECT', 'HTTP-HEADER', 'NISOIMG', 'PREMIS:EVENT']);
  assert.deepEqual(typesOf('home.htm'), [
    'PREMIS:OBJECT',
    'HTTP-HEADER',
    'TEXTMD',
    'PREMIS:RIGHTS',
    'PREMIS:EVENT',
  ]);
  const [harvest] = admins;
  assert.deepEqual(
    harvest?.digiprovMD?.map(({ type }) => type),
    ['PREMIS:EVENT', 'PREMIS:EVENT', 'PREMIS:AGENT', 'PREMIS:AGENT'],
  );
  assert.match(harvest?.digiprovMD?.[0]?.xml ?? '', /Fixture crawler 1\.0.*Harbour library/);
  assert.match(harvest?.techMD?.[0]?.xml ?? '', /harvest1.*\.warc\.gz/);
});

test('the next harvest has the same IDs for the same pages, files and links', async (t) => {
  const { write, harvest, snapshot } = await open(t);
  const later = await harvest(
    SITE_ANSWERS.map((answer) => ({
      ...answer,
      at: '2003-12-12T08:00:00Z',
      ...(answer.url === `${SITE}home.htm` && {
        body: '<title>Home</title><a href="wide.html">new</a><a href="./">Start</a>',
      }),
    })),
  );
  const idsOf = (text: string) => {
    const { fileGroups, structures } = readMets(Buffer.from(text));
    const ids = new Map<string, string>();
    for (const file of fileGroups.flatMap((group) => group.files)) ids.set(`file ${file.ownerId}`, file.id);
    for (const page of structures[0]?.root.divs ?? []) {
      ids.set(`page ${page.contentIds[0]}`, page.id ?? '');
      for (const link of page.divs) ids.set(`link ${page.contentIds[0]} ${link.label}`, link.id ?? '');
    }
    return ids;
  };
  const before = idsOf(await write(snapshot));
  const now = idsOf(await write(later));
  const shared = [...now.keys()].filter((name) => before.has(name));
  assert.ok(shared.includes(`link ${SITE}home.htm Start`));
  assert.ok(shared.length > 15);
  for (const name of shared) assert.equal(now.get(name), before.get(name), name);
});

test('in one OAI answer the IDs of several documents do not meet', async (t) => {
  const { itemForms, snapshot, store } = await open(t);
  const item = await store.items.findItem({ source: 'web', identifier: SITE }, OPERATOR);
  assert.ok(item);
  const ids = new Set<string>();
  for (const [index, record] of [snapshot, item].entries()) {
    let text = '';
    for await (const piece of await (itemForms[index]?.render(record, OPERATOR) ?? [])) text += piece;
    assertGood(text, t);
    for (const [, id = ''] of text.matchAll(/ ID="([^"]+)"/g)) {
      assert.ok(!ids.has(id), id);
      ids.add(id);
    }
  }
});

test('aggregators hold one description and lead, by site or by day, to the harvests', async (t) => {
  const { harvest, store, write, snapshot } = await open(t);
  await harvest(SITE_ANSWERS.slice(0, 2).map((answer) => ({ ...answer, at: '2003-12-12T08:00:00Z' })));
  await harvest([{ url: 'http://tides.example/', at: '2003-12-12T09:00:00Z', body: 'x' }], 'TIDES');
  // Lists show closed seconds only.
  let entries = await listSnapshots(store.items, OPERATOR);
  while (entries.length < 3) {
    await setTimeout(100);
    entries = await listSnapshots(store.items, OPERATOR);
  }
  const hrefs = (text: string) => {
    assertGood(text, t);
    const { structures, descriptions, admins, fileGroups, links } = readMets(Buffer.from(text));
    assert.deepEqual([descriptions.length, admins.length, fileGroups.length, links.length], [1, 0, 0, 0]);
    return [...(structures[0]?.root.divs ?? [])].map(({ pointers }) =>
      pointers[0]?.href.replace(publisher.baseUrl, ''),
    );
  };
  assert.deepEqual(hrefs(metsText(sitesAggregate(entries, publisher))), [
    '/mets/sites/web/GAUGES',
    '/mets/sites/web/TIDES',
  ]);
  assert.deepEqual(hrefs(metsText(siteAggregate(entries, publisher, { source: 'web', series: 'GAUGES' }))), [
    '/packages/web/GAUGES:20030417T223125Z?format=mets',
    '/packages/web/GAUGES:20031212T080000Z?format=mets',
  ]);
  assert.deepEqual(hrefs(metsText(daysAggregate(entries, publisher))), [
    '/mets/days/2003-04-17',
    '/mets/days/2003-12-12',
  ]);
  assert.deepEqual(hrefs(metsText(dayAggregate(entries, publisher, '2003-12-12'))), [
    '/packages/web/GAUGES:20031212T080000Z?format=mets',
    '/packages/web/TIDES:20031212T090000Z?format=mets',
  ]);
  assert.equal(hrefs(await write(snapshot, { pagesApart: true })).length, 6);
});

test('captures that cannot be read, and characters that XML cannot hold, still make a valid document', async (t) => {
  const { write } = await open(t, [
    {
      url: SITE,
      type: 'text/html',
      headers: [['X-Odd', 'a\u0002b']],
      body: '<title>Bell \u0007</title><a href="/b">\ud83d \u0001 <b>&lt;&amp;"\'</b></a>',
    },
    { url: `${SITE}b`, type: 'image/png', body: Buffer.from('89504e470d0a1a0a0000', 'hex') },
    { url: `${SITE}c`, type: 'text/html', headers: [['Content-Encoding', 'gzip']], body: 'not packed' },
  ]);
  const text = await write();
  assertGood(text, t);
  assert.match(text, /characters that XML cannot hold/);
});
