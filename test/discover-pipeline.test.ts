/** A topic from question to snapshot, and what a run after a broken one does. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openTopicPipeline, type TopicRunOptions } from '../src/app/topic-pipeline.ts';
import { openGarner } from '../src/app.ts';
import { OPERATOR } from '../src/core/access.ts';
import { loadConfig } from '../src/core/config.ts';
import { GarnerError } from '../src/core/errors.ts';
import { silentLog } from '../src/core/log.ts';
import type { TopicRun } from '../src/discover/index.ts';
import { serveGarner } from '../src/http/index.ts';
import { MATCH_ALL } from '../src/query/ast.ts';
import { temporaryFolder } from './garner-process.ts';
import { page, serveTopicWeb, type TopicWeb, writeTopicConfig } from './topic-web.ts';

let web: TopicWeb;
before(async () => {
  web = await serveTopicWeb();
});
after(() => web.close());

function prepareWeb(): void {
  web.onRequest = () => {};
  web.asked.length = 0;
  web.pages = {
    '/home': page(
      'Cloud Climatology',
      '<p>All about clouds. <a href="/data">Data</a></p><img src="/logo.png">',
    ),
    '/data': page('Cloud data', '<p>Gridded cloud data.</p>'),
    '/paper': page('A paper on clouds', '<p>Cloud cover and climate.</p>'),
    '/far': page('Far down the list', '<p>Gardening.</p>'),
    '/logo.png': { type: 'image/png', body: Buffer.from('89504e470d0a1a0a', 'hex') },
  };
  web.rankings = {
    north: ['/home', '/gone', '/data', '/far'],
    south: ['/paper', '/home', '/closed/page'],
  };
}

async function openTopic(context: { after(work: () => void): void }, discover = ', top: 5') {
  prepareWeb();
  const folder = temporaryFolder(context);
  const config = loadConfig(writeTopicConfig(folder, web, { discover }), {});
  const garner = await openGarner(config);
  const pipeline = openTopicPipeline(garner, silentLog);
  return {
    garner,
    run: (options?: TopicRunOptions) => pipeline.run('CLOUDS', options),
    snapshots: async () => {
      const { hits } = await garner.store.search.search({ query: MATCH_ALL, limit: 50 }, OPERATOR);
      return hits.map(({ identifier }) => identifier).filter((name) => name.startsWith('CLOUDS:'));
    },
    captures: async () =>
      (await garner.store.captures.list({ urlKey: '', match: 'prefix', limit: 1000 }, OPERATOR)).map(
        ({ url }) => new URL(url).pathname,
      ),
    async [Symbol.asyncDispose]() {
      pipeline[Symbol.dispose]();
      await garner[Symbol.asyncDispose]();
    },
  };
}

test('accepted candidates are crawled into a snapshot of the topic’s set; the rest is only listed', async (t) => {
  await using topic = await openTopic(t);
  const states: string[] = [];
  const outcome = await topic.run({ onChange: ({ crawl }) => crawl && states.push(crawl.state) });
  assert.deepEqual([...new Set(states)], ['waiting', 'crawling', 'crawled', 'done']);
  const { crawl, candidates } = outcome.run;
  assert.deepEqual(
    crawl?.seeds.map(({ url }) => new URL(url).pathname),
    candidates.slice(0, 5).map(({ url }) => new URL(url).pathname),
  );
  assert.match(crawl?.rule ?? '', /the 5 heaviest, since no candidate is marked/);
  const outcomes = Object.fromEntries(
    (crawl?.seeds ?? []).map(({ key, url }) => [new URL(url).pathname, crawl?.outcomes?.[key]]),
  );
  assert.deepEqual(outcomes['/home'], { state: 'done', status: 200 });
  assert.equal(outcomes['/gone']?.status, 404);
  assert.deepEqual(outcomes['/closed/page'], { state: 'excluded', reason: 'robots' });
  assert.deepEqual((await topic.captures()).filter((path) => path !== '/robots.txt').sort(), [
    '/data',
    '/gone',
    '/home',
    '/logo.png',
    '/paper',
  ]);
  assert.match(crawl?.snapshot ?? '', /^CLOUDS:\d{8}T\d{6}Z$/);
  assert.deepEqual(await topic.snapshots(), [crawl?.snapshot]);

  const site = await serveGarner(topic.garner, { host: '127.0.0.1', port: 0, log: silentLog });
  try {
    // Only closed seconds are listed.
    await new Promise((resolve) => setTimeout(resolve, 2100));
    const oai = async (query: string) => (await fetch(`${site.url}/oai?${query}`)).text();
    assert.match(await oai('verb=ListSets'), /<setSpec>CLOUDS<\/setSpec>\s*<setName>Cloud Climatology/);
    const listed = await oai('verb=ListIdentifiers&metadataPrefix=oai_dc&set=CLOUDS');
    assert.deepEqual(
      [...listed.matchAll(/<identifier>([^<]*)/g)].map(([, identifier]) =>
        identifier?.split(':').slice(-2).join(':'),
      ),
      [crawl?.snapshot],
    );
    const record = await oai('verb=ListRecords&metadataPrefix=oai_dc&set=CLOUDS');
    assert.match(record, /<dc:title>Cloud Climatology \(CLOUDS\), /);
    const topicPage = await (await fetch(`${site.url}/topics/CLOUDS`)).text();
    assert.match(topicPage, /404/);
    assert.ok(topicPage.includes(crawl?.snapshot ?? '?'));
  } finally {
    await site.close();
  }
});

test('while the crawl goes on, the pages show what is being crawled and what failed', async (t) => {
  await using topic = await openTopic(t);
  const site = await serveGarner(topic.garner, { host: '127.0.0.1', port: 0, log: silentLog });
  try {
    let shown: { refresh: string | null; text: string; runs: string } | undefined;
    web.onRequest = async (asked) => {
      if (asked !== '/logo.png') return;
      const response = await fetch(`${site.url}/topics/CLOUDS`);
      const runs = await (await fetch(`${site.url}/runs`)).text();
      shown = { refresh: response.headers.get('refresh'), text: await response.text(), runs };
    };
    const { run } = await topic.run();
    assert.ok(shown);
    assert.equal(shown.refresh, '3');
    assert.match(shown.text, /accepted addresses are being crawled/);
    assert.match(shown.text, /The crawl is going on/);
    assert.match(shown.text, /waiting/);
    assert.match(shown.runs, /<td>crawl<\/td>/);
    const after = await fetch(`${site.url}/topics/CLOUDS`);
    assert.equal(after.headers.get('refresh'), null);
    const text = await after.text();
    assert.match(text, /The crawl is done\./);
    assert.match(text, /<h3>Not archived<\/h3>/);
    assert.match(text, /left out: robots/);
    assert.ok((await (await fetch(`${site.url}/topics`)).text()).includes(run.crawl?.snapshot ?? '?'));
  } finally {
    await site.close();
  }
});

test('a run that ends with its list crawls nothing; what the list accepts can be crawled later', async (t) => {
  await using topic = await openTopic(t);
  await assert.rejects(
    topic.run({ only: 'crawl' }),
    (error) => error instanceof GarnerError && error.code === 'usage.invalid',
  );
  const listed = await topic.run({ only: 'list' });
  assert.equal(listed.run.crawl, undefined);
  assert.deepEqual(await topic.captures(), []);
  const enginesAsked = () => web.asked.filter((path) => path.startsWith('/engine/')).length;
  const before = enginesAsked();
  const crawled = await topic.run({ only: 'crawl' });
  assert.equal(crawled.run.crawl?.state, 'done');
  assert.equal(crawled.run.runId, listed.run.runId);
  assert.equal(enginesAsked(), before);
});

test('where candidates are not archived a run ends with its list', async (t) => {
  await using topic = await openTopic(t, ', archive: false');
  const { run, status } = await topic.run();
  assert.deepEqual([run.crawl, status], [undefined, 'complete']);
});

/** The run breaks the first time that the list is in this state, as if its process had died there. */
function breakAt(state: (run: TopicRun) => boolean): TopicRunOptions {
  let broken = false;
  return {
    onChange: (run) => {
      if (broken || !state(run)) return;
      broken = true;
      throw new GarnerError('internal.bug', 'the process died here');
    },
  };
}

for (const [name, state] of [
  ['when the list is finished', ({ crawl }) => crawl?.state === 'waiting'],
  ['when the crawl has begun', ({ crawl }) => crawl?.state === 'crawling'],
  ['when the snapshot is stored', ({ crawl }) => crawl?.state === 'crawled'],
  ['when what became of the addresses is known', ({ crawl }) => crawl?.outcomes !== undefined],
] satisfies [string, (run: TopicRun) => boolean][]) {
  test(`a run that breaks ${name} is finished by the next: nothing twice, nothing lost`, async (t) => {
    await using topic = await openTopic(t);
    await assert.rejects(topic.run(breakAt(state)), /the process died here/);
    const enginesAsked = web.asked.filter((path) => path.startsWith('/engine/')).length;
    const next = await topic.run();
    assert.equal(next.resumed, true);
    assert.equal(next.run.crawl?.state, 'done');
    assert.equal(next.run.crawl?.outcomes?.[next.run.candidates[0]?.key ?? '']?.state, 'done');
    assert.equal(web.asked.filter((path) => path.startsWith('/engine/')).length, enginesAsked);
    assert.deepEqual(await topic.snapshots(), [next.run.crawl?.snapshot]);
    const captures = (await topic.captures()).sort();
    assert.deepEqual(captures, [...new Set(captures)], 'each address once');
    assert.ok(captures.includes('/paper'));

    await new Promise((resolve) => setTimeout(resolve, 1100));
    const fresh = await topic.run();
    assert.equal(fresh.resumed, false, 'the next run asks again');
    assert.equal((await topic.snapshots()).length, 2);
    assert.notEqual(fresh.run.crawl?.snapshot, next.run.crawl?.snapshot);
  });
}

test('a run that is stopped in the crawl goes on with it; a fresh one forgets it', async (t) => {
  await using topic = await openTopic(t);
  const stop = new AbortController();
  web.onRequest = (asked) => {
    if (asked === '/paper') stop.abort();
  };
  const stopped = await topic.run({ signal: stop.signal });
  assert.deepEqual([stopped.status, stopped.run.crawl?.state], ['interrupted', 'crawling']);
  web.onRequest = () => {};
  const fresh = await topic.run({ fresh: true });
  assert.deepEqual([fresh.resumed, fresh.status], [false, 'complete']);
  assert.ok(fresh.run.runId > stopped.run.runId);
  assert.equal((await topic.snapshots()).length, 1);
});
