/** Seed 002's first use: a web server says by OAI-PMH what changed, and the crawler fetches just that. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { runGarner, temporaryFolder } from './garner-process.ts';
import { makeRecords, type ProviderRecord, provider, serveProviders } from './oai-provider.ts';

test('a crawl by feed fetches what is new or changed since the last one, and marks what is gone', async (t) => {
  const folder = temporaryFolder(t);
  const fetched: string[] = [];
  const site = createServer((request, response) => {
    fetched.push(request.url ?? '');
    response.writeHead(request.url === '/robots.txt' ? 404 : 200, { 'content-type': 'text/html' });
    response.end(`<title>Page ${request.url} at ${fetched.length}</title><a href="/never-linked-to">x</a>`);
  });
  await new Promise<void>((resolve) => {
    site.listen(0, '127.0.0.1', resolve);
  });
  t.after(() => site.close());
  const home = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;

  const second = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`;
  const startedAt = Date.now() - 3_600_000;
  let records: ProviderRecord[] = makeRecords(9, (i) => ({
    identifier: `${home}/${i}.html`,
    datestamp: second(startedAt + i * 1000),
  }));
  let nowAt = startedAt + 600_000;
  const oai = await serveProviders(
    new Map([['/oai', (question) => provider(records, { responseDate: second(nowAt) })(question)]]),
  );
  t.after(() => oai.close());
  const crawl = async () => {
    fetched.length = 0;
    const options = `--source mirror --scope page --allow-private --delay 0 --json`.split(' ');
    const outcome = await runGarner(folder, 'crawl', '--feed', `${oai.url}/oai`, ...options);
    assert.equal(outcome.code, 0, outcome.stdout + outcome.stderr);
    return fetched.filter((path) => path !== '/robots.txt').sort();
  };
  const live = async (path: string) =>
    (await runGarner(folder, 'get', `${home}${path}`, '--source', 'mirror', '--json')).code === 0;

  assert.deepEqual(
    await crawl(),
    records.map(({ identifier }) => identifier.slice(home.length)),
  );
  assert.deepEqual(await crawl(), [], 'nothing changed');

  const changedAt = second(nowAt + 60_000);
  records = [
    ...records.slice(3),
    { identifier: `${home}/0.html`, datestamp: changedAt, deleted: true },
    { identifier: `${home}/1.html`, datestamp: changedAt },
    { identifier: `${home}/new.html`, datestamp: changedAt },
  ];
  nowAt += 120_000;
  assert.deepEqual(await crawl(), ['/1.html', '/new.html']);
  assert.equal(await live('/1.html'), true);
  assert.equal(await live('/0.html'), false, 'the feed says that it is gone');
});
