/**
 * Each engine against a local server that answers in the provider's documented shape; the answers are made
 * up by us. Whether the live services still answer so, no test here can tell.
 */
import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { GarnerError } from '../../core/errors.ts';
import { createHttpClient } from '../../harvest/http/index.ts';
import { createAsk } from './ask.ts';
import type { EngineResult, EngineSettings } from './engine.ts';
import { ENGINES } from './registry.ts';

interface Seen {
  readonly url: URL;
  readonly headers: IncomingMessage['headers'];
  readonly method: string;
  readonly body: string;
}
type Answer = object | string | readonly [status: number, body: object | string];

let server: Server;
let origin: string;
let answerTo: (seen: Seen) => Answer = () => ({});
let seen: Seen[] = [];

before(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', () => {
      const told = {
        url: new URL(request.url ?? '/', origin),
        headers: request.headers,
        method: request.method ?? '',
        body,
      };
      seen.push(told);
      const answer = answerTo(told);
      const [status, content] = Array.isArray(answer) ? (answer as [number, object | string]) : [200, answer];
      response.statusCode = status;
      response.end(typeof content === 'string' ? content : JSON.stringify(content));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
after(() => {
  server.closeAllConnections();
  server.close();
});

async function search(
  kind: keyof typeof ENGINES,
  answer: (seen: Seen) => Answer,
  {
    count = 10,
    query = 'Cloud Project CP',
    ...settings
  }: EngineSettings & { count?: number; query?: string } = {},
): Promise<EngineResult[]> {
  answerTo = answer;
  seen = [];
  const engine = ENGINES[kind]({ url: `${origin}/api`, key: 'secret-key', ...settings });
  const http = createHttpClient({
    userAgent: 'test',
    allowPrivate: true,
    ...(engine.headers && { headers: engine.headers }),
  });
  const gate = { enter: async () => {}, pause: async () => {} };
  const ask = createAsk({ http, gate, clock: () => 0, attempts: 1, secret: settings.key ?? 'secret-key' });
  try {
    const results: EngineResult[] = [];
    for await (const page of engine.search(query, count, ask)) results.push(...page);
    return results;
  } finally {
    http.close();
  }
}
const urls = (results: readonly EngineResult[]) => results.map(({ url }) => url);
const first = (): Seen => seen[0] ?? assert.fail('nothing was asked');
const parameter = (name: string): string | null => first().url.searchParams.get(name);

test('brave: pages by offset, the key in a header, marks taken out of the texts', async () => {
  const results = await search(
    'brave',
    ({ url }) => ({
      query: { more_results_available: url.searchParams.get('offset') === '0' },
      web: {
        results: [
          {
            url: `https://a.example/${url.searchParams.get('offset')}`,
            title: 'A &amp; B',
            description: '<strong>Cloud</strong> data',
          },
        ],
      },
    }),
    { count: 40 },
  );
  assert.deepEqual(urls(results), ['https://a.example/0', 'https://a.example/1']);
  assert.deepEqual([results[0]?.title, results[0]?.snippet], ['A & B', 'Cloud data']);
  assert.equal(first().headers['x-subscription-token'], 'secret-key');
  assert.equal(parameter('q'), 'Cloud Project CP');
  assert.equal(seen.length, 2);
});

test('google: ten at a time from 1, with the media type that it knows', async () => {
  const results = await search(
    'google',
    ({ url }) => {
      const start = Number(url.searchParams.get('start'));
      return {
        searchInformation: { totalResults: '12' },
        queries: start === 1 ? { nextPage: [{ startIndex: 11 }] } : {},
        items: Array.from({ length: start === 1 ? 10 : 2 }, (_, i) => ({
          link: `https://g.example/${start + i}.pdf`,
          title: 'T',
          mime: 'application/pdf',
        })),
      };
    },
    { count: 25, engineId: 'engine-7' },
  );
  assert.equal(results.length, 12);
  assert.equal(results[11]?.url, 'https://g.example/12.pdf');
  assert.equal(results[0]?.mediaType, 'application/pdf');
  assert.equal(parameter('cx'), 'engine-7');
});

test('google: no results is an answer, an error is none', async () => {
  assert.deepEqual(await search('google', () => ({ searchInformation: { totalResults: '0' } })), []);
  await assert.rejects(
    search('google', () => ({ error: { message: 'quota' } })),
    /something else than results/,
  );
});

test('mojeek: the status inside of the answer counts', async () => {
  const results = await search('mojeek', () => ({
    response: { status: 'OK', results: [{ url: 'https://m.example/', title: 'M', desc: 'D' }] },
  }));
  assert.deepEqual(results, [{ url: 'https://m.example/', title: 'M', snippet: 'D' }]);
  assert.equal(parameter('s'), '1');
  await assert.rejects(
    search('mojeek', () => ({ response: { status: 'ERROR: Daily Limit Reached' } })),
    /Daily Limit/,
  );
});

test('kagi: related searches are no results', async () => {
  const results = await search('kagi', () => ({
    data: [
      { t: 0, url: 'https://k.example/', title: 'K' },
      { t: 1, list: ['other'] },
    ],
  }));
  assert.deepEqual(urls(results), ['https://k.example/']);
  assert.equal(first().headers.authorization, 'Bot secret-key');
});

test('marginalia: pages from 1', async () => {
  const results = await search('marginalia', () => ({
    results: [{ url: 'https://n.example/', title: 'N' }],
  }));
  assert.deepEqual(urls(results), ['https://n.example/']);
  assert.equal(parameter('page'), '1');
  assert.equal(first().headers['api-key'], 'secret-key');
});

test('searxng: asked on until a page is empty', async () => {
  const results = await search(
    'searxng',
    ({ url }) => {
      const page = Number(url.searchParams.get('pageno'));
      return { results: page > 3 ? [] : [{ url: `https://s.example/${page}`, content: 'text' }] };
    },
    { url: `${origin}/instance/` },
  );
  assert.equal(results.length, 3);
  assert.equal(first().url.pathname, '/instance/search');
  assert.equal(parameter('format'), 'json');
});

const description = (type: string, template: string) =>
  `<?xml version="1.0"?><OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
    <Url type="text/html" template="${origin}/html?q={searchTerms}"/>
    <Url type="${type}" template="${origin}${template.replaceAll('&', '&amp;')}" indexOffset="0"/></OpenSearchDescription>`;

test('opensearch: the described template is filled, RSS is read', async () => {
  const results = await search('opensearch', ({ url }) =>
    url.pathname === '/api'
      ? description(
          'application/rss+xml',
          '/rss?q={searchTerms}&from={startIndex?}&n={count?}&x={custom:thing?}',
        )
      : url.searchParams.get('from') === '0'
        ? `<rss version="2.0"><channel><title>R</title><item><title>One</title><link>https://o.example/1</link>
           <description>&lt;b&gt;Bold&lt;/b&gt; words</description></item></channel></rss>`
        : '<rss version="2.0"><channel><title>R</title></channel></rss>',
  );
  assert.deepEqual(results, [{ url: 'https://o.example/1', title: 'One', snippet: 'Bold words' }]);
  assert.equal(seen[1]?.url.searchParams.get('q'), 'Cloud Project CP');
  assert.equal(seen[1]?.url.searchParams.get('x'), '');
});

test('opensearch: Atom without paging is asked once', async () => {
  const results = await search('opensearch', ({ url }) =>
    url.pathname === '/api'
      ? description('application/atom+xml; charset=utf-8', '/atom/{searchTerms}')
      : `<feed xmlns="http://www.w3.org/2005/Atom"><entry><title>Two</title>
         <link rel="self" href="/self"/><link href="/two"/></entry></feed>`,
  );
  assert.deepEqual(urls(results), [`${origin}/two`]);
  assert.equal(seen.length, 2);
});

test('garner: any of the words, the link of the record before its page', async () => {
  const results = await search(
    'garner',
    () => ({
      hits: [
        {
          url: 'https://g.example/items/1',
          fields: { title: ['One'], link: ['ftp://x/', 'https://data.example/1'] },
        },
        { url: 'https://g.example/items/2', fields: { title: ['Two'], type: ['Dataset'] } },
      ],
    }),
    { url: origin },
  );
  assert.deepEqual(urls(results), ['https://data.example/1', 'https://g.example/items/2']);
  assert.equal(results[1]?.work, 'dataset');
  assert.equal(parameter('q'), 'Cloud OR Project OR CP');
});

test('common-crawl: the newest index; addresses with most words first; a domain without captures is empty', async () => {
  const results = await search(
    'common-crawl',
    ({ url }) => {
      if (url.pathname === '/api')
        return JSON.stringify([{ id: 'CC-NEW', 'cdx-api': `${origin}/CC-NEW-index` }]);
      if (url.searchParams.get('url') === '*.empty.example') return [404, { message: 'No Captures found' }];
      return [
        { url: 'https://c.example/cloud', status: '200', 'mime-detected': 'text/html' },
        { url: 'https://c.example/cloud-project', status: '200', 'mime-detected': 'application/pdf' },
        { url: 'https://c.example/moved-cloud', status: '301' },
      ]
        .map((line) => JSON.stringify(line))
        .join('\n');
    },
    { domains: ['empty.example', 'c.example'] },
  );
  assert.deepEqual(results, [
    { url: 'https://c.example/cloud-project', mediaType: 'application/pdf' },
    { url: 'https://c.example/cloud', mediaType: 'text/html' },
  ]);
});

interface LibraryCase {
  readonly kind: keyof typeof ENGINES;
  readonly answer: object | string;
  readonly found: EngineResult;
  /** What the request must have said. */
  readonly asked?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
}

const LIBRARIES: readonly LibraryCase[] = [
  {
    kind: 'openalex',
    answer: {
      meta: { count: 1 },
      results: [
        {
          id: 'https://openalex.org/W1',
          doi: 'https://doi.org/10.1234/AB',
          title: 'A work',
          type: 'article',
        },
      ],
    },
    found: { url: 'https://doi.org/10.1234/ab', title: 'A work', work: 'article', doi: '10.1234/ab' },
    asked: { search: 'Cloud Project CP', page: '1' },
  },
  {
    kind: 'crossref',
    answer: {
      message: {
        'total-results': 1,
        items: [{ DOI: '10.1234/c', title: ['A <i>work</i>'], type: 'journal-article' }],
      },
    },
    found: { url: 'https://doi.org/10.1234/c', title: 'A work', work: 'article', doi: '10.1234/c' },
    asked: { query: 'Cloud Project CP', offset: '0' },
  },
  {
    kind: 'datacite',
    answer: {
      data: [
        {
          id: '10.1234/d',
          attributes: {
            doi: '10.1234/d',
            titles: [{ title: 'Data' }],
            types: { resourceTypeGeneral: 'Dataset' },
          },
        },
      ],
    },
    found: { url: 'https://doi.org/10.1234/d', title: 'Data', work: 'dataset', doi: '10.1234/d' },
    asked: { 'page[number]': '1', query: 'Cloud OR Project OR CP' },
  },
  {
    kind: 'arxiv',
    answer: `<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>http://arxiv.org/abs/2001.00001v1</id>
      <title>A
      preprint</title><summary>About.</summary><link href="http://arxiv.org/abs/2001.00001v1" rel="alternate"/>
      <link title="pdf" href="http://arxiv.org/pdf/2001.00001v1" rel="related"/></entry></feed>`,
    found: {
      url: 'http://arxiv.org/abs/2001.00001v1',
      title: 'A preprint',
      snippet: 'About.',
      work: 'article',
    },
    asked: { search_query: 'all:Cloud OR all:Project OR all:CP', start: '0' },
  },
  {
    kind: 'ads',
    answer: {
      response: {
        numFound: 1,
        docs: [{ bibcode: '1983BAMS...64..779S', title: ['ISCCP'], doctype: 'article' }],
      },
    },
    found: {
      url: 'https://ui.adsabs.harvard.edu/abs/1983BAMS...64..779S/abstract',
      title: 'ISCCP',
      work: 'article',
    },
    headers: { authorization: 'Bearer secret-key' },
  },
  {
    kind: 'semantic-scholar',
    answer: {
      total: 1,
      data: [
        { url: 'https://www.semanticscholar.org/paper/1', title: 'S', publicationTypes: ['JournalArticle'] },
      ],
    },
    found: { url: 'https://www.semanticscholar.org/paper/1', title: 'S', work: 'article' },
    headers: { 'x-api-key': 'secret-key' },
  },
  {
    kind: 'europe-pmc',
    answer: {
      hitCount: 1,
      resultList: { result: [{ id: '77', source: 'MED', title: 'E', pubType: 'journal article' }] },
    },
    found: { url: 'https://europepmc.org/article/MED/77', title: 'E', work: 'article' },
    asked: { cursorMark: '*', format: 'json' },
  },
  {
    kind: 'core',
    answer: {
      totalHits: 1,
      results: [{ id: 5, title: 'C', links: [{ type: 'display', url: 'https://core.ac.uk/works/5' }] }],
    },
    found: { url: 'https://core.ac.uk/works/5', title: 'C', work: 'article' },
    headers: { authorization: 'Bearer secret-key' },
  },
  {
    kind: 'doaj',
    answer: {
      total: 1,
      results: [{ id: 'x', bibjson: { title: 'J', identifier: [{ type: 'doi', id: '10.1234/j' }] } }],
    },
    found: { url: 'https://doi.org/10.1234/j', title: 'J', work: 'article', doi: '10.1234/j' },
    asked: { page: '1' },
  },
  {
    kind: 'scopus',
    answer: {
      'search-results': {
        'opensearch:totalResults': '1',
        entry: [{ 'dc:title': 'P', 'prism:doi': '10.1234/p', subtypeDescription: 'Article' }],
      },
    },
    found: { url: 'https://doi.org/10.1234/p', title: 'P', work: 'article', doi: '10.1234/p' },
    headers: { 'x-els-apikey': 'secret-key' },
  },
  {
    kind: 'sciencedirect',
    answer: {
      resultsFound: 1,
      results: [{ doi: '10.1234/s', title: 'S', uri: 'https://www.sciencedirect.com/s' }],
    },
    found: { url: 'https://doi.org/10.1234/s', title: 'S', work: 'article', doi: '10.1234/s' },
    headers: { 'x-els-apikey': 'secret-key' },
  },
  {
    kind: 'web-of-science',
    answer: {
      metadata: { total: 1 },
      hits: [
        { uid: 'WOS:1', title: 'W', types: ['Article'], links: { record: 'https://www.webofscience.com/1' } },
      ],
    },
    found: { url: 'https://www.webofscience.com/1', title: 'W', work: 'article' },
    asked: { q: 'TS=(Cloud OR Project OR CP)' },
    headers: { 'x-apikey': 'secret-key' },
  },
];

for (const { kind, answer, found, asked = {}, headers = {} } of LIBRARIES)
  test(`${kind}: its documented answer is read, and it is asked as documented`, async () => {
    assert.deepEqual(await search(kind, () => answer), [found]);
    for (const [name, value] of Object.entries(asked)) assert.equal(parameter(name), value, name);
    for (const [name, value] of Object.entries(headers)) assert.equal(first().headers[name], value, name);
  });

test('sciencedirect: asked by PUT, for one of the numbers that it knows', async () => {
  await search('sciencedirect', () => ({ results: [] }), { count: 30 });
  assert.equal(first().method, 'PUT');
  assert.deepEqual(JSON.parse(first().body), {
    qs: 'Cloud OR Project OR CP',
    display: { offset: 0, show: 50, sortBy: 'relevance' },
  });
});

test('scopus: the entry that says “empty” is no result', async () => {
  assert.deepEqual(
    await search('scopus', () => ({ 'search-results': { entry: [{ error: 'Result set was empty' }] } })),
    [],
  );
});

test('europe-pmc: pages follow the cursor', async () => {
  const results = await search(
    'europe-pmc',
    ({ url }) => {
      const isFirst = url.searchParams.get('cursorMark') === '*';
      return {
        nextCursorMark: 'next+mark',
        resultList: { result: isFirst ? [{ id: '1', source: 'MED', title: 'a' }] : [] },
      };
    },
    { count: 5 },
  );
  assert.equal(results.length, 1);
  assert.equal(seen[1]?.url.searchParams.get('cursorMark'), 'next+mark');
});

for (const kind of Object.keys(ENGINES) as (keyof typeof ENGINES)[])
  test(`${kind}: a login page is told as such, an error status by its number, never with the key`, async () => {
    const settings = { domains: ['c.example'], engineId: 'e' };
    const isOurs = (pattern: RegExp) => (error: unknown) => {
      assert.ok(error instanceof GarnerError, String(error));
      assert.match(error.message, pattern);
      assert.doesNotMatch(JSON.stringify([error.message, error.details]), /secret-key/);
      return true;
    };
    await assert.rejects(
      search(kind, () => '<html><body>Please log in</body></html>', settings),
      isOurs(/something else than results|JSON/),
    );
    await assert.rejects(
      search(kind, () => [503, 'busy'], settings),
      isOurs(/status 503/),
    );
  });

test('parameters of the config go with every request', async () => {
  await search('crossref', () => ({ message: { items: [] } }), { parameters: { filter: 'type:dataset' } });
  assert.equal(parameter('filter'), 'type:dataset');
});
