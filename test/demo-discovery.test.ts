/** The demo's topic: how good the ranking is by judgements that were fixed first, and what becomes of it. */
import assert from 'node:assert/strict';
import { createInterface } from 'node:readline';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openTopicPipeline } from '../src/app/topic-pipeline.ts';
import { type Garner, openGarner } from '../src/app.ts';
import { DEMO_TOPIC, markExamples } from '../src/cli/demo-web/discover-demo.ts';
import { readDemoWeb, readJudgements } from '../src/cli/demo-web/pages.ts';
import { type ServedWeb, serveDemoWeb } from '../src/cli/demo-web/serve-web.ts';
import { OPERATOR } from '../src/core/access.ts';
import { loadConfig } from '../src/core/config.ts';
import { silentLog } from '../src/core/log.ts';
import type { TopicRun } from '../src/discover/index.ts';
import { outcomeOf, startGarner, temporaryFolder } from './garner-process.ts';

const demo = fileURLToPath(new URL('../demo', import.meta.url));
const web = readDemoWeb(`${demo}/web`);
const { relevant, marks } = readJudgements(`${demo}/web`);
const judged = new Set(relevant);

let served: ServedWeb;
before(async () => {
  served = await serveDemoWeb(web);
});
after(() => served[Symbol.asyncDispose]());

async function openDemo(context: { after(work: () => void): void }): Promise<Garner> {
  const loaded = loadConfig(`${demo}/garner.yaml`, {});
  return openGarner({ ...loaded, data: temporaryFolder(context), net: { hosts: served.hosts } });
}

describe('the demo web', () => {
  test('has a dozen hosts with more than a hundred pages and papers, all of other addresses', () => {
    assert.ok(web.sites.length >= 12);
    assert.ok(web.pages.length > 100);
    assert.ok(web.pages.filter(({ kind }) => kind === 'pdf').length >= 10);
    assert.equal(new Set(web.pages.map(({ url }) => url)).size, web.pages.length);
  });

  test('has links to nowhere, redirects, closed corners, another language and near copies', () => {
    const known = new Set(web.pages.filter(({ gone }) => !gone).map(({ url }) => url));
    assert.ok(web.pages.some(({ links }) => links.some((link) => !known.has(link))));
    assert.ok(web.pages.some(({ redirect }) => redirect !== undefined));
    assert.ok(web.sites.some(({ robots }) => robots?.includes('Disallow')));
    assert.ok(web.pages.some(({ lang }) => lang === 'de'));
    assert.ok(web.sites.some(({ host }) => host === 'mirror.example.net'));
  });

  test('is judged by addresses that exist', () => {
    const known = new Set(web.pages.filter(({ gone }) => !gone).map(({ url }) => url));
    for (const url of [...relevant, ...marks.good, ...marks.bad]) assert.ok(known.has(url), url);
    for (const url of marks.good) assert.ok(judged.has(url), url);
    for (const url of marks.bad) assert.ok(!judged.has(url), url);
  });
});

interface Rates {
  readonly precision10: number;
  readonly recall25: number;
  /** Of the whole list. */
  readonly recall: number;
}

function rate(urls: readonly string[]): Rates {
  const hits = (most: number) => urls.slice(0, most).filter((url) => judged.has(url)).length;
  return {
    precision10: hits(10) / 10,
    recall25: hits(25) / judged.size,
    recall: hits(urls.length) / judged.size,
  };
}

test('the fused list is at least as good as the best of its engines', async (t) => {
  await using garner = await openDemo(t);
  using pipeline = openTopicPipeline(garner, silentLog);
  const { engines, candidates } = await pipeline.list(DEMO_TOPIC);
  const single = engines.map(({ name, lists }) => ({
    name,
    rates: rate(lists.flatMap((results) => results.map(({ url }) => url))),
  }));
  const fused = rate(candidates.map(({ url }) => url));
  t.diagnostic(`${judged.size} of ${web.pages.length} pages are relevant`);
  t.diagnostic('ranking  precision@10  recall@25  recall');
  for (const { name, rates } of [...single, { name: 'fused', rates: fused }])
    t.diagnostic(
      `${name.padEnd(7)}  ${rates.precision10.toFixed(2).padEnd(12)}  ${rates.recall25.toFixed(2).padEnd(9)}  ${rates.recall.toFixed(2)}`,
    );
  assert.deepEqual(
    single.map(({ name }) => name),
    ['words', 'titles', 'links'],
  );
  for (const { name, rates } of single)
    for (const measure of ['precision10', 'recall25', 'recall'] as const)
      assert.ok(fused[measure] >= rates[measure], `${measure}: ${fused[measure]}, ${name} ${rates[measure]}`);
  const orders = engines.map(({ lists }) => JSON.stringify(lists));
  assert.equal(new Set(orders).size, 3, 'the engines rank differently');
});

/** What is fetched for these seeds: what they need to be shown, where they lead, and who may be asked. */
function expectedCaptures(seeds: readonly string[]): string[] {
  const urls = new Set<string>();
  const add = (url: string): void => {
    const page = web.pages.find((one) => one.url === url);
    urls.add(url);
    urls.add(new URL('/robots.txt', url).href);
    if (page?.redirect !== undefined) add(new URL(page.redirect, url).href);
    else if (page?.kind === 'html' && !page.gone) {
      urls.add(new URL('/style.css', url).href);
      for (const [, picture = ''] of page.text.matchAll(/!\[[^\]]*\]\(([^)]+)\)/g))
        add(new URL(picture, url).href);
    }
  };
  for (const seed of seeds) add(seed);
  return [...urls].sort();
}

test('a run archives exactly what it accepts, and accepts by the curator’s marks', async (t) => {
  await using garner = await openDemo(t);
  markExamples(garner, marks);
  markExamples(garner, marks);
  using pipeline = openTopicPipeline(garner, silentLog);
  const states = new Set<string>();
  const { run, status } = await pipeline.run(DEMO_TOPIC, {
    onChange: (changed: TopicRun) => states.add(changed.crawl?.state ?? changed.step),
  });
  assert.equal(status, 'complete');
  for (const state of ['asking', 'looking', 'crawling', 'crawled', 'done'])
    assert.ok(states.has(state), state);

  const seeds = run.crawl?.seeds.map(({ url }) => url) ?? [];
  for (const url of marks.good) assert.ok(seeds.includes(url), url);
  for (const url of marks.bad) assert.ok(!seeds.includes(url), url);
  assert.match(run.crawl?.rule ?? '', /cut-off by 5 good and 3 bad marks/);
  const isRelevant = (url: string) => judged.has(url);
  const precision = seeds.filter(isRelevant).length / seeds.length;
  const listed = run.candidates.filter(({ url }) => isRelevant(url)).length / run.candidates.length;
  t.diagnostic(
    `${seeds.length} accepted, of which relevant ${precision.toFixed(2)}; in the list ${listed.toFixed(2)}`,
  );
  assert.ok(precision > listed);

  const captures = await garner.store.captures.list({ urlKey: '', match: 'prefix', limit: 1000 }, OPERATOR);
  assert.deepEqual(captures.map(({ url }) => url).sort(), expectedCaptures(seeds));

  const candidateAt = (url: string) => run.candidates.find((one) => one.url === url);
  assert.match(
    candidateAt('http://atmos.example.edu/intern/fog-drafts.html')?.lookFailure ?? '',
    /robots\.txt/,
  );
  assert.match(candidateAt('http://focal.example.org/history.html')?.lookFailure ?? '', /410/);
  assert.equal(candidateAt('http://focal.example.org/old/index.htm')?.landedAt, 'http://focal.example.org/');
  assert.equal(
    candidateAt('http://papers.example.org/papers/2021-brandt-climatology.pdf')?.category.kind,
    'PDF paper',
  );
  assert.equal(candidateAt('http://focal.example.org/images/fog-hours.png')?.category.kind, 'image');
  assert.ok(run.found?.some(({ url }) => url === 'https://doi.org/10.5072/jqw.2012.41'));
});

test('garner demo serves at once, discovers beside it, and ends cleanly', { timeout: 600_000 }, async (t) => {
  const child = startGarner(temporaryFolder(t), ['demo', '--port', '0', '--json']);
  const ended = outcomeOf(child);
  t.after(() => child.kill('SIGKILL'));
  let site = '';
  let snapshot = '';
  assert.ok(child.stdout);
  for await (const line of createInterface({ input: child.stdout })) {
    assert.doesNotMatch(line, /^\{"error"/);
    const event = JSON.parse(line) as { event?: string; url?: string; snapshot?: string; status?: string };
    if (event.event === 'serve.listening') {
      site = event.url ?? '';
      assert.equal(snapshot, '');
      assert.equal((await fetch(`${site}/topics`)).status, 200);
    }
    if (event.event !== 'demo.discovered') continue;
    assert.equal(event.status, 'complete');
    snapshot = event.snapshot ?? '';
    break;
  }
  const read = async (path: string) => {
    const response = await fetch(site + path);
    assert.equal(response.status, 200, path);
    return response.text();
  };
  assert.match(snapshot, /^FOCAL:\d{8}T\d{6}Z$/);
  assert.match(await read('/'), /Garner demo/);
  const topic = await read(`/topics/${DEMO_TOPIC}`);
  assert.ok(topic.includes(snapshot));
  assert.match(topic, /The crawl is done\./);
  assert.match(await read(`/items/FOCAL/${snapshot}`), /Satellite Fog Climatology Alliance \(FOCAL\)/);
  assert.match(await read(`/topics/${DEMO_TOPIC}/corpus`), /climatology/);
  // Only closed seconds are listed.
  await new Promise((resolve) => setTimeout(resolve, 2100));
  const oai = await read('/oai?verb=ListRecords&metadataPrefix=oai_dc&set=FOCAL');
  assert.match(oai, /<dc:title>Satellite Fog Climatology Alliance \(FOCAL\)/);
  assert.match(await read('/search?q=twilight'), /How FOCAL finds fog from satellites/);
  child.kill('SIGINT');
  const { code, stderr } = await ended;
  assert.equal(code, 0, stderr);
});
