/** A library that can only be harvested, as CiteSeerX, is asked like an engine once it was. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openDiscovery } from '../src/app/discover.ts';
import { openGarner } from '../src/app.ts';
import { loadConfig } from '../src/core/config.ts';
import { GarnerError } from '../src/core/errors.ts';
import { silentLog } from '../src/core/log.ts';
import { runGarner, temporaryFolder } from './garner-process.ts';

const record = (title: string, ...more: readonly string[]) =>
  `<oai_dc:dc xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${title}</dc:title>${more.join('')}</oai_dc:dc>`;
const identifier = (text: string) => `<dc:identifier>${text}</dc:identifier>`;

test('records of harvested sources are found by any word of the query, by their address or DOI', async (t) => {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, 'records'));
  const records = {
    summary: record(
      'Cloud climatology from space',
      identifier('http://citeseer.example/viewdoc?doi=1'),
      '<dc:type>text</dc:type>',
    ),
    doi: record('Climatology', identifier('doi:10.1000/Cloud.1')),
    other: record('Gardening', identifier('http://citeseer.example/viewdoc?doi=2')),
    nowhere: record('Clouds without an address', identifier('box 12')),
  };
  for (const [name, xml] of Object.entries(records))
    writeFileSync(join(folder, 'records', `${name}.xml`), xml);
  const file = join(folder, 'garner.yaml');
  const config = (engines: string) =>
    `data: ./garner-data\nsources: { citeseerx: { kind: files, path: records }, other: { kind: push } }\nengines: { ${engines} }\ntopics: { CLOUDS: { title: Cloud Climatology } }\n`;
  writeFileSync(
    file,
    config('library: { kind: harvested, sources: citeseerx }, none: { kind: harvested, sources: other }'),
  );
  const imported = await runGarner(folder, 'import');
  assert.equal(imported.code, 0, imported.stderr);
  await using garner = await openGarner(loadConfig(file, {}));
  using discovery = openDiscovery(garner, silentLog);
  const { candidates, engines } = await discovery.list('CLOUDS');
  assert.deepEqual(
    engines.map(({ name, status }) => [name, status]),
    [
      ['library', 'done'],
      ['none', 'done'],
    ],
  );
  assert.deepEqual(
    new Set(candidates.map(({ url, title, work }) => [url, title, work])),
    new Set([
      ['http://citeseer.example/viewdoc?doi=1', 'Cloud climatology from space', 'article'],
      ['https://doi.org/10.1000/cloud.1', 'Climatology', undefined],
    ]),
  );

  writeFileSync(file, config('library: { kind: harvested, sources: citeseer }'));
  assert.throws(
    () => loadConfig(file, {}),
    (error) => error instanceof GarnerError && /did you mean citeseerx/.test(error.message),
  );
});
