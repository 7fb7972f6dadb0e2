import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runGarner, startGarner, temporaryFolder } from './garner-process.ts';
import { makeRecords, provider, serveProviders } from './oai-provider.ts';
import { dcRecord, writeFiles } from './sample-records.ts';

const SHARED_RECORDS = fileURLToPath(new URL('../../shared/data/records', import.meta.url));

interface SearchJson {
  readonly total: number;
  readonly hits: readonly { readonly source: string; readonly identifier: string; readonly title?: string }[];
}

async function searchJson(folder: string, ...args: readonly string[]): Promise<SearchJson> {
  const outcome = await runGarner(folder, 'search', ...args, '--json');
  assert.equal(outcome.code, 0, outcome.stderr + outcome.stdout);
  return JSON.parse(outcome.stdout) as SearchJson;
}

test('a newcomer goes from a folder of records to search results with init, import and search', async (t) => {
  const folder = temporaryFolder(t);
  writeFiles(folder, {
    'my-records/a.xml': dcRecord(
      'oai:example.org:a',
      'Sea ice of the Weddell Sea',
      '<dc:date>2004-05</dc:date>',
    ),
    'my-records/b.xml': dcRecord('oai:example.org:b', 'Clouds over Iceland'),
    'my-records/broken.xml': '<oai_dc:dc',
  });
  const init = await runGarner(folder, 'init', './my-records');
  assert.equal(init.code, 0, init.stderr);
  assert.ok(existsSync(join(folder, 'garner.yaml')));

  const imported = await runGarner(folder, 'import');
  assert.equal(imported.code, 3, 'one file could not be taken in');
  assert.match(imported.stdout, /2 new/);
  assert.match(imported.stdout, /broken\.xml:1/);

  const found = await searchJson(folder, 'ice');
  assert.deepEqual(
    found.hits.map(({ identifier }) => identifier),
    ['oai:example.org:a'],
  );
  assert.deepEqual((await searchJson(folder, 'date:[2004 TO 2004]')).total, 1);

  const explained = await runGarner(folder, 'explain', 'my-records/broken.xml');
  assert.match(explained.stdout, /run 1 reported/);
  const matched = await runGarner(folder, 'explain', 'oai:example.org:a', '--query', 'title:ice date:2010');
  assert.match(matched.stdout, /✓ .*ice/);
  assert.match(matched.stdout, /✗ .*2010/);
});

test('a record can be read, changed, looked back at and rolled back', async (t) => {
  const folder = temporaryFolder(t);
  const first = dcRecord('oai:example.org:1', 'First title');
  const second = dcRecord('oai:example.org:1', 'Second title');
  writeFiles(folder, { 'r/1.xml': first });
  assert.equal((await runGarner(folder, 'import', 'r', '--source', 's')).code, 0);
  writeFiles(folder, { 'r/1.xml': second });
  assert.equal((await runGarner(folder, 'import', 'r', '--source', 's')).code, 0);

  assert.equal((await runGarner(folder, 'get', 'oai:example.org:1')).stdout, second);
  assert.equal((await runGarner(folder, 'get', 'oai:example.org:1', '--version', '1')).stdout, first);
  const rolled = await runGarner(
    folder,
    'rollback',
    'oai:example.org:1',
    '--to',
    '1',
    '--note',
    'second was wrong',
  );
  assert.equal(rolled.code, 0, rolled.stderr);
  assert.equal((await runGarner(folder, 'get', 'oai:example.org:1')).stdout, first);
  assert.equal((await searchJson(folder, 'title:first')).total, 1);
  assert.equal((await searchJson(folder, 'title:second')).total, 0);

  const history = await runGarner(folder, 'history', 'oai:example.org:1', '--json');
  const { versions } = JSON.parse(history.stdout) as {
    versions: readonly { change: string; note?: string }[];
  };
  assert.deepEqual(versions.map(({ change }) => change).sort(), ['added', 'rolled-back', 'updated']);
  const verified = await runGarner(folder, 'verify');
  assert.equal(verified.code, 0, verified.stdout);
});

test('files that vanish become tombstones, but never more at once than the guard allows', async (t) => {
  const folder = temporaryFolder(t);
  const files = Object.fromEntries(
    Array.from({ length: 40 }, (_, i) => [`r/${i}.xml`, dcRecord(`oai:example.org:${i}`, `Record ${i}`)]),
  );
  writeFiles(folder, files);
  assert.equal((await runGarner(folder, 'import', 'r', '--source', 's')).code, 0);
  for (let i = 0; i < 30; i++) rmSync(join(folder, `r/${i}.xml`));
  const refused = await runGarner(folder, 'import', 'r', '--source', 's');
  assert.equal(refused.code, 3, refused.stdout);
  assert.equal((await searchJson(folder, '*:*')).total, 40);
  const forced = await runGarner(folder, 'import', 'r', '--source', 's', '--force');
  assert.equal(forced.code, 0, forced.stdout);
  assert.equal((await searchJson(folder, '*:*')).total, 10);
});

test('changed field definitions are applied by reindex, from the stored bytes', async (t) => {
  const folder = temporaryFolder(t);
  writeFiles(folder, {
    'r/1.xml': '<station xmlns="urn:stations"><id>st1</id><name>Neumayer</name><height>42</height></station>',
    'garner.yaml': 'sources:\n  r: { kind: files, path: r }\n',
  });
  assert.equal((await runGarner(folder, 'import')).code, 0);
  rmSync(join(folder, 'r'), { recursive: true });
  writeFileSync(
    join(folder, 'garner.yaml'),
    `sources:
  r: { kind: files, path: r }
formats:
  xml:
    namespaces: { s: "urn:stations" }
    fields:
      height: { paths: "/s:station/s:height", type: number }
`,
  );
  const told = await runGarner(folder, 'search', 'Neumayer');
  assert.match(told.stderr, /garner reindex/);
  const reindexed = await runGarner(folder, 'reindex');
  assert.equal(reindexed.code, 0, reindexed.stderr + reindexed.stdout);
  assert.equal((await searchJson(folder, 'height:[40 TO 50]')).total, 1);
  assert.doesNotMatch((await runGarner(folder, 'search', 'Neumayer')).stderr, /reindex/);
});

test('a backup is restored as it was', async (t) => {
  const folder = temporaryFolder(t);
  writeFiles(folder, { 'r/1.xml': dcRecord('oai:example.org:1', 'Kept') });
  await runGarner(folder, 'import', 'r', '--source', 's');
  writeFiles(folder, { 'garner-data/archive/web/a.warc.gz': 'archived bytes' });
  assert.equal((await runGarner(folder, 'backup', 'copy')).code, 0);
  rmSync(join(folder, 'garner-data/archive'), { recursive: true });
  writeFiles(folder, { 'r/2.xml': dcRecord('oai:example.org:2', 'Added later') });
  await runGarner(folder, 'import', 'r', '--source', 's');
  assert.equal((await searchJson(folder, '*:*')).total, 2);
  const restored = await runGarner(folder, 'restore', 'copy');
  assert.equal(restored.code, 0, restored.stderr);
  assert.equal((await searchJson(folder, '*:*')).total, 1);
  assert.equal(readFileSync(join(folder, 'garner-data/archive/web/a.warc.gz'), 'utf8'), 'archived bytes');
});

test('a dropped source is gone from search, but its history stays', async (t) => {
  const folder = temporaryFolder(t);
  writeFiles(folder, {
    'a/1.xml': dcRecord('oai:example.org:1', 'Goes'),
    'b/2.xml': dcRecord('oai:example.org:2', 'Stays'),
  });
  await runGarner(folder, 'import', 'a', '--source', 'a');
  await runGarner(folder, 'import', 'b', '--source', 'b');
  assert.equal((await runGarner(folder, 'drop', 'a')).code, 2, 'asks first');
  assert.equal((await runGarner(folder, 'drop', 'a', '--yes')).code, 0);
  assert.deepEqual(
    (await searchJson(folder, '*:*')).hits.map(({ source }) => source),
    ['b'],
  );
  assert.match((await runGarner(folder, 'history', 'oai:example.org:1')).stdout, /deleted/);
  assert.equal((await runGarner(folder, 'import', 'a', '--source', 'a')).code, 0, 'and may come back');
  assert.equal((await searchJson(folder, '*:*')).total, 2);
});

test('wrong usage exits with 2 and says what would be right', async (t) => {
  const folder = temporaryFolder(t);
  for (const [args, expected] of [
    [['serch', 'x'], /did you mean search/],
    [['search', 'title:(ice'], /\^/],
    [['search', 'titel:ice'], /title/],
    [['import', 'nowhere', '--source', 'bad name'], /source/],
    [['get'], /usage: garner get/],
    [['search', '--nonsense'], /usage: garner search/],
  ] as const) {
    const outcome = await runGarner(folder, ...args);
    assert.equal(outcome.code, 2, `${args.join(' ')}: ${outcome.stderr}`);
    assert.match(outcome.stderr, expected);
  }
});

test('every mistake in the config is told at once, with its line', async (t) => {
  const folder = temporaryFolder(t);
  writeFiles(folder, {
    'garner.yaml':
      'sources:\n  a: { kind: fils, path: r }\nserver:\n  prot: 9\nviews:\n  v: { query: "ice AND" }\n',
  });
  const outcome = await runGarner(folder, 'check');
  assert.equal(outcome.code, 2);
  assert.match(outcome.stderr, /garner\.yaml:2/);
  assert.match(outcome.stderr, /garner\.yaml:4/);
});

test('a second run on a source that is being worked on is refused, naming the holder', async (t) => {
  const folder = temporaryFolder(t);
  const whole = provider(makeRecords(60), { pageSize: 20 });
  // The last page is kept back until the others have tried.
  const asked = Promise.withResolvers<void>();
  let isHeld = true;
  const origin = await serveProviders(
    new Map([
      [
        '/oai',
        (question) => {
          if (!isHeld || !question.query.includes('resumptionToken=40')) return whole(question);
          asked.resolve();
          return { raw: () => {} };
        },
      ],
    ]),
  );
  t.after(() => origin.close());
  writeFiles(folder, {
    'garner.yaml': `sources:\n  s: { kind: oai, url: "${origin.url}/oai", allowPrivate: true }\n`,
  });
  const first = startGarner(folder, ['harvest', 's']);
  const ended = new Promise((resolve) => first.once('close', resolve));
  await asked.promise;
  const second = await runGarner(folder, 'harvest', 's');
  assert.equal(second.code, 1, second.stdout + second.stderr);
  assert.match(second.stderr, new RegExp(`${first.pid}`));
  await searchJson(folder, '*:*');
  first.kill('SIGINT');
  await ended;
  isHeld = false;
  const third = await runGarner(folder, 'harvest', 's');
  assert.equal(third.code, 0, third.stderr);
  assert.equal((await searchJson(folder, '*:*')).total, 60);
});

test('awkward identifiers survive import, search and get', {
  skip: existsSync(SHARED_RECORDS) ? false : 'the shared records are not here',
}, async (t) => {
  const folder = temporaryFolder(t);
  const imported = await runGarner(folder, 'import', SHARED_RECORDS, '--source', 'samples');
  assert.equal(imported.code, 0, imported.stderr);
  const { hits, total } = await searchJson(folder, '*:*', '--limit', '100');
  assert.ok(total >= 40, `${total} records`);
  for (const { identifier } of hits) {
    const got = await runGarner(folder, 'get', identifier);
    assert.equal(got.code, 0, `${identifier}: ${got.stderr}`);
    assert.match(got.stdout, /</);
  }
  const sample = readFileSync(
    join(SHARED_RECORDS, 'iso19139-awkward-ids/file_id_with_directory_changes.xml'),
    'utf8',
  );
  const odd = hits.filter(({ identifier }) => identifier.includes('..'));
  assert.equal(odd.length, 1);
  assert.equal((await runGarner(folder, 'get', odd[0]?.identifier ?? '')).stdout, sample);
});
