/** Discovery from end to end: three engines on a local server, a small web beside them, the verb's parts, the pages. */
import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openDiscovery } from '../src/app/discover.ts';
import { openGarner } from '../src/app.ts';
import { type Config, loadConfig } from '../src/core/config.ts';
import { GarnerError } from '../src/core/errors.ts';
import { silentLog } from '../src/core/log.ts';
import { findTopicsOfRecords, openTopicRuns } from '../src/discover/index.ts';
import { serveGarner } from '../src/http/index.ts';

const KEY = 'key-that-nobody-may-see';
let server: Server;
let origin: string;
let folder: string;
/** What the engines answer: addresses on the local web by engine. */
let rankings: Record<string, readonly string[]> = {};
let brokenEngine = '';
const fetched: string[] = [];

before(async () => {
  server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', origin);
    const [, top = '', name = ''] = url.pathname.split('/');
    if (top === 'engine') {
      if (name === brokenEngine) {
        response.statusCode = 500;
        response.end('broken');
        return;
      }
      const results = Number(url.searchParams.get('pageno') ?? 1) > 1 ? [] : (rankings[name] ?? []);
      response.end(
        JSON.stringify({ results: results.map((address) => ({ url: address, title: `Page ${address}` })) }),
      );
      return;
    }
    fetched.push(url.pathname);
    if (url.pathname === '/robots.txt') response.end('User-agent: *\nDisallow: /closed/\n');
    else if (url.pathname.startsWith('/paper')) response.end('%PDF-1.4\n%made for a test');
    else {
      response.setHeader('content-type', 'text/html');
      response.end('<!doctype html><title>Hello</title>');
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  folder = await mkdtemp(join(tmpdir(), 'garner-discover-'));
});
after(async () => {
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true, force: true });
});

async function writeConfig(name: string): Promise<Config> {
  const engine = (engineName: string) =>
    `  ${engineName}: { kind: searxng, url: ${origin}/engine/${engineName}, key: ${KEY}, delayMs: 0, attempts: 1, allowPrivate: true }`;
  const file = join(folder, `${name}.yaml`);
  await writeFile(
    file,
    [
      `data: ./${name}`,
      'discover: { depth: 10, allowPrivate: true, lookDelayMs: 0 }',
      'engines:',
      ...['north', 'south', 'west'].map(engine),
      'topics:',
      '  CLOUDS: { title: Cloud Climatology }',
    ].join('\n'),
  );
  return loadConfig(file, {});
}

test('a topic is asked, fused, looked at, stored, compared with the run before, and shown', async () => {
  const config = await writeConfig('whole');
  await using garner = await openGarner(config);
  using discovery = openDiscovery(garner, silentLog);
  const page = (path: string) => `${origin}${path}`;
  rankings = {
    north: [page('/home'), page('/closed/page'), page('/paper-1'), 'ftp://old.example/data'],
    south: [page('/paper-1'), page('/home#top')],
    west: [page('/home'), page('/only-west')],
  };
  const steps: string[] = [];
  const firstReport = await discovery.run('CLOUDS', {
    onChange: ({ step, engines }) =>
      steps.push(`${step} ${engines.filter(({ status }) => status === 'done').length}`),
  });
  assert.deepEqual(steps, ['asking 0', 'asking 1', 'asking 2', 'asking 3', 'looking 3', 'done 3']);
  assert.equal(firstReport.status, 'complete');
  const [best] = firstReport.run.candidates;
  assert.equal(best?.url, page('/home'));
  assert.equal(best?.weight, 10 + 9 + 10);
  assert.deepEqual(best?.ranks, { north: 1, south: 2, west: 1 });
  const paper = firstReport.run.candidates.find(({ url }) => url.endsWith('/paper-1'));
  assert.deepEqual(
    [paper?.category.html, paper?.category.by, paper?.category.mediaType],
    [false, 'content', 'application/pdf'],
  );
  const closed = firstReport.run.candidates.find(({ url }) => url.includes('/closed/'));
  assert.match(closed?.lookFailure ?? '', /robots\.txt/);
  assert.ok(!fetched.includes('/closed/page'));
  assert.equal(firstReport.run.refused[0]?.url, 'ftp://old.example/data');
  const blob = firstReport.run.engines[0]?.answers[0]?.digest ?? '';
  assert.ok(await garner.store.blobs.find(blob), 'the raw answer is kept');

  brokenEngine = 'west';
  rankings = {
    ...rankings,
    south: [page('/new'), page('/paper-1')],
    north: [page('/paper-1'), page('/home')],
  };
  const second = await discovery.run('CLOUDS');
  assert.equal(second.status, 'incomplete');
  assert.equal(second.run.comparedWith, firstReport.run.runId);
  const changes = Object.fromEntries(
    second.run.candidates.map(({ url, change }) => [new URL(url).pathname, change]),
  );
  assert.deepEqual(changes, { '/paper-1': 'risen', '/new': 'new', '/home': 'fallen' });
  assert.deepEqual(second.run.gone.map(({ url }) => new URL(url).pathname).sort(), [
    '/closed/page',
    '/only-west',
  ]);
  const problems = await garner.store.runs.listProblems({ runId: second.run.runId, limit: 10 });
  assert.deepEqual(
    problems.map(({ code, where }) => [code, where]),
    [['http.status', 'west']],
  );
  brokenEngine = '';

  const site = await serveGarner(garner, { host: '127.0.0.1', port: 0, log: silentLog });
  try {
    const get = async (path: string) => {
      const response = await fetch(site.url + path);
      return { status: response.status, text: await response.text() };
    };
    const overview = await get('/topics');
    assert.match(overview.text, /Cloud Climatology/);
    const shown = await get('/topics/CLOUDS');
    assert.equal(shown.status, 200);
    assert.match(shown.text, /risen/);
    assert.match(shown.text, /Gone since run/);
    assert.match(shown.text, /status 500/);
    assert.match(shown.text, /<svg class="overlap"/);
    assert.doesNotMatch(shown.text, /\sstyle="|\son\w+="/);
    const old = await get(`/topics/CLOUDS?run=${firstReport.run.runId}&list=other`);
    assert.match(old.text, /paper-1/);
    assert.match(old.text, /ftp:\/\/old\.example\/data/);
    const csv = await get('/topics/CLOUDS.csv');
    assert.match(csv.text, /^position,url,title,weight,score,accepted,mark,north,south,west,html,/);
    assert.match(csv.text, /\r\n1,http/);
    const json = JSON.parse((await get('/topics/CLOUDS.json')).text) as {
      candidates: unknown[];
      statistics: unknown;
    };
    assert.equal(json.candidates.length, 3);
    assert.equal((await get(`/runs/${second.run.runId}`)).status, 200);
    assert.equal((await get('/topics/NOTHING')).status, 404);
    assert.equal((await get('/topics/CLOUDS?run=999')).status, 404);
    for (const { text } of [shown, csv, await get('/topics/CLOUDS.json')]) assert.ok(!text.includes(KEY));
  } finally {
    await site.close();
  }
});

test('a dry run lists and leaves nothing behind', async () => {
  const config = await writeConfig('dry');
  await using garner = await openGarner(config);
  using discovery = openDiscovery(garner, silentLog);
  rankings = { north: ['https://a.example/'], south: [], west: [] };
  const before = fetched.length;
  const run = await discovery.list('CLOUDS');
  assert.deepEqual(
    run.candidates.map(({ url }) => url),
    ['https://a.example/'],
  );
  assert.equal(fetched.length, before);
  assert.deepEqual(await garner.store.runs.listRuns({ limit: 5 }), []);
  assert.ok(!(await readdir(config.data)).includes('topics'));
});

test('when every engine fails the run fails, and an unknown topic is told with its neighbours', async () => {
  const config = await writeConfig('failing');
  await using garner = await openGarner({
    ...config,
    engines: Object.fromEntries(Object.entries(config.engines).filter(([name]) => name === 'north')),
  });
  using discovery = openDiscovery(garner, silentLog);
  brokenEngine = 'north';
  const { status, message } = await discovery.run('CLOUDS');
  assert.deepEqual([status, message], ['failed', 'no engine gives an answer']);
  brokenEngine = '';
  await assert.rejects(
    async () => discovery.run('CLOUD'),
    (error) => error instanceof GarnerError && error.code === 'topic.unknown' && /CLOUDS/.test(error.message),
  );
});

test('a run that is stopped goes on with the engines that had not answered', async () => {
  const config = await writeConfig('stopped');
  await using garner = await openGarner(config);
  using discovery = openDiscovery(garner, silentLog);
  rankings = { north: [`${origin}/one`], south: [`${origin}/two`], west: [] };
  const stop = new AbortController();
  await assert.rejects(
    discovery.run('CLOUDS', {
      signal: stop.signal,
      onChange: (run) => {
        if (run.step === 'looking') stop.abort();
      },
    }),
  );
  const [interrupted] = await garner.store.runs.listRuns({ limit: 1 });
  assert.equal(interrupted?.status, 'interrupted');
  // Now the engines would give nothing: what they gave before is used.
  rankings = {};
  const { run, status } = await discovery.run('CLOUDS');
  assert.equal(status, 'complete');
  assert.equal(run.candidates.length, 2);
});

test('a run whose process died after its list was finished asks again: there is nothing to go on with', async () => {
  const config = await writeConfig('finished');
  await using garner = await openGarner(config);
  using discovery = openDiscovery(garner, silentLog);
  rankings = { north: [`${origin}/one`], south: [], west: [] };
  const { run } = await discovery.run('CLOUDS');
  const { id } = await garner.store.runs.startRun('CLOUDS', 'discover');
  openTopicRuns(config.data).write({ ...run, runId: id });
  await garner.store.items.commit({ source: 'CLOUDS', runId: id, checkpoint: { list: id } });
  await garner.store.runs.finishRun(id, 'interrupted');
  rankings = { north: [`${origin}/two`], south: [], west: [] };
  const next = await discovery.run('CLOUDS');
  assert.deepEqual(
    next.run.candidates.map(({ url }) => url),
    [`${origin}/two`],
  );
});

test('harvested records give a table of topics, which the config can read', async () => {
  const record = (acronym: string, title: string): Uint8Array =>
    Buffer.from(`<c xmlns="urn:c"><p><s>${acronym}</s><l>${title}</l></p></c>`);
  const bytes = [
    record('ISCCP', 'Satellite Clouds'),
    record('ISCCP', 'Satellite  Clouds'),
    record('ISCCP', 'Clouds'),
    record('SAGE III', 'No set'),
    record('SRB', 'Surface Radiation'),
  ];
  const items = {
    listRaw: async (source: string, after: number) =>
      bytes
        .map((content, i) => ({ source, identifier: `${i}`, recordKey: i + 1, format: 'c', bytes: content }))
        .filter(({ recordKey }) => recordKey > after),
  };
  const paths = { acronym: '//c:p/c:s', title: '//c:p/c:l' };
  const { topics, unusable } = await findTopicsOfRecords(items, 'x', paths, () => ({ c: 'urn:c' }));
  assert.deepEqual(topics, [
    { acronym: 'ISCCP', title: 'Satellite Clouds', records: 3 },
    { acronym: 'SRB', title: 'Surface Radiation', records: 1 },
  ]);
  assert.deepEqual([...unusable], [['SAGE III', 1]]);
});
