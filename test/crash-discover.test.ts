/**
 * Kill -9 in each step of a discovery: while engines are asked, while addresses are looked at, early and late in the
 * crawl, and about when its snapshot is stored. The run after all of them ends what was begun: one list, one
 * snapshot, each page once.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { openGarner } from '../src/app.ts';
import { OPERATOR } from '../src/core/access.ts';
import { loadConfig } from '../src/core/config.ts';
import { openTopicRuns } from '../src/discover/index.ts';
import { outcomeOf, runGarner, startGarner, temporaryFolder } from './garner-process.ts';
import { page, serveTopicWeb, writeTopicConfig } from './topic-web.ts';

const PAGES = 40;
const path = (i: number) => `/p${i}`;

test('a discovery that is killed in every step is ended by the next run: nothing twice, nothing lost', async (t) => {
  const web = await serveTopicWeb();
  t.after(() => web.close());
  const paths = Array.from({ length: PAGES }, (_, i) => path(i));
  web.pages = Object.fromEntries(
    paths.map((name) => [name, page(`Cloud page ${name}`, `<p>Clouds of ${name}.</p>`)]),
  );
  web.rankings = { north: paths, south: paths.toReversed() };
  const folder = temporaryFolder(t);
  const config = loadConfig(writeTopicConfig(folder, web, { depth: PAGES, discover: `, top: ${PAGES}` }), {});
  const lists = join(folder, 'garner-data', 'topics', 'CLOUDS');
  const stateOf = () => {
    const names = unlessAbsent(() => readdirSync(lists).filter((name) => /^\d+\.json$/.test(name)));
    const newest = names.map((name) => Number(name.slice(0, -5))).sort((a, b) => b - a)[0];
    if (newest === undefined) return undefined;
    return (
      JSON.parse(readFileSync(join(lists, `${newest}.json`), 'utf8')) as {
        run: { crawl?: { state: string } };
      }
    ).run.crawl?.state;
  };

  /** Runs until the condition holds, then kills. */
  async function killWhen(isTime: () => boolean): Promise<'killed' | 'ended'> {
    const child = startGarner(folder, ['discover', 'CLOUDS']);
    const ended = outcomeOf(child);
    while (child.exitCode === null && !isTime()) await delay(1);
    child.kill('SIGKILL');
    return (await ended).signal === 'SIGKILL' ? 'killed' : 'ended';
  }
  const askedOf = (test_: RegExp) => web.asked.filter((asked) => test_.test(asked)).length;
  const crawled = () => askedOf(/^\/p\d/);
  web.onRequest = async () => {
    await delay(8);
  };

  assert.equal(await killWhen(() => askedOf(/^\/engine\/north/) > 0), 'killed');
  assert.equal(await killWhen(() => askedOf(/^look/) > 5), 'killed');
  assert.equal(await killWhen(() => crawled() > 0), 'killed');
  const enginesAsked = askedOf(/^\/engine/);
  assert.equal(await killWhen(() => crawled() > PAGES / 2), 'killed');
  // A busy machine may be too late for this one; then there is nothing left to end.
  if ((await killWhen(() => stateOf() === 'crawled')) === 'killed') {
    const last = await runGarner(folder, 'discover', 'CLOUDS', '--json');
    assert.equal(last.code, 0, last.stdout + last.stderr);
  } else t.diagnostic('it was done before it could be killed at its end');
  assert.equal(askedOf(/^\/engine/), enginesAsked, 'once the list was finished, nobody was asked again');

  const runs = openTopicRuns(config.data);
  const finished = runs
    .list('CLOUDS')
    .flatMap((id) => runs.find('CLOUDS', id) ?? [])
    .filter(({ step }) => step === 'done');
  assert.equal(finished.length, 1);
  assert.equal(finished[0]?.crawl?.state, 'done');
  assert.equal(finished[0]?.candidates.length, PAGES);
  await using garner = await openGarner(config);
  const captures = await garner.store.captures.list({ urlKey: '', match: 'prefix', limit: 1000 }, OPERATOR);
  assert.deepEqual(
    captures
      .map(({ url }) => new URL(url).pathname)
      .filter((name) => name !== '/robots.txt')
      .sort(),
    paths.toSorted(),
  );
  const snapshots = await garner.store.items.listRecords(
    { source: 'CLOUDS', set: 'CLOUDS', limit: 10, open: true },
    OPERATOR,
  );
  assert.deepEqual(
    snapshots.map(({ identifier }) => identifier),
    [finished[0]?.crawl?.snapshot],
  );
  t.diagnostic(`${web.asked.length} requests in all, ${crawled()} of them for ${PAGES} pages`);
});

function unlessAbsent(read: () => string[]): string[] {
  try {
    return read();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}
