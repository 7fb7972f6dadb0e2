import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openPackages } from '../app/packages.ts';
import type { Garner } from '../app.ts';
import { OPERATOR } from '../core/access.ts';
import { defaultConfig } from '../core/config.ts';
import { silentLog } from '../core/log.ts';
import { createFormatRegistry } from '../formats/registry.ts';
import { openTestArchive, SOURCE, type TestArchive, withinRun } from '../packaging/archive.fixture.ts';
import { compileMetsSchema } from '../packaging/mets-schema.fixture.ts';
import { createCatalogue } from '../query/catalogue.ts';
import { parseXml } from '../xml/engine.ts';
import { createHttpApp } from './server.ts';

const HOUSE = 'http://www.foyer.example/';
const TAGS =
  '<meta name="description" content="Schachregeln Turniere Ergebnisse Tabellen Ranglisten Vereine"><meta name="keywords" content="Schach, Turnier, Springer, Rochade, Endspiel, Verein, Rangliste">';
const TEXT =
  'Le foyer municipal accueille les habitants du quartier dans une salle ouverte tous les jours. Nous proposons des cours du soir, un repas pour les personnes seules et une aide pour les familles qui le demandent. Les rencontres sont gratuites.';
const GERMAN =
  'Die Schachregeln und alle Turniere mit ihren Ergebnissen: Tabellen, Ranglisten und Vereine. Der Springer, die Rochade und das Endspiel werden hier erklärt. Ein Turnier im Schach dauert einen Tag; der Verein führt eine Rangliste, die jeder einsehen kann.';
const CURATOR = { name: 'ada', secret: 'the-secret-of-ada', role: 'curator', groups: [] } as const;
const READER = { name: 'bob', secret: 'the-secret-of-bob', role: 'reader', groups: [] } as const;

let archive: TestArchive;
let app: ReturnType<typeof createHttpApp>;
let snapshot: string;

before(async () => {
  archive = await openTestArchive();
  await archive.crawl('2002-01-01T00:00:00Z', [
    { url: 'http://www.schach.example/', body: `<head><title>Schach</title>${TAGS}</head>${GERMAN}` },
    { url: 'http://mirror.example/', body: `<head><title>Schach</title>${TAGS}</head>${GERMAN}` },
  ]);
  snapshot = await archive.crawl('2002-05-06T00:00:00Z', [
    {
      url: HOUSE,
      body: `<!-- saved from url=(0026)http://www.schach.example/ --><head><title>Untitled Document</title>${TAGS}</head>${TEXT}`,
    },
  ]);
  const { store, folder } = archive;
  const config = defaultConfig(
    folder,
    {
      data: folder,
      curation: {
        subject: { authority: 'lcsh', terms: ['Community centers', 'Neighborhoods'] },
        genre: { authority: 'marcgt', terms: ['web site'], closed: true },
      },
    },
    {},
  );
  const formats = createFormatRegistry();
  const catalogue = createCatalogue(formats.fieldSpecs());
  const garner: Garner = {
    config,
    store,
    formats,
    ownFormats: [],
    catalogue,
    topics: new Map(),
    [Symbol.asyncDispose]: async () => {},
  };
  const { name, adminEmail, identifier, oai } = config.repository;
  const baseUrl = 'https://data.example.org';
  const { forms, itemForms, ...sites } = openPackages(garner, baseUrl);
  app = createHttpApp({
    store,
    dataFolder: folder,
    formats,
    catalogue,
    repository: { name, adminEmail, identifier, baseUrl },
    oai,
    forms: itemForms,
    packages: forms,
    sites,
    authorities: config.curation,
    tokens: [CURATOR, READER],
    sources: [{ name: SOURCE, title: SOURCE, access: { public: true } }],
    views: [],
    clock: Date.now,
    log: silentLog,
    version: 'test',
  });
});
after(() => archive[Symbol.asyncDispose]());

async function assertValid(mets: string): Promise<void> {
  const schema = await compileMetsSchema();
  if (!schema) return;
  using document = parseXml(Buffer.from(mets));
  assert.deepEqual(schema.validate(document), []);
}

const text = async (path: string) => (await app.request(path)).text();
const item = async () =>
  (await archive.store.items.findItem({ source: SOURCE, identifier: HOUSE }, OPERATOR)) ?? assert.fail();
const send = (fields: Record<string, string | string[]>, headers: Record<string, string> = {}) => {
  const body = new URLSearchParams();
  for (const [name, values] of Object.entries(fields))
    for (const value of [values].flat()) body.append(name, value);
  return app.request(`/describe/${SOURCE}/${HOUSE}`, { method: 'POST', body, headers });
};

test('purloined metadata is marked on the page of the item, with reasons, and is not its title or subject', async () => {
  const page = await text(`/items/${SOURCE}/${HOUSE}`);
  assert.match(page, /<h1>http:\/\/www\.foyer\.example\/<\/h1>/);
  assert.match(page, /<mark>doubtful<\/mark> subject/);
  assert.match(page, /saved from http:\/\/www\.schach\.example\//);
  assert.match(page, /Untitled Document/);
  const dublinCore = await text(`/items/${SOURCE}/${HOUSE}?format=oai_dc`);
  assert.doesNotMatch(dublinCore, /Schach|Untitled/);
});

test('JSON tells the score, the reasons and the values that are not believed', async () => {
  const { trust, fields } = (await (await app.request(`/api/items/${SOURCE}/${HOUSE}`)).json()) as {
    trust: { judged: { element: string; score: number; values: string[]; doubts: { rule: string }[] }[] };
    fields: Record<string, unknown>;
  };
  const subject = trust.judged.find(({ element }) => element === 'subject');
  assert.ok((subject?.score ?? 1) < 0.1);
  assert.ok(subject?.values.includes('Rochade'));
  assert.deepEqual(
    subject?.doubts.map(({ rule }) => rule),
    ['saved-elsewhere', 'fits-text', 'copied-tags'],
  );
  assert.equal(fields.subject, undefined);
  assert.deepEqual(fields.doubtful, ['title', 'description', 'subject']);
});

test('tags that another site had before are doubted, those of that site are not', async () => {
  const judged = async (url: string) =>
    ((await (await app.request(`/api/items/${SOURCE}/${url}`)).json()) as { trust?: object }).trust;
  assert.match(JSON.stringify(await judged('http://mirror.example/')), /copied-tags.*www\.schach\.example/);
  assert.equal(await judged('http://www.schach.example/'), undefined);
  const dublinCore = (url: string) => text(`/items/${SOURCE}/${url}?format=oai_dc`);
  assert.doesNotMatch(await dublinCore('http://mirror.example/'), /dc:subject|dc:description/);
  assert.match(await dublinCore('http://www.schach.example/'), /<dc:subject>Rochade</);
});

test('a snapshot is not described by tags that its pages have of another site', async () => {
  const subjectsOf = async (url: string, at: string) => {
    const body = `<head><title>Schach</title>${TAGS}</head>${GERMAN}`;
    const identifier = await archive.crawl(at, [{ url, body }], { series: 'copies' });
    return (await archive.store.items.findItem({ source: SOURCE, identifier }, OPERATOR))?.fields.subject;
  };
  assert.equal(await subjectsOf('http://late.example/', '2004-01-01T00:00:00Z'), undefined);
  assert.equal((await subjectsOf('http://www.schach.example/b', '2005-01-01T00:00:00Z'))?.length, 7);
});

test('METS leaves doubtful values out, and a note says so', async () => {
  const mets = await text(`/packages/${SOURCE}/${snapshot}?format=mets`);
  assert.match(
    mets,
    /<mods:note type="doubtful subject">Left out: &quot;Schach|<mods:note type="doubtful subject">Left out: "Schach/,
  );
  assert.match(mets, /<mods:note type="doubtful title">Left out: .Untitled Document/);
  assert.doesNotMatch(mets, /<mods:topic/);
  const didl = await text(`/packages/${SOURCE}/${snapshot}?format=oai_didl`);
  assert.match(didl, /<g:doubt element="title" rule="generator-default"/);
});

test('METS does not use tags that another site had before, and says whose they are', async () => {
  const copy = await text(`/packages/${SOURCE}/http://mirror.example/?format=mets`);
  assert.match(
    copy,
    /<mods:note type="doubtful description">.*word by word those of http:\/\/www\.schach\.example\//,
  );
  const series = await archive.crawl(
    '2006-01-01T00:00:00Z',
    [{ url: 'http://heir.example/', body: `<head><title>Schach</title>${TAGS}</head>${GERMAN}` }],
    { series: 'heirs' },
  );
  const site = await text(`/packages/${SOURCE}/${series}?format=mets`);
  assert.match(site, /<mods:note type="doubtful subject">.*word by word those of http:\/\/www\.schach/);
  assert.doesNotMatch(site, /<mods:topic|<mods:abstract/);
  const own = await text(`/packages/${SOURCE}/http://www.schach.example/?format=mets`);
  assert.doesNotMatch(own, /mods:note/);
  for (const mets of [copy, site]) await assertValid(mets);
});

test('MODS is the description that METS has, alone: as download, for one page, and in OAI-PMH', async () => {
  for (const target of [
    `${HOUSE}?format=mods`,
    `${snapshot}?format=mods`,
    `${snapshot}?format=mods&page=${HOUSE}`,
  ]) {
    const response = await app.request(`/packages/${SOURCE}/${target}`);
    assert.match(response.headers.get('content-disposition') ?? '', /\.mods\.xml"$/);
    const mods = await response.text();
    await assertValid(mods);
    const mets = await text(`/packages/${SOURCE}/${target.replace('mods', 'mets')}`);
    assert.ok(mets.includes(/<mods:titleInfo>.*(?=<\/mods:mods>)/s.exec(mods)?.[0] ?? 'nothing'), target);
  }
  const page = await text(`/items/${SOURCE}/${HOUSE}`);
  assert.equal(page.split('format=mods"').length, 2, 'offered once');
  const { oaiIdentifier } = await item();
  const answer = await text(`/oai?verb=GetRecord&metadataPrefix=mods&identifier=${oaiIdentifier}`);
  assert.match(
    answer,
    /<mods:mods xmlns:mods="http:\/\/www\.loc\.gov\/mods\/v3"[^>]* version="3\.7"><mods:titleInfo>/,
  );
});

test('the form takes nothing without the token of a curator, from other sites, or off a closed list', async () => {
  const sent = { title: 'Community house', why: 'looked at it' };
  const { records } = await item();
  const refused = await send({ ...sent, token: READER.secret });
  assert.equal(refused.status, 401);
  assert.match(await refused.text(), /role="alert">This needs the token[\s\S]*value="Community house"/);
  assert.equal(
    (await send({ ...sent, token: CURATOR.secret }, { origin: 'https://evil.example' })).status,
    403,
  );
  const odd = await send({ ...sent, genre: 'poem', token: CURATOR.secret });
  assert.match(await odd.text(), /role="alert">genre: &quot;poem&quot; is not in the list of 1 terms/);
  assert.match(await (await send({ title: 'x', token: CURATOR.secret })).text(), /Please say why/);
  assert.deepEqual((await item()).records, records);
});

test('what a curator says stands first; both are kept, with who, when and why; it can be taken back', async () => {
  const answer = await send({
    title: 'Community house',
    subject: ['Community centers', 'Evening classes', ''],
    genre: 'web site',
    language: 'fr',
    why: 'tags are of a chess site',
    token: CURATOR.secret,
  });
  assert.equal(answer.status, 303);
  const page = await text(`/items/${SOURCE}/${HOUSE}`);
  assert.match(page, /<h1>Community house<\/h1>/);
  assert.match(page, /ada described this item[\s\S]*tags are of a chess site/);
  assert.match(page, /<mark>doubtful<\/mark> subject/);
  assert.match(await text(`/items/${SOURCE}/${HOUSE}?format=oai_dc`), /<dc:subject>Evening classes</);
  const history = await archive.store.items.listHistory({ source: SOURCE, identifier: HOUSE }, OPERATOR);
  const event = history.find((version) => version.event?.agent === 'ada')?.event;
  assert.deepEqual(event, {
    type: 'recataloguing',
    driver: 'repository',
    agent: 'ada',
    reason: 'tags are of a chess site',
  });
  const form = await text(`/describe/${SOURCE}/${HOUSE}`);
  assert.match(form, /name="subject"[^>]* value="Evening classes"/);
  assert.match(form, /<option value="Neighborhoods">/);
  assert.match(form, /<option selected>web site<\/option>/);
  const mets = await text(`/packages/${SOURCE}/${HOUSE}?format=mets`);
  assert.match(
    mets,
    /<mods:topic authority="lcsh">Community centers<\/mods:topic><mods:topic>Evening classes</,
  );
  assert.match(mets, /<mods:note type="cataloguing">Described by ada on [\d-]+: tags are of a chess site/);
  await assertValid(mets);
  await withinRun(archive.store, (runId) =>
    archive.store.items.rollback({ source: SOURCE, identifier: HOUSE }, { version: 1 }, runId),
  );
  assert.equal((await item()).title, HOUSE);
});

test('the API says the same; a page that is captured again keeps what was said of it', async () => {
  const post = (body: object, secret: string) =>
    app.request('/api/describe', {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const body = { source: SOURCE, identifier: HOUSE, set: { title: 'The house' }, why: 'named so' };
  assert.equal((await post(body, READER.secret)).status, 403);
  assert.deepEqual(await (await post(body, CURATOR.secret)).json(), { changed: true });
  assert.equal((await post({ ...body, set: { language: '???' } }, CURATOR.secret)).status, 400);
  await archive.crawl('2003-05-06T00:00:00Z', [
    { url: HOUSE, body: `<title>Foyer</title>${TEXT} Bienvenue.` },
  ]);
  const now = await item();
  assert.equal(now.title, 'The house');
  assert.deepEqual(now.fields.captured, ['2003-05-06T00:00:00Z']);
  await post({ ...body, set: { title: '' } }, CURATOR.secret);
  assert.equal((await item()).title, 'Foyer');
});

test('a snapshot is described by the same form, and its METS says so', async () => {
  const path = `/describe/${SOURCE}/${snapshot}`;
  assert.equal((await app.request(path)).status, 200);
  const body = new URLSearchParams({
    title: 'Houses',
    place: 'Lyon',
    rights: 'ask first',
    creator: 'Foyer',
    publisher: 'City',
    date: '2002',
    why: 'so',
    token: CURATOR.secret,
  });
  assert.equal((await app.request(path, { method: 'POST', body })).status, 303);
  const mets = await text(`/packages/${SOURCE}/${snapshot}?format=mets`);
  assert.match(mets, /LABEL="Houses"/);
  assert.match(mets, /<mods:geographic>Lyon<\/mods:geographic>/);
  await assertValid(mets);
});
