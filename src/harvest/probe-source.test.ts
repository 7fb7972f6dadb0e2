import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { loadConfig } from '../core/config.ts';
import { probeSource } from './probe-source.ts';
import { type Answer, type Origin, startOrigin } from './remote/origin.fixture.ts';

const XML = 'application/xml';
const RS =
  'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/"';
const CSW = 'http://www.opengis.net/cat/csw/2.0.2';

let origin: Origin;
let answers: Record<string, Answer>;
let folder: string;

beforeEach(async () => {
  answers = {};
  folder = await mkdtemp(join(tmpdir(), 'garner-probe-'));
  origin = await startOrigin((target) => answers[target.replace(/\?.*/, '')]);
});
afterEach(async () => {
  await origin.close();
  await rm(folder, { recursive: true });
});

async function ask(kind: string, path: string, more = '') {
  const file = join(folder, 'garner.yaml');
  await writeFile(
    file,
    `sources: { there: { kind: ${kind}, url: "${origin.url}${path}", allowPrivate: true${more} } }`,
  );
  const { sources } = loadConfig(file);
  const source = sources.there;
  assert.ok(source);
  const answer = await probeSource(source, { userAgent: 'test', allowPrivate: true, attempts: 1 });
  assert.ok(answer);
  const local = (lines: readonly string[]) => lines.map((line) => line.replaceAll(origin.url, ''));
  return { said: local(answer.said), mistakes: local(answer.mistakes) };
}

test('a catalogue service tells its title, its schemas and how many records it has', async () => {
  const body = `<csw:Capabilities xmlns:csw="${CSW}" xmlns:ows="http://www.opengis.net/ows"><ows:ServiceIdentification><ows:Title>Charts</ows:Title></ows:ServiceIdentification>
    <ows:OperationsMetadata><ows:Operation name="GetRecords"><ows:Parameter name="outputSchema"><ows:Value>${CSW}</ows:Value></ows:Parameter></ows:Operation></ows:OperationsMetadata></csw:Capabilities>`;
  const records = `<csw:GetRecordsResponse xmlns:csw="${CSW}"><csw:SearchResults numberOfRecordsMatched="42" nextRecord="0"/></csw:GetRecordsResponse>`;
  await origin.close();
  origin = await startOrigin((target) => ({
    type: XML,
    body: target.includes('GetCapabilities') ? body : records,
  }));
  assert.deepEqual(await ask('csw', '/csw'), {
    said: [
      `answers as "Charts", asked by POST for ${CSW}`,
      `output schemas ${CSW}`,
      '42 records',
      'cannot be asked for what changed: every harvest compares all',
    ],
    mistakes: [],
  });
  const { mistakes } = await ask('csw', '/csw', ', outputSchema: "urn:other"');
  assert.deepEqual(mistakes, [`it has no output schema urn:other; it has ${CSW}`]);
});

test('a service with collections tells each with its count, and refuses one that is not there', async () => {
  const json = (value: unknown): Answer => ({ type: 'application/json', body: JSON.stringify(value) });
  answers['/api'] = json({ links: [{ rel: 'data', href: '/api/collections' }] });
  answers['/api/collections'] = json({ collections: [{ id: 'ice' }, { id: 'sea' }] });
  answers['/api/collections/ice/items'] = json({
    type: 'FeatureCollection',
    features: [],
    numberMatched: 7,
  });
  answers['/api/collections/sea/items'] = json({ type: 'FeatureCollection', features: [] });
  assert.deepEqual(await ask('ogc', '/api'), {
    said: ['ice: 7 records', 'sea: does not count its records'],
    mistakes: [],
  });
  const { mistakes } = await ask('ogc', '/api', ', collections: [sky]');
  assert.match(mistakes[0] ?? '', /no collection sky; there are ice, sea/);
});

test('ResourceSync, site maps and folders tell what they list', async () => {
  answers['/cap.xml'] = {
    body: `<urlset ${RS}><rs:md capability="capabilitylist"/><url><loc>/res.xml</loc><rs:md capability="resourcelist"/></url></urlset>`,
  };
  assert.deepEqual(await ask('resourcesync', '/cap.xml'), {
    said: ['resource lists /res.xml'],
    mistakes: [],
  });
  answers['/robots.txt'] = { body: 'Sitemap: /map.xml\n' };
  answers['/map.xml'] = { body: `<urlset ${RS}><url><loc>/a</loc></url><url><loc>/b</loc></url></urlset>` };
  assert.deepEqual(await ask('sitemap', '/robots.txt'), { said: ['/map.xml: 2 pages'], mistakes: [] });
  answers['/waf/'] = { body: '<pre><a href="a.xml">a.xml</a>\n<a href="in/">in/</a></pre>' };
  assert.deepEqual(await ask('waf', '/waf/'), { said: ['lists 1 files and 1 folders'], mistakes: [] });
});

test('an address without an answer is a mistake, with its code', async () => {
  for (const kind of ['oai', 'csw', 'ogc', 'stac', 'resourcesync', 'sitemap', 'waf']) {
    const { said, mistakes } = await ask(kind, '/nothing');
    assert.deepEqual(said, []);
    assert.match(mistakes[0] ?? '', /404.*\[http\.status\]/, kind);
  }
});
