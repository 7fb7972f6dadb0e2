import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, unlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { OPERATOR } from '../../core/access.ts';
import { createFormatRegistry } from '../../formats/registry.ts';
import type { GarnerStore, ListedProblem } from '../../store/index.ts';
import { openStore } from '../../store/open.ts';
import { createExtraction } from '../extract-record.ts';
import type { Ingest } from '../ingest.ts';
import type { ImportReport } from '../run/report.ts';
import { writeTarGz, writeZip } from './archives.fixture.ts';
import { type FilesSource, type ImportOptions, importFiles } from './import-files.ts';

const formats = createFormatRegistry();
const extractOne = createExtraction({ formats, validation: 'report' });
let extracted = 0;
/** The real extraction, without its threads. */
const ingest: Ingest = {
  extract: async (pieces) => {
    const results = pieces.map((piece) => extractOne(piece));
    extracted += pieces.length;
    return {
      records: results.flatMap(({ record }) => (record ? [record] : [])),
      problems: results.flatMap(({ problems }) => problems),
    };
  },
  close: async () => {},
};

let folder: string;
let store: GarnerStore;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'garner-import-'));
  await mkdir(join(folder, 'data'));
  await mkdir(join(folder, 'set'));
  store = await openStore(
    {
      folder: join(folder, 'data'),
      fields: formats.fieldSpecs(),
      sources: [{ name: 'samples', access: { public: true } }],
      views: [],
      repositoryIdentifier: 'test.example.org',
    },
    { threads: 0 },
  );
  extracted = 0;
});
afterEach(async () => {
  await store.close();
  await rm(folder, { recursive: true, force: true });
});

async function put(path: string, content: string | Uint8Array): Promise<void> {
  const full = join(folder, 'set', path);
  await mkdir(dirname(full), { recursive: true });
  await writeFile(full, content);
}

function run(source: Partial<FilesSource> = {}, options: ImportOptions = {}): Promise<ImportReport> {
  const defaults = { name: 'samples', paths: [join(folder, 'set')], maxDeleteShare: 0.2 };
  return importFiles({ store, ingest, formats }, { ...defaults, ...source }, options);
}

const dc = (id: string, title = id) =>
  `<oai_dc:dc xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/" xmlns:dc="http://purl.org/dc/elements/1.1/">` +
  `<dc:title>${title}</dc:title><dc:identifier>${id}</dc:identifier></oai_dc:dc>`;

async function titleOf(identifier: string): Promise<string | undefined> {
  const item = await store.items.findItem({ source: 'samples', identifier }, OPERATOR);
  return item?.status === 'live' ? item.title : undefined;
}

async function problemsOf({ runId }: ImportReport): Promise<readonly ListedProblem[]> {
  return store.runs.listProblems({ runId, limit: 100 });
}

const brief = ({ status, counts, problems }: ImportReport) => ({ status, ...counts, problems });
const COUNTS = { added: 0, updated: 0, unchanged: 0, deleted: 0, invalid: 0, problems: 0 };

describe('importing files', () => {
  it('takes in the rows of a table of project records, and tells those that are none', async () => {
    await put('projects.csv', 'entry_id,title,topic\nA_1,First,A\n,Nameless,A\nA_2,Second,A\n');
    await put('numbers.csv', 'id,value\n1,2\n');
    const report = await run();
    assert.equal(report.counts.added, 2);
    assert.equal(report.status, 'incomplete');
    const item = await store.items.findItem({ source: 'samples', identifier: 'A_2' }, OPERATOR);
    assert.deepEqual(item?.fields.project, ['A']);
    assert.equal((await run()).counts.added, 0);
  });

  it('takes in XML and JSON, one or many records per file, from folders and archives', async () => {
    await put('a.xml', dc('a', 'Alpha'));
    await put('list.xml', `<records>\n${dc('b')}\n${dc('c')}\n</records>`);
    await put(
      'j.json',
      '{"type":"FeatureCollection","features":[{"type":"Feature","id":"j1","properties":{"title":"J"}}]}',
    );
    await put('z.zip', writeZip([{ name: 'in/d.xml', content: dc('d') }]));
    await put('t.tgz', await writeTarGz([{ name: 'e.xml', content: dc('e') }]));
    await put('README.txt', 'not a record');
    const report = await run();
    assert.deepEqual(brief(report), { ...COUNTS, status: 'complete', added: 6 });
    assert.equal(report.entriesSeen, 5);
    assert.equal(report.entriesSkipped, 1);
    assert.equal(await titleOf('a'), 'Alpha');
    for (const id of ['b', 'c', 'd', 'e']) assert.equal(await titleOf(id), id);
    assert.equal(await titleOf('j1'), 'J');
    assert.equal((await store.runs.findRun(report.runId))?.status, 'complete');
  });

  it('reads again only what changed, by content and not by time', async () => {
    await put('a.xml', dc('a', 'one'));
    await put('b.xml', dc('b', 'one'));
    await put('t.tgz', await writeTarGz([{ name: 'e.xml', content: dc('e') }]));
    await run();
    extracted = 0;
    const again = await run();
    assert.deepEqual(brief(again), { ...COUNTS, status: 'complete', unchanged: 3 });
    assert.equal(extracted, 0);
    assert.equal(again.entriesUnchanged, 3);

    // Same size, same times, other content.
    const at = new Date('2020-01-01T00:00:00Z');
    await utimes(join(folder, 'set/a.xml'), at, at);
    await run();
    await put('a.xml', dc('a', 'two'));
    await utimes(join(folder, 'set/a.xml'), at, at);
    extracted = 0;
    const changed = await run();
    assert.deepEqual(brief(changed), { ...COUNTS, status: 'complete', updated: 1, unchanged: 2 });
    assert.equal(extracted, 1);
    assert.equal(await titleOf('a'), 'two');
  });

  it('deletes records whose file, archive entry or place in a file is gone', async () => {
    await put('a.xml', dc('a'));
    await put('list.xml', `<records>${dc('b')}${dc('c')}</records>`);
    await put(
      'z.zip',
      writeZip([
        { name: 'd.xml', content: dc('d') },
        { name: 'e.xml', content: dc('e') },
      ]),
    );
    await run();
    await unlink(join(folder, 'set/a.xml'));
    await put('list.xml', `<records>${dc('c')}</records>`);
    await put('z.zip', writeZip([{ name: 'd.xml', content: dc('d') }]));
    const report = await run();
    assert.deepEqual(brief(report), { ...COUNTS, status: 'complete', unchanged: 2, deleted: 3 });
    assert.deepEqual(await Promise.all(['a', 'b', 'c', 'd', 'e'].map(titleOf)), [
      undefined,
      undefined,
      'c',
      'd',
      undefined,
    ]);
    await put('a.xml', dc('a', 'back'));
    assert.equal((await run()).counts.added, 1);
    assert.equal(await titleOf('a'), 'back');
  });

  it('gives an identifier from the file name to a record that has none', async () => {
    await put('sub/x.xml', `<records>${dc('')}${dc('')}</records>`);
    assert.equal((await run()).counts.added, 2);
    for (const identifier of ['set/sub/x.xml', 'set/sub/x.xml#2'])
      assert.equal((await store.items.findItem({ source: 'samples', identifier }, OPERATOR))?.status, 'live');
  });

  it('takes the element that the source calls a record', async () => {
    await put('s.xml', '<all><station id="1"><title>One</title></station><station id="2"/></all>');
    assert.equal((await run({ record: 'station' })).counts.added, 2);
  });
});

describe('bad input', () => {
  it('is reported with file and line, and stops nothing', async () => {
    await put('a.xml', dc('a'));
    await put(
      'b.xml',
      `<records>\n${dc('b1')}\n${dc('b2').replace('</dc:title>', '')}\n${dc('b3')}\n</records>`,
    );
    await put('c.xml', '<!DOCTYPE x [<!ENTITY a "b">]><x>&a;</x>');
    await put('d.json', '{"id": ');
    await put('e.xml', dc('e'));
    await put(
      'z.zip',
      writeZip([
        { name: 'in.zip', content: writeZip([]) },
        { name: 'f.xml', content: dc('f') },
      ]),
    );
    const report = await run();
    assert.equal(report.status, 'incomplete');
    assert.equal(report.code, 'source.unreadable');
    assert.match(report.message ?? '', /^1 file could not be read; .* Missing: .*c\.xml:1, .*and 1 more/);
    assert.equal(report.counts.added, 5);
    const problems = await problemsOf(report);
    assert.equal(report.problems, problems.length);
    const where = (name: string) => problems.find((problem) => problem.where?.endsWith(name));
    assert.equal(where('set/b.xml')?.line, 3);
    assert.equal(where('set/b.xml')?.code, 'xml.malformed');
    assert.equal(where('set/c.xml')?.code, 'xml.forbidden');
    assert.equal(where('set/d.json')?.code, 'json.malformed');
    assert.equal(where('set/z.zip!in.zip')?.code, 'archive.nested');
  });

  it('is a file that became something else; what it held before stays', async () => {
    await put('a.xml', dc('a'));
    await put('b.xml', dc('b'));
    await put('notes', dc('c'));
    assert.equal((await run()).status, 'complete');
    await put('a.xml', '<!DOCTYPE html><html><title>Log in</title></html>');
    await put('b.xml', '');
    await put('notes', 'just words');
    await put('never.xml', 'words');
    await put('readme.txt', 'words');
    const report = await run();
    assert.equal(report.status, 'incomplete');
    assert.equal(report.counts.deleted, 0);
    assert.equal(report.entriesSkipped, 1);
    const problems = await problemsOf(report);
    assert.deepEqual(
      problems.map(({ code, where, message }) => [code, where?.split('/').at(-1), message.split(' ')[0]]),
      [
        ['source.unreadable', 'a.xml', 'held'],
        ['source.unreadable', 'b.xml', 'held'],
        ['source.unreadable', 'never.xml', 'no'],
        ['source.unreadable', 'notes', 'held'],
      ],
    );
    assert.equal(await titleOf('a'), 'a');
  });

  it('is an archive that was refused, though everything else came', async () => {
    await put('a.xml', dc('a'));
    await put('z.zip', writeZip([{ name: '../up.xml', content: dc('up') }]));
    const report = await run();
    assert.equal(report.status, 'incomplete');
    assert.equal(report.code, 'source.unreadable');
  });

  it('is reported by every run until it is mended, and costs no stored record meanwhile', async () => {
    await put('b.xml', `<records>${dc('b1')}${dc('b2')}</records>`);
    await run();
    await put('b.xml', `<records>${dc('b1', 'new')}${dc('b2').replace('</dc:title>', '')}</records>`);
    const broken = await run();
    assert.equal(broken.counts.updated, 1);
    assert.equal(broken.counts.deleted, 0);
    assert.equal(await titleOf('b2'), 'b2');
    assert.equal((await run()).problems, 1);
    await put('b.xml', `<records>${dc('b1')}</records>`);
    const mended = await run();
    assert.equal(mended.problems, 0);
    assert.equal(mended.counts.deleted, 1);
    assert.equal((await run()).entriesUnchanged, 1);
  });

  it('of an unreadable file keeps its records and makes the run incomplete', async () => {
    await put('a.xml', dc('a'));
    await put('b.xml', dc('b'));
    await run();
    await unlink(join(folder, 'set/a.xml'));
    await symlink(join(folder, 'nowhere'), join(folder, 'set/a.xml'));
    const report = await run();
    assert.equal(report.status, 'incomplete');
    assert.equal(report.code, 'source.unreadable');
    assert.equal(await titleOf('a'), 'a');
  });

  it('of a damaged archive deletes nothing at all', async () => {
    await put('a.xml', dc('a'));
    const zip = writeZip([{ name: 'd.xml', content: dc('d') }]);
    await put('z.zip', zip);
    await run();
    await unlink(join(folder, 'set/a.xml'));
    await put('b.xml', dc('b'));
    await put('z.zip', zip.subarray(0, zip.length - 30));
    const report = await run({}, { force: true });
    assert.equal(report.status, 'incomplete');
    assert.equal(report.counts.deleted, 0);
    assert.equal(await titleOf('a'), 'a');
    assert.equal(await titleOf('d'), 'd');
    await put('z.zip', zip);
    assert.equal((await run()).counts.deleted, 1);
  });
});

describe('the same identifier twice', () => {
  it('keeps the first place and reports the second, in every run', async () => {
    await put('1.xml', dc('x', 'first'));
    await put('2.xml', dc('x', 'second'));
    for (let i = 0; i < 3; i++) {
      const report = await run();
      assert.equal(report.status, 'complete');
      assert.equal(await titleOf('x'), 'first');
      const [problem] = await problemsOf(report);
      assert.equal(report.problems, 1);
      assert.equal(problem?.code, 'record.duplicate');
      assert.equal(problem?.identifier, 'x');
      assert.ok(problem?.where?.endsWith('set/2.xml'));
      assert.match(problem?.message ?? '', /set\/1\.xml:1/);
    }
    const history = await store.items.listHistory({ source: 'samples', identifier: 'x' }, OPERATOR);
    assert.equal(history.length, 1);
  });

  it('in one file keeps the first of the file', async () => {
    await put('1.xml', `<r>\n${dc('x', 'first')}\n${dc('x', 'second')}\n${dc('y')}</r>`);
    const report = await run();
    assert.equal(await titleOf('x'), 'first');
    assert.equal((await problemsOf(report))[0]?.line, 3);
    assert.equal(await titleOf('y'), 'y');
  });

  it('leaves the record to the second place once the first is gone', async () => {
    await put('1.xml', dc('x', 'first'));
    await put('2.xml', dc('x', 'second'));
    await run();
    await unlink(join(folder, 'set/1.xml'));
    const report = await run();
    assert.equal(report.counts.deleted, 0);
    assert.equal(report.problems, 0);
    assert.equal(await titleOf('x'), 'second');
  });

  it('ends as a fresh import would, whatever came when', async () => {
    await put('5.xml', dc('x', 'five'));
    await put('6.xml', dc('y'));
    await run();
    await put('9.xml', dc('x', 'nine'));
    await run();
    assert.equal(await titleOf('x'), 'five');
    await put('1.xml', dc('x', 'one'));
    await run();
    assert.equal(await titleOf('x'), 'one');
    await unlink(join(folder, 'set/1.xml'));
    const report = await run();
    assert.equal(await titleOf('x'), 'five');
    assert.equal(report.counts.deleted, 0);
    assert.equal(await titleOf('y'), 'y');
  });

  it('in two formats is one item with two records', async () => {
    await put('1.xml', dc('x', 'dublin'));
    await put(
      '2.xml',
      '<mods xmlns="http://www.loc.gov/mods/v3"><titleInfo><title>m</title></titleInfo><identifier>x</identifier></mods>',
    );
    const report = await run();
    assert.equal(report.problems, 0);
    const item = await store.items.findItem({ source: 'samples', identifier: 'x' }, OPERATOR);
    assert.deepEqual(item?.records.map(({ format }) => format).sort(), ['mods', 'oai_dc']);
  });
});

describe('the sample records', () => {
  const samples = fileURLToPath(new URL('../../../../shared/data/records', import.meta.url));

  it('come in whole, but for one of the two files with the same identifier', async (t) => {
    if (!existsSync(samples)) return t.skip('the records in ../shared are not here');
    for (let i = 0; i < 2; i++) {
      const report = await run({ paths: [samples] });
      assert.equal(report.status, 'complete');
      const duplicates = (await problemsOf(report)).filter(({ code }) => code === 'record.duplicate');
      assert.deepEqual(
        duplicates.map(({ where, identifier }) => [basename(where ?? ''), identifier]),
        [['AVHRR.2012.7Agg.xml', 'org.maracoos:avhrr.sst']],
      );
      assert.equal(report.counts.added + report.counts.unchanged, 41);
      assert.equal(report.counts.updated, 0);
    }
    assert.deepEqual(await store.admin.verify(), []);
  });
});

describe('the guard', () => {
  const names = Array.from({ length: 40 }, (_, i) => `n${String(i).padStart(2, '0')}`);

  it('refuses to delete more than its share, says what to do, and yields to force', async () => {
    for (const name of names) await put(`${name}.xml`, dc(name));
    await run();
    for (const name of names.slice(0, 15)) await unlink(join(folder, 'set', `${name}.xml`));
    const refused = await run();
    assert.equal(refused.status, 'incomplete');
    assert.equal(refused.code, 'source.shrink');
    assert.match(refused.message ?? '', /15 records of 40 .*--force/);
    assert.equal(refused.counts.deleted, 0);
    assert.equal(await titleOf('n00'), 'n00');
    assert.equal((await store.runs.findRun(refused.runId))?.message, refused.message);
    const forced = await run({}, { force: true });
    assert.equal(forced.status, 'complete');
    assert.equal(forced.counts.deleted, 15);
  });

  it('lets a few go from a small source', async () => {
    for (const name of names.slice(0, 4)) await put(`${name}.xml`, dc(name));
    await run();
    for (const name of names.slice(0, 3)) await unlink(join(folder, 'set', `${name}.xml`));
    assert.equal((await run()).counts.deleted, 3);
  });

  it('deletes nothing when the origin is empty or missing, even by force', async () => {
    await put('a.xml', dc('a'));
    await run();
    await unlink(join(folder, 'set/a.xml'));
    const empty = await run({}, { force: true });
    assert.deepEqual([empty.status, empty.code, empty.counts.deleted], ['incomplete', 'source.empty', 0]);
    await rm(join(folder, 'set'), { recursive: true });
    const missing = await run({}, { force: true });
    assert.deepEqual([missing.status, missing.code], ['incomplete', 'source.unreadable']);
    assert.equal(await titleOf('a'), 'a');
  });

  it('knows which of several origins went empty', async () => {
    await mkdir(join(folder, 'more'));
    await mkdir(join(folder, 'inbox'));
    await put('a.xml', dc('a'));
    await writeFile(join(folder, 'more/b.xml'), dc('b'));
    const paths = ['set', 'more', 'inbox'].map((name) => join(folder, name));
    assert.equal((await run({ paths })).status, 'complete');
    await unlink(join(folder, 'more/b.xml'));
    const report = await run({ paths });
    assert.equal(report.code, 'source.empty');
    assert.match(report.message ?? '', /more\./);
    assert.equal(await titleOf('b'), 'b');
  });
});

describe('an interrupted import', () => {
  it('commits what was under way, and the next run goes on from there', async () => {
    for (let i = 0; i < 1200; i++) await put(`${String(i).padStart(4, '0')}.xml`, dc(`r${i}`));
    const stop = new AbortController();
    const first = await run(
      {},
      {
        signal: stop.signal,
        onProgress: ({ committed }) => {
          if (committed > 0) stop.abort();
        },
      },
    );
    assert.equal(first.status, 'interrupted');
    assert.equal((await store.runs.findRun(first.runId))?.status, 'interrupted');
    assert.ok(first.counts.added >= 500 && first.counts.added < 1200, `${first.counts.added}`);
    extracted = 0;
    const second = await run();
    assert.equal(second.status, 'complete');
    assert.equal(extracted, 1200 - first.counts.added);
    assert.equal(second.counts.added, 1200 - first.counts.added);
    assert.equal(second.counts.deleted, 0);
  });

  it('is marked as failed when the store refuses, and says why', async () => {
    await put('a.xml', dc('a'));
    const broken: Ingest = { ...ingest, extract: () => Promise.reject(new TypeError('planted')) };
    await assert.rejects(
      importFiles(
        { store, ingest: broken, formats },
        { name: 'samples', paths: [join(folder, 'set')], maxDeleteShare: 0.2 },
      ),
      { code: 'internal.bug', message: 'planted' },
    );
    const [last] = await store.runs.listRuns({ limit: 1 });
    assert.equal(last?.status, 'failed');
    assert.equal(last?.message, 'planted');
    assert.equal((await run()).status, 'complete');
  });
});

describe('progress', () => {
  it('counts up to what the report says', async () => {
    await put('list.xml', `<r>${Array.from({ length: 1100 }, (_, i) => dc(`p${i}`)).join('')}</r>`);
    const seen: number[] = [];
    const report = await run({}, { onProgress: ({ committed }) => seen.push(committed) });
    assert.equal(report.counts.added, 1100);
    assert.deepEqual(seen, [500, 1000, 1100, 1100]);
    assert.equal(report.committed, 1100);
    assert.ok(report.bytesRead > 1100 * 150);
  });
});
