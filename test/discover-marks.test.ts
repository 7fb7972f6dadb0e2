/** A curator's marks: by form and API, for the curve, for the explanation, and for what the next run crawls. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openTopicPipeline } from '../src/app/topic-pipeline.ts';
import { openGarner } from '../src/app.ts';
import { loadConfig } from '../src/core/config.ts';
import { silentLog } from '../src/core/log.ts';
import { openTopicMarks } from '../src/discover/index.ts';
import { serveGarner } from '../src/http/index.ts';
import { runGarner, temporaryFolder } from './garner-process.ts';
import { page, serveTopicWeb, type TopicWeb, writeTopicConfig } from './topic-web.ts';

const CURATOR = 'the-token-of-a-curator';
const READER = 'the-token-of-a-reader';
let web: TopicWeb;
before(async () => {
  web = await serveTopicWeb();
  const about = ['cloud cover and cloud height from satellites', 'planting tomatoes and beans in the garden'];
  const pages = Array.from({ length: 8 }, (_, i) => {
    const isCloud = i % 2 === 0;
    return [
      isCloud ? `/cloud${i}` : `/garden${i}`,
      page(isCloud ? `Clouds, part ${i}` : `Gardening ${i}`, `<p>${about[i % 2]}, number ${i}.</p>`),
    ] as const;
  });
  web.pages = Object.fromEntries(pages);
  web.rankings = { north: pages.map(([path]) => path) };
});
after(() => web.close());

test('marks are saved by those who may, explained, and decide what is crawled', async (t) => {
  const folder = temporaryFolder(t);
  const access = `access: { tokens: { curator: { secret: ${CURATOR}, role: curator }, guest: { secret: ${READER}, role: reader } } }`;
  const file = writeTopicConfig(folder, web, { discover: ', top: 3', more: [access] });
  const config = loadConfig(file, {});
  await using garner = await openGarner(config);
  using pipeline = openTopicPipeline(garner, silentLog);
  const first = await pipeline.run('CLOUDS');
  assert.equal(first.run.crawl?.seeds.length, 3);

  const site = await serveGarner(garner, { host: '127.0.0.1', port: 0, log: silentLog });
  try {
    const url = (path: string) => new URL(path, web.origin).href;
    const send = (
      token: string,
      marks: Readonly<Record<string, string>>,
      headers: Record<string, string> = {},
    ) => {
      const form = new URLSearchParams({ token, run: String(first.run.runId) });
      for (const [path, mark] of Object.entries(marks)) {
        const row = first.run.candidates.find((candidate) => candidate.url === url(path));
        form.set(`mark${row?.position ?? 0}`, mark);
      }
      return fetch(`${site.url}/topics/CLOUDS/marks`, {
        method: 'POST',
        body: form,
        headers,
        redirect: 'manual',
      });
    };
    assert.equal((await send('nobody', { '/cloud0': 'good' })).status, 401);
    assert.equal((await send(READER, { '/cloud0': 'good' })).status, 401);
    assert.equal(
      (await send(CURATOR, { '/cloud0': 'good' }, { origin: 'https://elsewhere.example' })).status,
      403,
    );
    assert.equal(openTopicMarks(config.data).read('CLOUDS').size, 0);
    const saved = await send(CURATOR, { '/cloud0': 'good', '/garden1': 'bad', '/cloud2': 'none' });
    assert.deepEqual(
      [saved.status, saved.headers.get('location')],
      [303, `/topics/CLOUDS?run=${first.run.runId}#relevance`],
    );
    assert.deepEqual(
      [...openTopicMarks(config.data).read('CLOUDS').values()].map(({ mark, by }) => [mark, by]),
      [
        ['good', 'curator'],
        ['bad', 'curator'],
      ],
    );
    // What is marked so already makes no further line.
    await send(CURATOR, { '/cloud0': 'good' });
    assert.equal(openTopicMarks(config.data).list('CLOUDS').length, 2);

    const api = (body: unknown, token?: string) =>
      fetch(`${site.url}/api/topics/CLOUDS/marks`, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      });
    const more = {
      marks: [
        { url: url('/cloud4'), mark: 'good' },
        { url: url('/garden3'), mark: 'bad' },
      ],
    };
    assert.equal((await api(more)).status, 401);
    assert.equal((await api({ marks: [{ url: 'ftp://x', mark: 'good' }] }, CURATOR)).status, 400);
    assert.equal((await api(more, CURATOR)).status, 200);
    const { marks } = (await (await fetch(`${site.url}/api/topics/CLOUDS/marks`)).json()) as {
      marks: unknown[];
    };
    assert.equal(marks.length, 4);
    assert.ok(!JSON.stringify(marks).includes('"by"'), 'who marked is for keepers');
    const kept = await fetch(`${site.url}/api/topics/CLOUDS/marks`, {
      headers: { authorization: `Bearer ${CURATOR}` },
    });
    assert.match(await kept.text(), /"by":"curator"/);

    const shown = await (await fetch(`${site.url}/topics/CLOUDS`)).text();
    assert.match(shown, /<svg class="curve"/);
    assert.match(shown, /a cut-off by 2 good and 2 bad marks/);
    assert.match(shown, /first 10 of the ranking/);
    assert.doesNotMatch(shown, /\sstyle="|\son\w+="/);

    const why = (await (
      await fetch(`${site.url}/api/topics/CLOUDS/why?url=${encodeURIComponent(url('/cloud6'))}`)
    ).json()) as {
      weight: number;
      weights: { worth: number }[];
      accepted: boolean;
      parts: { name: string; reason: string }[];
    };
    assert.equal(
      why.weights.reduce((sum, { worth }) => sum + worth, 0),
      why.weight,
    );
    assert.equal(why.accepted, true);
    assert.match(why.parts.find(({ name }) => name === 'text')?.reason ?? '', /cloud/);
    assert.equal((await fetch(`${site.url}/api/topics/CLOUDS/why?url=https://not.example/`)).status, 404);
  } finally {
    await site.close();
  }

  const second = await pipeline.run('CLOUDS');
  assert.deepEqual(second.run.crawl?.seeds.map(({ url }) => new URL(url).pathname).sort(), [
    '/cloud0',
    '/cloud2',
    '/cloud4',
    '/cloud6',
  ]);
  assert.equal(second.run.candidates.length, 8, 'what is below the cut-off is listed all the same');
});

test('marks by the command line', async (t) => {
  const folder = temporaryFolder(t);
  writeTopicConfig(folder, web, { discover: ', archive: false' });
  assert.equal((await runGarner(folder, 'discover', 'CLOUDS')).code, 0);
  const cloud = new URL('/cloud0', web.origin).href;
  const marked = await runGarner(folder, 'topics', 'mark', 'CLOUDS', cloud, 'good');
  assert.equal(marked.stdout, 'CLOUDS: 1 good and 0 bad examples\n', marked.stderr);
  const why = await runGarner(folder, 'topics', 'why', 'CLOUDS', cloud);
  assert.match(why.stdout, /weight 10 = 10 \(north at 1\)/);
  assert.match(why.stdout, /accepted: it is marked good by /);
  assert.match(
    (await runGarner(folder, 'explain', cloud)).stdout,
    /in the list of CLOUDS: garner topics why CLOUDS/,
  );
  assert.equal((await runGarner(folder, 'topics', 'mark', 'CLOUDS', cloud, 'fine')).code, 2);
  assert.equal((await runGarner(folder, 'topics', 'why', 'CLOUD', cloud)).code, 2);
  const listed = await runGarner(folder, 'topics', 'marks', 'CLOUDS', '--json');
  assert.equal((JSON.parse(listed.stdout) as { marks: unknown[] }).marks.length, 1);
});
