import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { CURATOR, openTestCollection, type TestCollection } from '../../test/portal-collection.ts';
import { silentLog } from '../core/log.ts';
import { writeCsvRow } from '../core/write-csv.ts';
import { createQualityReports } from '../workflow/quality/index.ts';
import { createRunLogs, type RunLogs } from '../workflow/run-logs.ts';
import { createHttpApp } from './server.ts';

let collection: TestCollection;
let folder: string;
let logs: RunLogs;
let app: ReturnType<typeof createHttpApp>;

before(async () => {
  collection = await openTestCollection();
  folder = await mkdtemp(join(tmpdir(), 'garner-watch-'));
  logs = createRunLogs(folder, () => 0);
  const { store, deps } = collection;
  const quality = createQualityReports({
    store,
    fields: deps.formats.fieldSpecs(),
    dataFolder: folder,
    clock: Date.now,
  });
  app = createHttpApp({ ...deps, runLogs: logs, quality });
});
after(async () => {
  await collection.close();
  await rm(folder, { recursive: true, force: true });
});

const keeper = { headers: { authorization: `Bearer ${CURATOR.secret}` } };

test('problems come as a table, without those that speak of hidden items', async () => {
  const path = `/runs/${collection.importRunId}/problems.csv`;
  const open = await app.request(path);
  assert.equal(open.headers.get('content-type'), 'text/csv; charset=utf-8; header=present');
  const rows = (await open.text()).split('\r\n');
  assert.equal(rows[0], 'run,at,code,message,where,line,identifier');
  assert.match(rows[1] ?? '', /,xml\.malformed,tag <dc:title> is never closed,polar\/broken\.xml,12,$/);
  assert.equal(rows.length, 3, 'the head, one row, the end');
  const all = await (await app.request(path, keeper)).text();
  assert.match(all, /staff-only/);
  assert.equal((await app.request('/runs/999/problems.csv')).status, 404);
});

test('cells are quoted where they must be, and no formula is run', () => {
  assert.equal(
    writeCsvRow(['a', 'b,c', 'say "no"', '=1+1', '-x', undefined, 'two\nlines']),
    'a,"b,c","say ""no""",\'=1+1,\'-x,,"two\nlines"\r\n',
  );
});

test('the log of a run is for keepers', async () => {
  const log = logs.tee(silentLog);
  log('run.finished', { source: 'polar', runId: collection.importRunId, status: 'complete', durationMs: 5 });
  const path = `/runs/${collection.importRunId}/log`;
  assert.equal((await app.request(path)).status, 401);
  assert.match(await (await app.request(path, keeper)).text(), /"event":"run.finished"/);
  assert.equal((await app.request('/runs/2/log', keeper)).status, 404);
});

test('watchers hear of runs that change, but not of hidden sources', async () => {
  const { store } = collection;
  const response = await app.request('/runs/events');
  assert.match(response.headers.get('content-type') ?? '', /^text\/event-stream/);
  const reader = (response.body ?? assert.fail()).getReader();
  let text = '';
  const until = async (pattern: RegExp) => {
    while (!pattern.test(text)) {
      const { value, done } = await reader.read();
      assert.ok(!done, text);
      text += new TextDecoder().decode(value);
    }
  };
  await until(/event: ready/);
  const { id: hidden } = await store.runs.startRun('closed', 'import');
  const { id } = await store.runs.startRun('clouds', 'import');
  await until(/event: runs\ndata: (.*)\n/);
  assert.match(text, new RegExp(`"runs":\\[${id}\\]`));
  assert.doesNotMatch(text, new RegExp(`\\b${hidden}\\b`));
  await store.runs.finishRun(id, 'complete');
  await store.runs.finishRun(hidden, 'complete');
  await reader.cancel();
});

test('the page of a source tells of fields, rules and runs; that of a hidden one is not there', async () => {
  const page = await (await app.request('/sources/clouds')).text();
  assert.match(page, /<h1>Cloud notes<\/h1>/);
  assert.match(page, /<th scope="row">Title<\/th>/);
  const partly = await (await app.request('/sources/polar')).text();
  assert.match(partly, /<h1>Polar data<\/h1>/);
  assert.doesNotMatch(
    partly,
    /<th scope="row">|polar\/broken\.xml|staff-only/,
    'numbers would count the hidden one',
  );
  const full = await (await app.request('/sources/polar', keeper)).text();
  assert.match(full, /polar\/broken\.xml/);
  assert.match(full, /staff-only/);
  assert.equal((await app.request('/sources/closed')).status, 404);
  assert.equal((await app.request('/sources/nowhere')).status, 404);
});

test('the page of a source tells what is missing, and keepers which and why', async () => {
  const { store } = collection;
  const { id } = await store.runs.startRun('polar', 'harvest');
  const lost = ['oai:p.example:1', 'oai:p.example:2'].map((name) => ({
    name,
    code: 'xml.malformed',
    message: 'tag <b> is never closed',
    line: 3,
  }));
  await store.items.commit({ source: 'polar', runId: id, losses: { list: 'oai_dc', lost } });
  await store.runs.acceptLosses('polar', ['oai:p.example:2']);
  await store.runs.finishRun(id, 'incomplete');
  const own = await (await app.request('/sources/polar', keeper)).text();
  assert.match(own, /<dt>Missing<\/dt><dd>1<\/dd>/);
  assert.match(own, /<code>oai:p\.example:1<\/code>[\s\S]*tag &lt;b&gt; is never closed/);
  const open = await (await app.request('/sources/polar')).text();
  assert.doesNotMatch(open, /p\.example/);
  const path = '/sources/polar/missing.csv';
  assert.equal((await app.request(path)).status, 401);
  const rows = (await (await app.request(path, keeper)).text()).split('\r\n');
  assert.equal(rows[0], 'source,format,name,code,message,where,line,first run,last run,accepted');
  assert.equal(rows[1], `polar,oai_dc,oai:p.example:1,xml.malformed,tag <b> is never closed,,3,${id},${id},`);
  assert.match(rows[2] ?? '', /^polar,oai_dc,oai:p\.example:2,.*,\d{4}-.*Z$/);
  assert.equal((await app.request('/sources/nowhere/missing.csv', keeper)).status, 404);
});
