/** `garner serve` as a keeper runs it: scheduled sources, push, notification and quality, over real processes. */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { outcomeOf, runGarner, startGarner, temporaryFolder } from './garner-process.ts';

const SECRET = 'a secret of the hook';
const TOKEN = 'the-token-of-the-keeper';

const record = (identifier: string) =>
  `<oai_dc:dc xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier>${identifier}</dc:identifier><dc:title>Record ${identifier}</dc:title><dc:date>soon</dc:date></oai_dc:dc>`;

interface Message {
  readonly signature: string;
  readonly body: string;
}

async function startHost(context: { after(work: () => void): void }) {
  const messages: Message[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    if (request.url === '/hook') {
      messages.push({ signature: String(request.headers['garner-signature']), body });
      response.writeHead(204).end();
    } else if (request.url === '/waf/') {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end(
        '<pre><a href="a.xml">a.xml</a> 2020-01-01 10:00 1K\n<a href="b.xml">b.xml</a> 2020-01-01 10:00 1K\n</pre>',
      );
    } else if (request.url?.startsWith('/waf/')) response.end(record(request.url.slice(5, 6)));
    else response.writeHead(404).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  context.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, messages };
}

async function eventually<T>(find: () => Promise<T | undefined> | T | undefined): Promise<T> {
  for (;;) {
    const found = await find();
    if (found !== undefined) return found;
    await new Promise((resolve) => {
      setTimeout(resolve, 100);
    });
  }
}

test('scheduled sources run by themselves, failures are told, records can be pushed', {
  timeout: 600_000,
}, async (context) => {
  const host = await startHost(context);
  const folder = temporaryFolder(context);
  writeFileSync(
    join(folder, 'garner.yaml'),
    `server: { port: 0 }
sources:
  folder: { kind: waf, url: "${host.url}/waf/", allowPrivate: true, schedule: "* * * * * *" }
  gone: { kind: csw, url: "${host.url}/csw", allowPrivate: true, attempts: 1, schedule: "*/2 * * * * *" }
  web: { kind: archive, urls: "${host.url}/waf/", schedule: "*/2 * * * * *", crawl: { allowPrivate: true, delayMs: 0, scope: page, robots: ignore } }
  ours: { kind: push }
runs: { jitterMs: 0, notify: { url: "${host.url}/hook", secret: "${SECRET}", allowPrivate: true } }
access: { tokens: { keeper: { secret: "${TOKEN}", role: curator } } }
`,
  );
  const serving = startGarner(folder, ['serve', '--json']);
  const ended = outcomeOf(serving);
  context.after(() => {
    serving.kill('SIGKILL');
  });
  const [line] = (await once(serving.stdout ?? assert.fail(), 'data')) as [Buffer];
  const { url } = JSON.parse(line.toString().split('\n')[0] ?? '') as { url: string };
  const getJson = async <T>(path: string) => (await (await fetch(url + path)).json()) as T;

  const total = await eventually(async () => {
    const answer = await getJson<{ total: number }>('/api/search?source=folder');
    return answer.total === 2 ? answer.total : undefined;
  });
  assert.equal(total, 2);

  const crawls = await eventually(async () => {
    const { runs } = await getJson<{ runs: { kind: string; status: string }[] }>('/api/runs?source=web');
    const ended = runs.filter(({ status }) => status !== 'running');
    return ended.length > 1 ? ended : undefined;
  });
  assert.ok(
    crawls.every(({ kind, status }) => kind === 'crawl' && status === 'complete'),
    JSON.stringify(crawls),
  );

  const message = await eventually(() => host.messages[0]);
  const [, seconds = '', mac] = /^t=(\d+),v1=([0-9a-f]+)$/.exec(message.signature) ?? [];
  assert.equal(mac, createHmac('sha256', SECRET).update(`${seconds}.${message.body}`).digest('hex'));
  const told = JSON.parse(message.body) as { event: string; run: { source: string; id: number } };
  assert.deepEqual([told.event, told.run.source], ['run.failed', 'gone']);

  const headers = { authorization: `Bearer ${TOKEN}` };
  const log = await (await fetch(`${url}/runs/${told.run.id}/log`, { headers })).text();
  assert.match(log, /"event":"run\.failed"/);
  const put = await fetch(`${url}/api/push/ours/sent/by/hand`, {
    method: 'PUT',
    headers,
    body: record('own'),
  });
  assert.equal(put.status, 201);
  assert.match(await (await fetch(`${url}/items/ours/sent/by/hand`)).text(), /Record own/);

  serving.kill('SIGTERM');
  const { code, stderr } = await ended;
  assert.equal(code, 0, stderr);

  const quality = await runGarner(folder, 'quality', 'folder', '--json');
  assert.equal(quality.code, 0, quality.stderr);
  const report = JSON.parse(quality.stdout) as {
    items: number;
    problems: { code: string; items: number }[];
    fields: { name: string; present: number }[];
  };
  assert.equal(report.items, 2);
  assert.deepEqual(
    report.problems.map(({ code: rule, items }) => [rule, items]),
    [['value.date', 2]],
  );
  assert.equal(report.fields.find(({ name }) => name === 'title')?.present, 2);
  const harvest = await runGarner(folder, 'harvest', 'folder', '--json');
  assert.equal(harvest.code, 0, harvest.stderr);
});
