/** What is made of a snapshot: its corpus, what changed since the one before, and new candidates out of documents. */
import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { fromBufferPromise } from 'yauzl';
import { openRelevance } from '../src/app/relevance.ts';
import { openTopicPipeline } from '../src/app/topic-pipeline.ts';
import { openGarner } from '../src/app.ts';
import { loadConfig } from '../src/core/config.ts';
import { silentLog } from '../src/core/log.ts';
import { compareCorpora, openCorpora, openTopicMarks, openTopicRuns } from '../src/discover/index.ts';
import { serveGarner } from '../src/http/index.ts';
import { writePdf } from './archived-content/write-pdf.ts';
import { temporaryFolder } from './garner-process.ts';
import { page, serveTopicWeb, type TopicWeb, writeTopicConfig } from './topic-web.ts';

let web: TopicWeb;
before(async () => {
  web = await serveTopicWeb();
});
after(() => web.close());

const TOKEN = 'the-token-of-a-curator';
const PAPER = writePdf({
  pages: [
    'Clouds seen from above\nAnn Lee, Bo Chen\nAbstract\nWe look at clouds from above with more patience than\nanybody had before, and find that most of them are white.\nIntroduction\nClouds cover most of the sky.',
    'References\n[1] C. Diaz, Clouds of the tropics, doi:10.1000/tropics.1\n[2] D. Eng, A book of garden plants, ISBN 0-306-40615-2\n[3] F. Gu, Roofs and gutters, doi:10.1000/roofs',
  ],
});

const HOME = page(
  'Cloud Climatology',
  '<p>Clouds over the sea, clouds over the land.</p><p>Made by <a href="/people/lee">Ann Lee</a>; see <a href="/paper.pdf">the paper</a> and https://doi.org/10.1000/data.</p>',
).replace('<title>', '<meta name="author" content="Ann Lee"><title>');

function prepareWeb(): void {
  web.pages = {
    '/home': HOME,
    '/paper.pdf': { type: 'application/pdf', body: PAPER },
    '/garden': page('Gardening', '<p>Beans, beans, beans, beans, beans, beans and tomatoes.</p>'),
    '/roof': page('Roofing', '<p>Gutters of a roof, roofs and tiles.</p>'),
    '/people/lee': page('Ann Lee', '<p>I study clouds.</p>'),
  };
  web.rankings = { north: ['/home', '/paper.pdf', '/garden', '/roof'] };
}

test('a snapshot has a corpus, to browse, to take home, and to compare with the next', async (t) => {
  prepareWeb();
  const folder = temporaryFolder(t);
  const config = loadConfig(writeTopicConfig(folder, web), {});
  await using garner = await openGarner(config);
  using pipeline = openTopicPipeline(garner, silentLog);
  await pipeline.run('CLOUDS');
  const corpora = openCorpora(config.data);
  const first = corpora.findNewest('CLOUDS');
  assert.ok(first);
  assert.deepEqual(first.documents.map(({ url }) => new URL(url).pathname).sort(), [
    '/garden',
    '/home',
    '/paper.pdf',
    '/roof',
  ]);
  const paper = first.documents.find(({ url }) => url.endsWith('.pdf'));
  assert.equal(paper?.title, 'Clouds seen from above');
  assert.deepEqual(paper?.authors, ['Ann Lee', 'Bo Chen']);
  assert.match(paper?.abstract ?? '', /^We look at clouds from above/);
  assert.equal(paper?.references.length, 3);
  assert.deepEqual(
    first.words.find(({ word }) => word === 'beans'),
    { word: 'beans', count: 6, documents: 1 },
  );
  assert.equal(
    first.words.reduce((sum, { count }) => sum + count, 0),
    first.wordCount,
  );

  assert.equal(first.words.find(({ word }) => word === 'clouds')?.documents, 2);

  // The next snapshot: one page gone, one new, one with another text; the others are revisits.
  web.pages = {
    ...web.pages,
    '/home': HOME.replace('<main>', '<!-- other bytes, same text --><main>'),
    '/garden': page('Gardening', '<p>Cabbage, cabbage, cabbage, cabbage, cabbage and more cabbage.</p>'),
    '/fog': page('Fog', '<p>Fog is a cloud on the ground.</p>'),
  };
  web.rankings = { north: ['/home', '/paper.pdf', '/garden', '/fog'] };
  await new Promise((resolve) => setTimeout(resolve, 1100));
  await pipeline.run('CLOUDS');
  assert.equal(corpora.list('CLOUDS').length, 2);
  const second = corpora.findNewest('CLOUDS');
  assert.ok(second && second.snapshot !== first.snapshot);
  const { added, gone, changed, same, risen, fallen } = compareCorpora(first, second);
  const paths = (documents: readonly { readonly url: string }[]) =>
    documents.map(({ url }) => new URL(url).pathname);
  assert.deepEqual([paths(added), paths(gone), paths(changed), same], [['/fog'], ['/roof'], ['/garden'], 2]);
  assert.equal(risen[0]?.word, 'cabbage');
  assert.ok(fallen.some(({ word }) => word === 'beans'));

  const site = await serveGarner(garner, { host: '127.0.0.1', port: 0, log: silentLog });
  try {
    const get = (path: string) => fetch(`${site.url}/topics/CLOUDS${path}`);
    const shown = await (await get('/corpus')).text();
    assert.match(shown, /1 documents are new, 1 are gone, 1 have another text, 2 are the same/);
    assert.match(shown, /cabbage/);
    assert.doesNotMatch(shown, /\sstyle="|\son\w+="/);
    assert.match(await (await get('')).text(), /href="\/topics\/CLOUDS\/corpus"/);
    const stamp = first.snapshot.slice('CLOUDS:'.length);
    const url = encodeURIComponent(new URL('/paper.pdf', web.origin).href);
    const document = await (await get(`/corpus/document?snapshot=${stamp}&url=${url}`)).text();
    assert.match(document, /Clouds cover most of the sky/);
    assert.match(document, /https:\/\/doi\.org\/10\.1000\/tropics\.1/);
    assert.equal((await get('/corpus/document?url=https://x.example/')).status, 404);
    assert.equal((await get('/corpus?snapshot=20000101T000000Z')).status, 404);
    assert.equal((await get('/corpus?snapshot=../../x')).status, 404);
    const words = await (await get(`/corpus/words.csv?snapshot=${stamp}`)).text();
    assert.match(words, /^word,count,documents\r\n/);
    assert.match(words, /\r\nbeans,6,1\r\n/);
    const entries = await unzip(Buffer.from(await (await get('/corpus/corpus.zip')).arrayBuffer()));
    const texts = [...entries.keys()].filter((name) => name.includes('/texts/'));
    assert.equal(texts.length, 4);
    const { documents } = JSON.parse(
      entries.get(`CLOUDS-${second.snapshot.slice(7)}/corpus.json`)?.toString() ?? '',
    ) as {
      documents: { file: string; url: string }[];
    };
    const fog = documents.find((one) => one.url.endsWith('/fog'));
    assert.match(
      entries.get(`CLOUDS-${second.snapshot.slice(7)}/${fog?.file ?? ''}`)?.toString() ?? '',
      /Fog is a cloud on the ground/,
    );
  } finally {
    await site.close();
  }
});

test('what is archived counts for relevance, even where nobody looked before', async (t) => {
  prepareWeb();
  const folder = temporaryFolder(t);
  const config = loadConfig(writeTopicConfig(folder, web, { discover: ', look: false' }), {});
  await using garner = await openGarner(config);
  using pipeline = openTopicPipeline(garner, silentLog);
  const { run } = await pipeline.run('CLOUDS');
  const relevance = openRelevance(garner);
  relevance.marks.add('CLOUDS', [
    { url: new URL('/home', web.origin).href, mark: 'good', by: 'curator', at: 1 },
  ]);
  const topic = garner.topics.get('CLOUDS') ?? assert.fail();
  const { verdicts } = relevance.assess(topic, run);
  const partOf = (path: string, name: string) =>
    verdicts
      .get(run.candidates.find(({ url }) => url.endsWith(path))?.key ?? '')
      ?.parts.find((part) => part.name === name)?.value ?? 0;
  assert.ok(partOf('/paper.pdf', 'text') > 0.1, `${partOf('/paper.pdf', 'text')}`);
  assert.ok(partOf('/garden', 'text') < 0.05);
  assert.equal(partOf('/paper.pdf', 'links'), 0.5, 'the archived home page links to it');
});

test('documents give new candidates, one hop, that only a score or a mark lets in', async (t) => {
  prepareWeb();
  const folder = temporaryFolder(t);
  const config = loadConfig(
    writeTopicConfig(folder, web, {
      more: [`access: { tokens: { curator: { secret: ${TOKEN}, role: curator } } }`],
    }),
    {},
  );
  await using garner = await openGarner(config);
  using pipeline = openTopicPipeline(garner, silentLog);
  const first = await pipeline.run('CLOUDS');
  const found = new Map((first.run.found ?? []).map((one) => [one.url, one]));
  const author = new URL('/people/lee', web.origin).href;
  assert.deepEqual(
    [...found.keys()].sort(),
    [
      author,
      'https://doi.org/10.1000/data',
      'https://doi.org/10.1000/roofs',
      'https://doi.org/10.1000/tropics.1',
    ].sort(),
  );
  assert.deepEqual(
    found
      .get('https://doi.org/10.1000/tropics.1')
      ?.foundIn.map(({ url, where }) => [new URL(url).pathname, where]),
    [['/paper.pdf', 'references']],
  );
  assert.equal(found.get(author)?.kind, 'author page');
  assert.deepEqual(
    first.run.crawl?.seeds.filter(({ hop }) => hop),
    [],
  );

  // Without a cut-off nothing of it is crawled; a mark lets one in.
  const site = await serveGarner(garner, { host: '127.0.0.1', port: 0, log: silentLog });
  try {
    const shown = await (await fetch(`${site.url}/topics/CLOUDS`)).text();
    assert.match(shown, /Found in the documents/);
    const listed = (await (await fetch(`${site.url}/topics/CLOUDS.json`)).json()) as {
      found: { url: string; accepted: boolean; words?: unknown }[];
    };
    assert.deepEqual(
      listed.found.map(({ accepted, words }) => [accepted, words]),
      [
        [false, undefined],
        [false, undefined],
        [false, undefined],
        [false, undefined],
      ],
    );
    const number = (first.run.found ?? []).findIndex(({ url }) => url === author) + 1;
    const saved = await fetch(`${site.url}/topics/CLOUDS/marks`, {
      method: 'POST',
      body: new URLSearchParams({ token: TOKEN, run: String(first.run.runId), [`found${number}`]: 'good' }),
      redirect: 'manual',
    });
    assert.equal(saved.status, 303);
  } finally {
    await site.close();
  }
  assert.deepEqual(
    [...openTopicMarks(config.data).read('CLOUDS').values()].map(({ url }) => url),
    [author],
  );
  web.pages = { ...web.pages, '/people/lee': page('Ann Lee', '<p>I study clouds, doi:10.1000/too-far.</p>') };
  const second = await pipeline.run('CLOUDS');
  assert.deepEqual(
    second.run.crawl?.seeds.filter(({ hop }) => hop).map(({ url }) => url),
    [author],
  );
  assert.equal(second.run.crawl?.outcomes?.[found.get(author)?.key ?? '']?.status, 200);
  assert.ok(!second.run.found?.some(({ url }) => url.includes('too-far')), 'no second hop');
  assert.equal(
    openTopicRuns(config.data).find('CLOUDS', second.run.runId)?.found?.length,
    second.run.found?.length,
  );
});

async function unzip(bytes: Buffer): Promise<Map<string, Buffer>> {
  const zip = await fromBufferPromise(bytes);
  const entries = new Map<string, Buffer>();
  for await (const entry of zip.eachEntry())
    entries.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)));
  return entries;
}
