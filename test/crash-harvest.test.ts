/**
 * Kill -9 at any moment of a harvest: the next one goes on where the last commit was. At the end the store
 * equals the provider, and no page was asked for again after its commit. `GARNER_KILLS` chooses how often.
 */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { outcomeOf, runGarner, startGarner, temporaryFolder } from './garner-process.ts';
import { type Behaviour, makeRecords, provider, serveProviders, stamp } from './oai-provider.ts';

const KILLS = Number(process.env.GARNER_KILLS ?? 30);
const RECORDS = 20_000;
const PAGE = 100;

/** The offset of the next page to be fetched, as the store's last commit has it. */
function committedOffset(folder: string): number | undefined {
  const db = new DatabaseSync(join(folder, 'garner-data', 'garner.sqlite'), { readOnly: true });
  try {
    const row = db.prepare('SELECT checkpoint FROM run ORDER BY id DESC LIMIT 1').get();
    if (typeof row?.checkpoint !== 'string') return undefined;
    const { state } = JSON.parse(row.checkpoint) as { state?: { token?: string } };
    return state?.token === undefined ? undefined : Number.parseInt(state.token, 10);
  } finally {
    db.close();
  }
}

test(`after ${KILLS} kills the store equals the provider, and no committed page was fetched again`, async (t) => {
  const folder = temporaryFolder(t);
  const records = makeRecords(RECORDS, (i) => ({
    datestamp: stamp(i, 1000),
    title: `Drifting ice ${i}`,
    ...(i % 10 === 9 && { deleted: true }),
  }));
  const answer = provider(records, { pageSize: PAGE, sizes: true });
  // In each life so many pages and no more, however fast the machine is: the list lasts until the last kill.
  let answered = 0;
  let allowed = 0;
  const sparing: Behaviour = (question) => {
    if (question.verb !== 'ListRecords') return answer(question);
    if (answered === allowed) return { raw: () => {} };
    answered++;
    return answer(question);
  };
  const server = await serveProviders(new Map([['/oai', sparing]]));
  t.after(() => server.close());
  writeFileSync(
    join(folder, 'garner.yaml'),
    `sources:\n  s: { kind: oai, url: "${server.url}/oai", allowPrivate: true, attempts: 2 }\n`,
  );
  let seed = 20261115;
  const random = () => {
    seed = (seed * 1103515245 + 12345) & 0x7fffffff;
    return seed / 0x7fffffff;
  };
  const listed = () => server.log.filter(({ query }) => query.startsWith('verb=ListRecords'));
  const offsetOf = (query: string) => Number(/resumptionToken=(\d+)/.exec(query)?.[1] ?? 0);
  const pages = RECORDS / PAGE;

  const marks: { readonly asked: number; readonly committed: number }[] = [];
  let killed = 0;
  for (let life = 0; life < KILLS; life++) {
    allowed = Math.min(pages - 1, answered + Math.ceil((random() * 1.6 * pages) / KILLS));
    const child = startGarner(folder, ['harvest', 's']);
    const outcome = outcomeOf(child);
    while (child.exitCode === null && answered < allowed) await delay(2);
    await delay(random() * 60);
    child.kill('SIGKILL');
    if ((await outcome).signal === 'SIGKILL') killed++;
    const committed = committedOffset(folder);
    const asked = listed().length;
    // Checked against everything that is asked for from now on.
    if (committed !== undefined) marks.push({ asked, committed });
  }
  allowed = Number.POSITIVE_INFINITY;
  const last = await runGarner(folder, 'harvest', 's', '--json');
  assert.equal(last.code, 0, last.stderr + last.stdout);
  const queries = listed().map(({ query }) => offsetOf(query));
  for (const { asked, committed } of marks)
    for (const offset of queries.slice(asked))
      assert.ok(offset >= committed, `page ${offset / PAGE} was committed before request ${asked}`);
  t.diagnostic(`${queries.length} requests for ${pages} pages`);
  assert.equal(killed, KILLS, 'every harvest was running when it was killed');

  const verified = await runGarner(folder, 'verify', '--json');
  assert.equal(verified.code, 0, verified.stdout);
  const { statistics } = JSON.parse(verified.stdout) as {
    statistics: { liveItems: number; versions: number };
  };
  const live = records.filter(({ deleted }) => !deleted);
  assert.equal(statistics.liveItems, live.length);
  assert.equal(statistics.versions, live.length);
  const search = await runGarner(folder, 'search', 'drifting', '--json');
  assert.equal((JSON.parse(search.stdout) as { total: number }).total, live.length);
});
