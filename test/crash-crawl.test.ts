/**
 * Kill -9 at any moment of a crawl: the next one goes on where the last commit was. At the end every page is
 * in the archive exactly once, and no archive file has a torn record. `GARNER_KILLS` chooses how often.
 */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { captureOf, readArchive } from '../src/archive/index.ts';
import { OPERATOR } from '../src/core/access.ts';
import { anchors, openWebStore, sendHtml, serveSite } from '../src/crawl/site.fixture.ts';
import { outcomeOf, runGarner, startGarner, temporaryFolder } from './garner-process.ts';

const KILLS = Number(process.env.GARNER_KILLS ?? 30);
const PAGES = 1500;

test(`after ${KILLS} kills every page is captured once, and the archive is whole`, async (t) => {
  const folder = temporaryFolder(t);
  // In each life so many answers and no more, however fast the machine is: the site lasts until the last kill.
  let answered = 0;
  let allowed = 0;
  const site = await serveSite((request, response) => {
    if (answered >= allowed) return;
    answered++;
    const page = Number(/^\/p(\d+)$/.exec(request.url ?? '')?.[1] ?? Number.NaN);
    const answer = () => {
      if (request.url === '/robots.txt') response.end('User-agent: *\nDisallow:');
      else if (request.url?.endsWith('.css'))
        response.writeHead(200, { 'content-type': 'text/css' }).end('b{}');
      else if (Number.isNaN(page)) response.writeHead(404).end();
      // Who lost the cookie of the first page in a crash comes no further.
      else if (page > 0 && request.headers.cookie !== 'visitor=1') response.writeHead(403).end();
      else
        sendHtml(
          response,
          `<link rel=stylesheet href=/${page % 50}.css><p>Page ${page}</p>${anchors(`/p${(2 * page + 1) % PAGES}`, `/p${(2 * page + 2) % PAGES}`, '/p0')}`,
          page === 0 ? { 'set-cookie': 'visitor=1; Path=/' } : {},
        );
    };
    setTimeout(answer, 4);
  });
  t.after(() => site.close());
  const args = [
    'crawl',
    `${site.url('127.0.0.1', '/p0')}`,
    '--allow-private',
    '--delay',
    '0',
    '--per-host',
    '8',
  ];
  let seed = 20261115;
  const random = () => {
    seed = (seed * 1103515245 + 12345) & 0x7fffffff;
    return seed / 0x7fffffff;
  };
  let killed = 0;
  for (let life = 0; life < KILLS; life++) {
    allowed = Math.min(PAGES, answered + Math.ceil((random() * 1.5 * PAGES) / KILLS));
    const child = startGarner(folder, args);
    const outcome = outcomeOf(child);
    while (child.exitCode === null && answered < allowed) await delay(2);
    await delay(random() * 80);
    child.kill('SIGKILL');
    if ((await outcome).signal === 'SIGKILL') killed++;
  }
  allowed = Number.POSITIVE_INFINITY;
  const last = await runGarner(folder, ...args, '--json');
  assert.equal(last.code, 0, last.stderr + last.stdout);
  assert.equal(killed, KILLS, 'every crawl was running when it was killed');
  t.diagnostic(`${site.hits.length} requests for ${PAGES + 51} URLs`);

  const expected = [
    '/robots.txt',
    ...Array.from({ length: PAGES }, (_, i) => `/p${i}`),
    ...Array.from({ length: 50 }, (_, i) => `/${i}.css`),
  ]
    .map((path) => site.url('127.0.0.1', path))
    .sort();
  const archive = join(folder, 'garner-data', 'archive', 'web');
  const inFiles: string[] = [];
  const places = new Set<string>();
  for (const name of readdirSync(archive).sort())
    for await (const event of readArchive(join(archive, name), { verify: true })) {
      assert.equal(event.kind, 'record', JSON.stringify(event));
      if (event.kind !== 'record') continue;
      if (event.type === 'response') assert.equal(event.http?.status, 200, event.targetUri);
      assert.ok(!event.truncated && event.verdicts?.every(({ result }) => result !== 'wrong'));
      const capture = captureOf(event, name);
      if (!capture) continue;
      inFiles.push(capture.url);
      places.add(`${name}@${capture.offset} ${capture.url}`);
    }
  assert.deepEqual(inFiles.sort(), expected);

  const store = await openWebStore(join(folder, 'garner-data'));
  try {
    const indexed = await store.captures.list({ urlKey: '', match: 'prefix', limit: 100_000 }, OPERATOR);
    assert.deepEqual(new Set(indexed.map(({ file, offset, url }) => `${file}@${offset} ${url}`)), places);
    assert.equal(indexed.length, expected.length);
  } finally {
    await store.close();
  }
  const verified = await runGarner(folder, 'verify', '--json');
  assert.equal(verified.code, 0, verified.stdout);
});
