/** Resource profiles in the portal: their attributes on the page, as filters, and the schema. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openTestCollection, type TestCollection } from '../../test/portal-collection.ts';
import { makePlanetaryProducts } from '../federate/demo/planetary.ts';
import { profileRecord } from '../federate/profile/profile-record.ts';
import { writeProfile } from '../formats/oodt-profile/write-xml.ts';
import { parseXml } from '../xml/engine.ts';
import { compileSchema } from '../xml/xsd.ts';
import { createHttpApp } from './server.ts';

const products = [...makePlanetaryProducts({ products: 40 })];
let collection: TestCollection;
let app: ReturnType<typeof createHttpApp>;

before(async () => {
  collection = await openTestCollection();
  const { store, deps } = collection;
  const run = await store.runs.startRun('polar', 'test');
  const specs = deps.formats.fieldSpecs();
  await store.items.commit({
    source: 'polar',
    runId: run.id,
    records: products.map((product) => profileRecord(product, specs)),
  });
  await store.runs.finishRun(run.id, 'complete');
  app = createHttpApp(deps);
});
after(() => collection.close());

const page = async (path: string): Promise<string> => {
  const answer = await app.request(path, { headers: { accept: 'text/html' } });
  assert.equal(answer.status, 200);
  return answer.text();
};

test('the page of a profile shows what it tells of its domain, once', async () => {
  const text = await page('/items/polar/1.3.6.1.4.1.99999.2.2');
  assert.match(text, /<dt>EXPOSURE_<wbr>DURATION<\/dt><dd>62\.5<\/dd>/);
  assert.match(text, /href="\/search\?f\.attr\.filter_name=RED">RED</);
  assert.equal(text.match(/<dt>Identifier<\/dt>/g)?.length, 2, 'of the resource, and of the record');
  assert.doesNotMatch(text, /<dt>(?:PROFTYPE|RESCLASS|TITLE)/);
});

test('an attribute is a filter, under its own name', async () => {
  const expected = products.filter(({ elements }) =>
    elements.some(
      ({ elemName, elemValue }) => elemName?.[0] === 'MISSION_NAME' && elemValue?.[0] === 'GALILEO',
    ),
  ).length;
  const text = await page('/search?f.attr.mission_name=galileo');
  assert.match(text, new RegExp(`${expected} items`));
  assert.match(text, /MISSION_NAME: galileo/);
});

test('the schema that is served accepts profiles', async () => {
  const answer = await app.request('/schemas/oodt-profile.xsd');
  assert.equal(answer.status, 200);
  assert.match(answer.headers.get('content-type') ?? '', /xml/);
  const folder = mkdtempSync(join(tmpdir(), 'garner-xsd-'));
  const path = join(folder, 'profile.xsd');
  writeFileSync(path, await answer.text());
  using schema = compileSchema(path);
  rmSync(folder, { recursive: true });
  const [product] = products;
  assert.ok(product);
  using document = parseXml(new TextEncoder().encode(writeProfile(product)));
  assert.deepEqual(schema.validate(document), []);
});
