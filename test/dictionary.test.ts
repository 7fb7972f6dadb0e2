/** Data elements from the command line to the pages of a running server. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openGarner } from '../src/app.ts';
import { loadConfig } from '../src/core/config.ts';
import { silentLog } from '../src/core/log.ts';
import { serveGarner } from '../src/http/index.ts';
import { runGarner, temporaryFolder } from './garner-process.ts';
import { dcRecord, writeFiles } from './sample-records.ts';

const TABLE = `dictionary,dictionaryTitle,name,definition,datatype,unit,minimum,maximum,synonyms
planetary,Planetary images,EXPOSURE_DURATION,The time during which data were gathered.,REAL,ms,0,60000,integration time
planetary,Planetary images,FILTER_NAME,The filter through which an image was taken.,CHARACTER,,,,
`;
const PROFILE = `<profile>
<profAttributes><profId>1</profId><profType>profile</profType><profStatusId>active</profStatusId></profAttributes>
<resAttributes><Identifier>x:1</Identifier><resContext>C</resContext><resClass>data.product</resClass></resAttributes>
<profElement><elemName>FILTR_NAME</elemName><elemValue>RED</elemValue></profElement>
<profElement><elemName>EXPOSURE_DURATION</elemName><elemValue>70000</elemValue></profElement>
</profile>`;
const ONTOLOGY = `@prefix : <http://example.org/#> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:unix a owl:Class ; rdfs:label "UNIX compatible" . :linux rdfs:subClassOf :unix ; rdfs:label "Linux" .
:produces a owl:ObjectProperty ; rdfs:domain :instrument ; rdfs:range :image .
:filter_name a owl:DatatypeProperty ; rdfs:domain :instrument .
`;

test('a dictionary is taken in, shown, given out again, and judges profiles and records', async (t) => {
  const folder = temporaryFolder(t);
  writeFiles(folder, {
    'garner.yaml': 'federate: { ontology: space.ttl }\nsources: { papers: { kind: files, path: records } }\n',
    'planetary.csv': TABLE,
    'image.xml': PROFILE,
    'space.ttl': ONTOLOGY,
    'records/a.xml': dcRecord('oai:example.org:a', 'Ice'),
  });
  const run = async (expected: number, ...args: string[]) => {
    const { code, stdout, stderr } = await runGarner(folder, ...args);
    assert.equal(code, expected, `${args.join(' ')}\n${stdout}${stderr}`);
    return stdout + stderr;
  };
  await run(0, 'import');
  assert.match(await run(0, 'dictionary', 'import', 'planetary.csv'), /2 new.*state 1/);
  assert.match(await run(0, 'dictionary', 'import', 'planetary.csv'), /nothing new/);
  assert.match(await run(0, 'dictionary', 'list', 'time', 'gather'), /EXPOSURE_DURATION[\s\S]*1 element\b/);
  assert.match(await run(0, 'dictionary', 'show', 'integration_time'), /EXPOSURE_DURATION[\s\S]*60000/);
  assert.match(await run(2, 'dictionary', 'show', 'filtrname'), /did you mean FILTER_NAME/);
  assert.match(await run(2, 'dictionary', 'shwo'), /one of list, show/);

  writeFiles(folder, { 'again.xml': await run(0, 'dictionary', 'export', 'planetary', '--format', 'xml') });
  assert.match(await run(0, 'dictionary', 'import', 'again.xml'), /nothing new/);
  assert.match(
    await run(0, 'dictionary', 'export', 'planetary', '--format', 'profile'),
    /<profType>data dictionary<\/profType>/,
  );

  await run(0, 'backup', 'copy');
  assert.ok(existsSync(join(folder, 'copy', 'dictionary', 'planetary', '1.json')));

  const judged = await run(1, 'dictionary', 'check', 'image.xml');
  assert.match(judged, /FILTR_NAME: no dictionary has it; did you mean FILTER_NAME\?/);
  assert.match(judged, /70000 is more than 60000/);
  assert.match(await run(0, 'dictionary', 'check', 'papers'), /1 checked, all right/);
  assert.match(await run(2, 'dictionary', 'check', 'paper'), /did you mean papers/);

  assert.match(await run(0, 'dictionary', 'expand', 'UNIX compatible'), /Linux/);
  assert.match(await run(0, 'dictionary', 'infer', 'image'), /filter_name +image ← produces ← instrument/);

  await using garner = await openGarner(loadConfig(join(folder, 'garner.yaml')));
  const server = await serveGarner(garner, { host: '127.0.0.1', port: 0, log: silentLog });
  try {
    const page = await (await fetch(`${server.url}/dictionary/filter_name`)).text();
    assert.match(page, /The filter through which an image was taken/);
    assert.match(page, /inferred: image ← produces ← instrument/);
  } finally {
    await server.close();
  }
});

test('files that cannot be read are mistakes of the config, told with their line', async (t) => {
  const folder = temporaryFolder(t);
  writeFiles(folder, {
    'garner.yaml': 'federate:\n  dictionary:\n    - bad.json\n    - none.csv\n',
    'bad.json': '{"identifier": "x", "title": "X", "elements": [{"name": "a"}]}',
  });
  const { code, stderr } = await runGarner(folder, 'check');
  assert.equal(code, 2);
  assert.match(stderr, /garner\.yaml:3:\d+: federate\.dictionary\[0\]: bad\.json: a: definition/);
  assert.match(stderr, /garner\.yaml:4:\d+: federate\.dictionary\[1\]: none\.csv/);
  writeFiles(folder, {
    'garner.yaml': 'federate:\n  ontology: bad.ttl\n',
    'bad.ttl': '<a> <b> .',
  });
  const other = await runGarner(folder, 'check');
  assert.equal(other.code, 2);
  assert.match(other.stderr, /garner\.yaml:2:\d+: federate\.ontology: bad\.ttl: not RDF as Turtle/);
});
