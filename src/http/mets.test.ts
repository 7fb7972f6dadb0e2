/** METS as others meet it: in OAI-PMH, as downloads, as aggregators; and the tables that it is made of. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { archivePages } from '../../test/archive-pages.ts';
import { MEMBER, openTestCollection, type TestCollection } from '../../test/portal-collection.ts';
import { checkMetsReferences } from '../formats/mets/check-references.ts';
import { readMets } from '../formats/mets/read-mets.ts';
import { metsForm, metsItemForms } from '../packaging/mets/mets-form.ts';
import { compileMetsSchema } from '../packaging/mets-schema.fixture.ts';
import { createSiteModels } from '../packaging/site-model/site-models.ts';
import { parseXml } from '../xml/engine.ts';
import { createHttpApp } from './server.ts';

const AT = Date.parse('2020-01-02T03:04:05Z');
const HOME = 'http://tides.example/';
let collection: TestCollection;
let dataFolder: string;
let app: ReturnType<typeof createHttpApp>;
let identifier: string;
let closed: string;

before(async () => {
  collection = await openTestCollection();
  dataFolder = await mkdtemp(join(tmpdir(), 'garner-mets-'));
  const { store, deps } = collection;
  const target = { store, fields: deps.formats.fieldSpecs(), dataFolder };
  const pages = [
    {
      url: HOME,
      at: AT,
      type: 'text/html',
      body: '<title>Tides</title><a href="b">=Next, "page"</a><img src="c.gif">',
    },
    { url: `${HOME}b`, at: AT + 1000, type: 'text/html', body: '<title>B</title><a href="/">back</a>' },
    { url: `${HOME}c.gif`, at: AT + 2000, type: 'image/gif', body: 'GIF89a' },
  ];
  identifier = (await archivePages(target, 'polar', pages)) ?? '';
  closed = (await archivePages(target, 'closed', pages.slice(0, 1))) ?? '';
  const models = createSiteModels({ store, dataFolder });
  const publisher = { name: 'Test', baseUrl: deps.repository.baseUrl, software: 'Garner/test' };
  const mets = { store, dataFolder, models, publisher };
  app = createHttpApp({
    ...deps,
    dataFolder,
    forms: metsItemForms(mets),
    packages: [metsForm(mets)],
    sites: { models, publisher },
  });
  // Lists show closed seconds only.
  await delay(1100);
});
after(async () => {
  await collection.close();
  await rm(dataFolder, { recursive: true, force: true });
});

const get = async (path: string, headers: Record<string, string> = {}): Promise<[number, string]> => {
  const answer = await app.request(path, { headers });
  return [answer.status, await answer.text()];
};
const asMember = { authorization: `Bearer ${MEMBER.secret}` };
const ofSnapshot = (prefix: string, id = identifier, source = 'polar'): string =>
  `${prefix}${source}/${encodeURIComponent(id)}`;

test('OAI-PMH offers METS of snapshots and of captures, and of nothing else', async () => {
  const [, listed] = await get('/oai?verb=ListIdentifiers&metadataPrefix=mets');
  const identifiers = [...listed.matchAll(/<identifier>(.*?)<\/identifier>/g)].map(([, id]) => id);
  assert.equal(identifiers.length, 4, listed);
  const [, records] = await get('/oai?verb=ListRecords&metadataPrefix=mets');
  assert.equal(records.match(/<mets:mets /g)?.length, 4);
  const ids = [...records.matchAll(/ ID="([^"]+)"/g)].map(([, id]) => id);
  assert.equal(new Set(ids).size, ids.length);
  const [, formats] = await get(`/oai?verb=ListMetadataFormats&identifier=${identifiers[0]}`);
  assert.match(formats, /<metadataPrefix>mets<\/metadataPrefix>/);
});

test('an answer of OAI-PMH with METS in it is valid as a whole', async (t) => {
  const schema = await compileMetsSchema(true);
  if (!schema) return t.skip('the schemas are not here');
  using compiled = schema;
  const [, records] = await get('/oai?verb=ListRecords&metadataPrefix=mets');
  using document = parseXml(Buffer.from(records));
  assert.deepEqual(compiled.validate(document), []);
});

test('a snapshot, or one page of it, is downloaded as METS whose pointers can be followed', async () => {
  const [status, text] = await get(`${ofSnapshot('/packages/')}?format=mets`);
  assert.equal(status, 200);
  assert.deepEqual(checkMetsReferences([Buffer.from(text)]), []);
  const [, apart] = await get(`${ofSnapshot('/packages/')}?format=mets&pages=apart`);
  const divs = [...(readMets(Buffer.from(apart)).structures[0]?.root.divs ?? [])];
  assert.equal(divs.length, 2);
  for (const { label, pointers } of divs) {
    const path = (pointers[0]?.href ?? '').replace(collection.deps.repository.baseUrl, '');
    const [found, leaf] = await get(path);
    assert.equal(found, 200, path);
    assert.equal(readMets(Buffer.from(leaf)).head.label, label);
  }
  assert.equal((await get(`${ofSnapshot('/packages/')}?format=mets&page=http://no.example/`))[0], 404);
  assert.equal((await get(`${ofSnapshot('/packages/')}?format=mets&pages=all`))[0], 400);
});

test('the archived files that METS names have the length and the digest that it tells', async () => {
  const [, text] = await get(`${ofSnapshot('/packages/')}?format=mets`);
  for (const file of readMets(Buffer.from(text)).fileGroups.flatMap(({ files }) => files)) {
    const href = file.locations[0]?.href ?? '';
    const answer = await app.request(href.replace(collection.deps.repository.baseUrl, ''));
    const bytes = Buffer.from(await answer.arrayBuffer());
    assert.equal(bytes.length, file.size);
    const digest = Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex');
    assert.equal(digest, file.checksum);
  }
});

test('people are led from sites and days to the harvests by pages, programs by METS', async () => {
  const browser = { accept: 'text/html,*/*;q=0.8', 'upgrade-insecure-requests': '1' };
  const linksOf = async (path: string): Promise<string[]> => {
    const [status, text] = await get(path, browser);
    assert.equal(status, 200, path);
    assert.match(text, /^<!doctype html>/i);
    const table = /<tbody>.*<\/tbody>/s.exec(text)?.[0] ?? '';
    const asMets = /href="([^"]*\?format=mets)">The same as METS/.exec(text)?.[1] ?? '';
    assert.match((await get(asMets, browser))[1], /^<\?xml/);
    return [...table.matchAll(/href="([^"]+)"/g)].map(([, link = '']) => link);
  };
  for (const root of ['/mets/sites', '/mets/days']) {
    const [middle = ''] = await linksOf(root);
    const links = await linksOf(middle);
    const item = links.find((link) => link.startsWith('/items/')) ?? '';
    assert.equal(decodeURIComponent(item), decodeURIComponent(ofSnapshot('/items/')));
    for (const link of links) assert.equal((await get(link))[0], 200, link);
  }
  assert.equal((await get('/mets/days/1999-01-01', browser))[0], 404);
});

test('aggregators lead from all sites and all days down to the harvests', async () => {
  const follow = async (path: string): Promise<string[]> => {
    const [status, text] = await get(path);
    assert.equal(status, 200, path);
    const divs = [...(readMets(Buffer.from(text)).structures[0]?.root.divs ?? [])];
    return divs.map(({ pointers }) =>
      (pointers[0]?.href ?? '').replace(collection.deps.repository.baseUrl, ''),
    );
  };
  for (const root of ['/mets/sites', '/mets/days']) {
    const [middle = ''] = await follow(root);
    const [harvest = ''] = await follow(middle);
    assert.match(harvest, /^\/packages\/polar\/.*\?format=mets$/);
    assert.equal((await get(harvest))[0], 200);
  }
  const [, page] = await get(ofSnapshot('/items/'));
  const [, own = ''] = /href="(\/mets\/sites\/[^"]*)"/.exec(page) ?? [];
  assert.equal((await follow(own)).length, 1, 'the page of a harvest leads to the others of its site');
  assert.equal((await get('/mets/days/1999-01-01'))[0], 404);
  assert.equal((await get('/mets/sites/polar/nothing'))[0], 404);
});

test('the site model is had as JSON in pages and as CSV that no spreadsheet runs', async () => {
  const base = ofSnapshot('/api/site-models/');
  const facts = JSON.parse((await get(base))[1]);
  assert.deepEqual([facts.pages, facts.files, facts.entryUrl], [2, 3, HOME]);
  const first = JSON.parse((await get(`${base}?table=links&limit=1`))[1]);
  assert.equal(first.rows[0].anchor, '=Next, "page"');
  const second = JSON.parse((await get(`${base}?table=links&limit=1&after=${first.next}`))[1]);
  assert.equal(second.rows[0].anchor, 'back');
  const [, csv] = await get(`${base}?table=links&format=csv`);
  assert.match(csv, /^page,url,anchor,rel,scope,target,at,length\r\n/);
  assert.match(csv, /,"'=Next, ""page""",,internal,/);
  for (const table of ['pages', 'files', 'embedded', 'redirects'])
    assert.equal((await get(`${base}?table=${table}&format=csv`))[0], 200);
  const whole = JSON.parse((await get('/api/site-models/polar?table=pages'))[1]);
  assert.equal(whole.rows.length, 2);
});

test('the page of a snapshot offers METS and the tables of the site', async () => {
  const [, page] = await get(ofSnapshot('/items/'), { accept: 'text/html' });
  const links = [...page.matchAll(/href="([^"]*(?:format=mets|site-models)[^"]*)"/g)].map(([, href = '']) =>
    href.replaceAll('&amp;', '&'),
  );
  assert.equal(links.length, 5, page);
  for (const href of links) assert.equal((await get(href))[0], 200, href);
});

test('what a reader may not see has neither package nor model nor place in an aggregator', async () => {
  const secret = `${ofSnapshot('/packages/', closed, 'closed')}?format=mets`;
  assert.equal((await get(secret))[0], 404);
  assert.equal((await get(secret, asMember))[0], 200);
  assert.equal((await get(ofSnapshot('/api/site-models/', closed, 'closed')))[0], 404);
  assert.equal((await get('/api/site-models/closed'))[0], 404);
  assert.doesNotMatch((await get('/mets/sites'))[1], /closed/);
  assert.match((await get('/mets/sites', asMember))[1], /closed/);
});
