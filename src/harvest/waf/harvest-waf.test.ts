import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { dublinCore, type Keep, type Origin, openKeep, startOrigin } from '../remote/origin.fixture.ts';
import { harvestWaf } from './harvest-waf.ts';

let origin: Origin;
let keep: Keep;
let folders: Record<string, Record<string, { text: string; at: string }>>;
let down: Set<string>;

beforeEach(async () => {
  keep = await openKeep();
  down = new Set();
  folders = {
    '/waf/': {
      'a.xml': { text: dublinCore('a', 'First'), at: '2024-01-01 10:00' },
      'notes.pdf': { text: '%PDF', at: '2024-01-01 10:00' },
    },
    '/waf/inner/': { 'b.xml': { text: dublinCore('b', 'Second'), at: '2024-01-02 10:00' } },
  };
  origin = await startOrigin((target) => {
    if (down.has(target)) return { status: 403, body: 'no' };
    const folder = folders[target];
    if (folder) {
      const inner = target === '/waf/' ? '<a href="inner/">inner/</a>  2024-01-02 10:00   -\n' : '';
      const rows = Object.entries(folder).map(
        ([name, { at }]) => `<a href="${name}">${name}</a>    ${at}   1K\n`,
      );
      return `<pre><a href="../">../</a>\n${inner}${rows.join('')}</pre>`;
    }
    const cut = target.lastIndexOf('/') + 1;
    return folders[target.slice(0, cut)]?.[target.slice(cut)]?.text;
  });
});
afterEach(async () => {
  await origin.close();
  await keep.close();
});

const harvest = () =>
  harvestWaf(
    { ...keep, client: origin.client },
    { name: 'there', url: `${origin.url}/waf`, depth: 5, maxDeleteShare: 0.5 },
  );
const asked = (path: string) => origin.asked.filter((target) => target === `GET ${path}`).length;

test('files of all folders are taken in, and read again only when their time changed', async () => {
  const report = await harvest();
  assert.equal(report.status, 'complete', report.message);
  assert.deepEqual(await keep.identifiers(), ['a', 'b']);
  assert.equal(asked('/waf/notes.pdf'), 0);
  folders['/waf/'] = { 'a.xml': { text: dublinCore('a', 'First, again'), at: '2024-03-01 10:00' } };
  const second = await harvest();
  assert.deepEqual(second.counts, { added: 0, updated: 1, unchanged: 1, deleted: 0, invalid: 0 });
  assert.equal(asked('/waf/inner/b.xml'), 1);
});

test('what left the listing is deleted, but not while a folder cannot be read', async () => {
  folders['/waf/inner/'] = {
    ...folders['/waf/inner/'],
    'c.xml': { text: dublinCore('c', 'Third'), at: '2024-01-02 10:00' },
  };
  await harvest();
  down.add('/waf/inner/');
  const broken = await harvest();
  assert.equal(broken.status, 'incomplete');
  assert.deepEqual(await keep.identifiers(), ['a', 'b', 'c']);
  down.clear();
  folders['/waf/inner/'] = { 'b.xml': { text: dublinCore('b', 'Second'), at: '2024-01-02 10:00' } };
  assert.equal((await harvest()).counts.deleted, 1);
  assert.deepEqual(await keep.identifiers(), ['a', 'b']);
});

test('a file that cannot be read is missing by its address until it can, is gone, or is accepted', async () => {
  const name = `${origin.url}/waf/inner/c.xml`;
  const broken = { text: '<open>', at: '2024-01-02 10:00' };
  const inner = folders['/waf/inner/'] ?? {};
  const missing = async () =>
    (await keep.store.runs.listLosses({ source: 'there', limit: 9 })).map((loss) => loss.name);
  folders['/waf/inner/'] = { ...inner, 'c.xml': broken };
  for (const _ of [1, 2]) {
    const report = await harvest();
    assert.deepEqual([report.status, report.code], ['incomplete', 'source.losses']);
    assert.match(
      report.message ?? '',
      /^Missing: .*\/waf\/inner\/c\.xml:1; garner missing there tells why\.$/,
    );
    assert.deepEqual(await missing(), [`${name}:1`]);
  }
  await keep.store.runs.acceptLosses('there', [`${name}:1`]);
  assert.equal((await harvest()).status, 'complete');
  folders['/waf/inner/'] = { ...inner, 'c.xml': { ...broken, text: dublinCore('c', 'Third') } };
  assert.equal((await harvest()).status, 'complete');
  assert.deepEqual([await missing(), await keep.identifiers()], [[], ['a', 'b', 'c']]);

  folders['/waf/inner/'] = { ...inner, 'c.xml': { ...broken, at: '2024-03-01 10:00' } };
  assert.equal((await harvest()).status, 'incomplete');
  assert.deepEqual(await keep.identifiers(), ['a', 'b', 'c'], 'what is stored of it stays');
  folders['/waf/inner/'] = inner;
  assert.equal((await harvest()).status, 'complete');
  assert.deepEqual([await missing(), await keep.identifiers()], [[], ['a', 'b']]);
});

test('a first folder that cannot be read, or lists nothing, wipes nothing', async () => {
  await harvest();
  down.add('/waf/');
  await assert.rejects(harvest(), { code: 'http.status' });
  down.clear();
  folders = { '/waf/': {} };
  const empty = await harvest();
  assert.equal(empty.status, 'incomplete');
  assert.deepEqual(await keep.identifiers(), ['a', 'b']);
});

test('a login page in the place of a record deletes nothing and is told by its title', async () => {
  await harvest();
  const page = '<!DOCTYPE html><html><head><title>Please log in</title></head></html>';
  folders['/waf/'] = { 'a.xml': { text: page, at: '2024-03-01 10:00' } };
  folders['/waf/inner/'] = {
    'b.xml': { text: dublinCore('b', 'Second'), at: '2024-01-02 10:00' },
    'c.xml': { text: '', at: '2024-03-01 10:00' },
  };
  const report = await harvest();
  assert.equal(report.status, 'incomplete');
  assert.equal(report.code, 'source.unreadable');
  assert.deepEqual(await keep.identifiers(), ['a', 'b']);
  const problems = await keep.store.runs.listProblems({ runId: report.runId, limit: 5 });
  assert.deepEqual(problems.map(({ message }) => message).toSorted(), [
    'held records before and is now a page: “Please log in”',
    'no record: it is empty',
  ]);
});
