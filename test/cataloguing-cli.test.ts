/** Cataloguing and project records from end to end by the command line. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openWarcWriter, responseRecord, writeHttpHead } from '../src/archive/index.ts';
import { parseXml } from '../src/xml/engine.ts';
import { compileSchema } from '../src/xml/xsd.ts';
import { runGarner } from './garner-process.ts';

const HOME = 'http://clouds.example.org/';
const SCHEMAS = fileURLToPath(new URL('../../shared/standards/xsd', import.meta.url));
const CONFIG = `topics:
  CLOUD: { title: Cloud climatology }
curation:
  genre: { terms: [web site], closed: true }
`;
let folder: string;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'garner-cataloguing-'));
  await writeFile(join(folder, 'garner.yaml'), CONFIG);
  const writer = await openWarcWriter({ folder, prefix: 'in', clock: () => 0, info: [] });
  const head = writeHttpHead('HTTP/1.1 200 OK', [['Content-Type', 'text/html']]);
  const body = Buffer.from('<title>New Page 1</title><h1>Clouds</h1>');
  const at = Date.parse('2026-11-15T03:00:00Z');
  const [written] = await writer.append(responseRecord({ targetUri: HOME, at }, { head, body }));
  await writer.close();
  const imported = await runGarner(folder, 'import', written?.file ?? '', '--source', 'web');
  assert.equal(imported.code, 0, imported.stderr);
});
after(() => rm(folder, { recursive: true, force: true }));

test('garner describe makes a version with who and why, and refuses what the lists do not have', async () => {
  const before = await runGarner(folder, 'get', HOME, '--format', 'oai_dc', '--source', 'web');
  assert.match(before.stdout, /<dc:title>Clouds<\/dc:title>/, before.stderr);
  const described = await runGarner(
    folder,
    'describe',
    HOME,
    '--set',
    'title=Cloud cover',
    '--set',
    'subject=sky',
    '--agent',
    'ada',
    '--why',
    'looked at it',
  );
  assert.equal(described.code, 0, described.stderr);
  const now = await runGarner(folder, 'get', HOME, '--format', 'oai_dc', '--source', 'web');
  assert.match(now.stdout, /<dc:title>Cloud cover<\/dc:title><dc:subject>sky</);
  const history = await runGarner(folder, 'history', HOME);
  assert.match(history.stdout, /recataloguing, repository-driven, ada, looked at it/);
  const refused = await runGarner(folder, 'describe', HOME, '--set', 'genre=poem', '--why', 'x');
  assert.match(refused.stderr, /genre: "poem" is not in the list/);
  const nothing = await runGarner(folder, 'describe', HOME, '--set', 'colour=red', '--why', 'x');
  assert.equal(nothing.code, 2);
});

test('garner judge looks again at what is in the archive', async () => {
  const judged = await runGarner(folder, 'judge', 'web');
  assert.match(judged.stdout, /web: 1 pages judged, 0 are believed otherwise now/, judged.stderr);
  assert.match((await runGarner(folder, 'judge', 'nowhere')).stderr, /there is no source "nowhere"/);
});

test('a table of project records is imported, bad rows are told by their line', async () => {
  await writeFile(join(folder, 'table.csv'), 'entry_id,title,topic\nCLOUD_1,Cover,CLOUD\n,Nameless,\n');
  const imported = await runGarner(folder, 'import', 'table.csv', '--source', 'records');
  assert.equal(imported.code, 3);
  assert.match(imported.stdout + imported.stderr, /table\.csv:3: the column entry_id is empty/);
  const record = await runGarner(folder, 'get', 'CLOUD_1', '--format', 'oai_dc');
  assert.match(record.stdout, /<dc:title>Cover</);
});

test('a topic has a DIF record of its own, the same as long as the config is', async () => {
  const first = await runGarner(folder, 'topics', 'record', 'CLOUD');
  assert.match(first.stdout, /CLOUD: has a new version/, first.stderr);
  assert.match((await runGarner(folder, 'topics', 'record')).stdout, /CLOUD: is as it was/);
  const { stdout: dif } = await runGarner(folder, 'get', 'CLOUD', '--format', 'dif9');
  assert.match(dif, /<Entry_ID>CLOUD<\/Entry_ID><Entry_Title>Cloud climatology</);
  if (!existsSync(SCHEMAS)) return;
  using document = parseXml(Buffer.from(dif));
  assert.deepEqual(compileSchema(`${SCHEMAS}/dif/dif_v9.9.3.xsd`, { root: SCHEMAS }).validate(document), []);
});
