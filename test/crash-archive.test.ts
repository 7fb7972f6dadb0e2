/** Kill -9 while a web archive is taken in: the next import goes on, nothing is lost, nothing comes twice. */
import assert from 'node:assert/strict';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { openWarcWriter, responseRecord, writeHttpHead } from '../src/archive/index.ts';
import { OPERATOR } from '../src/core/access.ts';
import { createFormatRegistry } from '../src/formats/registry.ts';
import { openStore } from '../src/store/open.ts';
import { outcomeOf, runGarner, startGarner, temporaryFolder } from './garner-process.ts';

const PAGES = 1500;
const KILLS = 8;

test(`after ${KILLS} kills every capture is there once, every content is a version, all verifies clean`, async (t) => {
  const folder = temporaryFolder(t);
  const writer = await openWarcWriter({ folder: join(folder, 'in'), prefix: 'k', clock: () => 0, info: [] });
  const head = writeHttpHead('HTTP/1.1 200 OK', [['Content-Type', 'text/html']]);
  for (const year of ['2020', '2021'])
    for (let i = 0; i < PAGES; i++) {
      const body = Buffer.from(`<title>Page ${i}</title><p>drifting ice in ${year}, number ${i}`);
      const at = Date.parse(`${year}-01-01T00:00:00Z`);
      await writer.append(responseRecord({ targetUri: `http://example.org/${i}`, at }, { head, body }));
    }
  await writer.close();

  const checkWhole = async () => {
    assert.equal((await readdir(join(folder, 'garner-data', 'archive', 's'))).length, 1);
    const store = await openStore(
      {
        folder: join(folder, 'garner-data'),
        fields: createFormatRegistry().fieldSpecs(),
        sources: [{ name: 's', access: { public: true } }],
        views: [],
        repositoryIdentifier: 'localhost.example',
      },
      { threads: 0 },
    );
    try {
      const totals = await store.captures.count({ urlKey: '', match: 'prefix' }, OPERATOR);
      assert.deepEqual([totals.captures, totals.urls], [2 * PAGES, PAGES]);
      const { liveItems, versions } = await store.admin.statistics();
      // With the snapshot.
      assert.deepEqual({ liveItems, versions }, { liveItems: PAGES + 1, versions: 2 * PAGES + 1 });
      assert.deepEqual(await store.admin.verify(), []);
    } finally {
      await store.close();
    }
  };

  let killed = 0;
  let imports = 0;
  while (killed < KILLS) {
    assert.ok(imports < 10 * KILLS, `only ${killed} imports could be killed`);
    const child = startGarner(folder, ['import', 'in', '--source', 's', '--json']);
    const outcome = outcomeOf(child);
    // After the first commit of the run, or in its second or third: somewhere inside the archive.
    let wanted = 1 + (killed % 3);
    child.stdout?.on('data', (chunk: Buffer) => {
      wanted -= chunk.toString().match(/"import\.progress"/g)?.length ?? 0;
      if (wanted <= 0) child.kill('SIGKILL');
    });
    if ((await outcome).signal === 'SIGKILL') {
      killed++;
      continue;
    }
    // It came to its end between kills: all must be there, and it begins anew.
    imports++;
    await checkWhole();
    await rm(join(folder, 'garner-data'), { recursive: true });
  }
  t.diagnostic(`${imports} imports came to their end between kills`);

  const last = await runGarner(folder, 'import', 'in', '--source', 's', '--json');
  assert.equal(last.code, 0, last.stderr + last.stdout);
  const again = await runGarner(folder, 'import', 'in', '--source', 's', '--json');
  assert.match(again.stdout, /"entriesUnchanged":1/);
  await checkWhole();
});
