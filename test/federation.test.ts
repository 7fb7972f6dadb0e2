/**
 * A federation of Garners over real HTTP: a point of entry without products of its own, Galileo, Magellan, and
 * Mars Odyssey behind Magellan. The five expressions of Figure 3 of the OODT paper find what they should.
 */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerStatus } from '../src/federate/network/server-status.ts';
import { compileProfileTest } from '../src/federate/profile/match-profile.ts';
import { profileRecord } from '../src/federate/profile/profile-record.ts';
import type { Profile } from '../src/formats/oodt-profile/profile.ts';
import { readProfiles } from '../src/formats/oodt-profile/read-xml.ts';
import { parseDis } from '../src/query/dis/parse-dis.ts';
import { runGarner, temporaryFolder } from './garner-process.ts';
import {
  missionOf,
  openPlanetaryGarner,
  PATIENT,
  type PlanetaryGarner,
  PRODUCTS,
} from './planetary-garner.ts';

const products = PRODUCTS.slice(0, 900);
const of = (mission: string) => products.filter((product) => missionOf(product) === mission);
const expectedOf = (dis: string) =>
  products
    .filter(compileProfileTest(parseDis(dis).query))
    .map(({ res }) => res.Identifier?.[0] ?? '')
    .sort();

interface Answer {
  readonly profiles: readonly {
    readonly server: string;
    readonly profile: { resAttributes: { Identifier: string } };
  }[];
  readonly servers: readonly ServerStatus[];
  readonly complete: boolean;
}

describe('a federation', () => {
  let mars: PlanetaryGarner;
  let venus: PlanetaryGarner;
  let jupiter: PlanetaryGarner;
  let entry: PlanetaryGarner;

  before(async () => {
    mars = await openPlanetaryGarner({ name: 'Mars', products: of('2001 MARS ODYSSEY') });
    venus = await openPlanetaryGarner({ name: 'Venus', products: of('MAGELLAN'), peers: { mars: mars.url } });
    jupiter = await openPlanetaryGarner({ name: 'Jupiter', products: of('GALILEO') });
    entry = await openPlanetaryGarner({
      name: 'Entry',
      products: [],
      // The address of a profile server is as good as that of the Garner.
      peers: { venus: venus.url, jupiter: `${jupiter.url}/prof` },
    });
  });
  after(async () => {
    for (const one of [entry, jupiter, venus, mars]) await one?.close();
  });

  const ask = async (dis: string, accept = 'application/json') => {
    const response = await fetch(`${entry.url}/api/query?${new URLSearchParams({ q: dis, limit: '1000' })}`, {
      headers: { accept },
    });
    assert.equal(response.status, 200, await response.clone().text());
    return response;
  };
  const idsOf = async (dis: string) => {
    const answer = (await (await ask(dis)).json()) as Answer;
    assert.ok(answer.complete);
    return answer.profiles.map(({ profile }) => profile.resAttributes.Identifier).sort();
  };

  const SSI = 'GO-J/JSA-SSI-2-REDR-V1.0';
  const examples: readonly (readonly [dis: string, among: string, not?: string])[] = [
    [`IDENTIFIER=${SSI}:10I0012`, `${SSI}:10I0012`],
    ['TARGET_NAME=IO AND EXPOSURE_DURATION > 60.0', `${SSI}:24I0131`, `${SSI}:10I0012`],
    ['TARGET_NAME=IO AND NOT FILTER_NAME=RED', `${SSI}:10I0012`, `${SSI}:24I0131`],
    ['DATA_SET_ID=ODY-M-THM-2-IREDR-V1.0 AND CENTER_LONGITUDE > 359.25', 'ODY-M-THM-2-IREDR-V1.0:I008160001'],
    ['DATA_SET_ID=MGN-V-RDRS-5-DIM-V1.0 AND IMAGE_ID=FO43S181', 'MGN-V-RDRS-5-DIM-V1.0:FO43S181'],
  ];
  for (const [dis, among, not] of examples)
    test(dis, async () => {
      const found = await idsOf(dis);
      assert.deepEqual(found, expectedOf(dis));
      assert.ok(found.includes(among));
      if (not !== undefined) assert.ok(!found.includes(not));
    });

  test('asks only who can have something, and tells of every server', async () => {
    const { servers } = (await (await ask('TARGET_NAME = MARS')).json()) as Answer;
    const states = Object.fromEntries(servers.map(({ server, state }) => [server, state]));
    assert.deepEqual(states, {
      '': 'answered',
      [`${venus.url}/prof`]: 'pruned',
      [`${jupiter.url}/prof`]: 'pruned',
      [`${mars.url}/prof`]: 'answered',
    });
  });

  test('streams line by line and as events, and ends with whether that was all', async () => {
    const dis = 'TARGET_NAME=IO AND EXPOSURE_DURATION > 60.0';
    const lines = (await (await ask(dis, 'application/x-ndjson')).text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string; found?: number; complete?: boolean });
    const expected = expectedOf(dis).length;
    assert.equal(lines.filter(({ type }) => type === 'profile').length, expected);
    assert.deepEqual(lines.at(-1), { type: 'end', found: expected, complete: true });
    const events = await (await ask(dis, 'text/event-stream')).text();
    assert.equal(events.match(/^event: profile$/gm)?.length, expected);
    assert.match(events, /event: end\n/);
  });

  test('an old client gets profiles as XML, by GET and by POST', async () => {
    const q = `IDENTIFIER=${SSI}:10I0012`;
    for (const request of [
      fetch(`${entry.url}/query?${new URLSearchParams({ q })}`),
      fetch(`${entry.url}/query`, { method: 'POST', body: new URLSearchParams({ q }) }),
    ]) {
      const response = await request;
      assert.match(response.headers.get('content-type') ?? '', /^text\/xml/);
      const found = readProfiles(await response.bytes());
      assert.deepEqual(
        found.map(({ res }) => res.Identifier),
        [[`${SSI}:10I0012`]],
      );
    }
  });

  test('a mistake in an expression is told with its place', async () => {
    const response = await fetch(`${entry.url}/api/query?q=${encodeURIComponent('TARGET_NAME = IO AND')}`);
    assert.equal(response.status, 400);
    const problem = (await response.json()) as { code: string; position: number };
    assert.deepEqual([problem.code, problem.position], ['query.syntax', 20]);
    const page = await fetch(`${entry.url}/query?q=${encodeURIComponent('TARGET_NAME = IO AND')}`, {
      headers: { accept: 'text/html' },
    });
    assert.equal(page.status, 400);
    const text = await page.text();
    assert.match(text, /role="alert"/);
    assert.match(text, /value="TARGET_NAME = IO AND"/);
  });

  test('the forms of all servers are one form', async () => {
    const response = await fetch(`${entry.url}/api/guided`);
    const form = (await response.json()) as {
      total: number;
      attributes: { name: string; values: { value: string; count: number }[] }[];
    };
    assert.equal(form.total, products.length);
    const counts = Object.fromEntries(
      form.attributes
        .find(({ name }) => name === 'MISSION_NAME')
        ?.values.map(({ value, count }) => [value, count]) ?? [],
    );
    for (const mission of ['GALILEO', 'MAGELLAN', '2001 MARS ODYSSEY'])
      assert.equal(counts[mission], of(mission).length, mission);
  });

  test('garner query goes over the network, stays here with --local, and tells who was silent', async (t) => {
    const folder = temporaryFolder(t);
    const peers = [
      `    jupiter: { url: "${jupiter.url}", allowPrivate: true }`,
      '    nobody: { url: "http://127.0.0.1:9", allowPrivate: true }',
    ];
    writeFileSync(
      join(folder, 'garner.yaml'),
      [
        'repository: { name: Test, identifier: example.org, adminEmail: a@example.org }',
        'federate:',
        `  network: ${JSON.stringify(PATIENT)}`,
        '  peers:',
        ...peers,
        '',
      ].join('\n'),
    );
    const dis = `IDENTIFIER=${SSI}:10I0012`;
    const far = await runGarner(folder, 'query', dis, '--json');
    assert.equal(far.code, 3, far.stderr);
    const { profiles, servers } = JSON.parse(far.stdout) as Answer;
    assert.deepEqual(
      profiles.map(({ profile }) => profile.resAttributes.Identifier),
      [`${SSI}:10I0012`],
    );
    assert.deepEqual(Object.fromEntries(servers.map(({ title, state }) => [title, state])), {
      Test: 'answered',
      jupiter: 'answered',
      nobody: 'failed',
    });
    assert.match(far.stderr, /^nobody: failed/m);
    const here = await runGarner(folder, 'query', dis, '--json', '--local');
    assert.deepEqual([here.code, (JSON.parse(here.stdout) as { total: number }).total], [0, 0]);
  });

  test('a profile of a server among the records is followed, but not to a private address', async () => {
    const run = await entry.garner.store.runs.startRun('planets', 'test');
    const known: Profile = {
      prof: { profId: ['urn:example:server'] },
      res: {
        Identifier: ['server'],
        resClass: ['system.profileServer.dataSet'],
        resLocation: ['http://127.0.0.1:9/prof'],
      },
      elements: [{ elemName: ['TARGET_NAME'], elemEnumFlag: ['T'], elemValue: ['PLUTO'] }],
    };
    const records = [profileRecord(known, entry.garner.formats.fieldSpecs())];
    await entry.garner.store.items.commit({ source: 'planets', runId: run.id, records });
    await entry.garner.store.runs.finishRun(run.id, 'complete');
    while ((await entry.catchUp()) === 0) await sleep(100);
    const stateFor = async (dis: string) => {
      const { servers } = (await (await ask(dis)).json()) as Answer;
      return servers.find(({ server }) => server === 'http://127.0.0.1:9/prof')?.state;
    };
    assert.equal(await stateFor('TARGET_NAME = PLUTO'), 'refused');
    assert.equal(await stateFor('TARGET_NAME = IO'), 'pruned');
  });

  test('when a server is gone the others answer, and what is behind it is found', async () => {
    await venus.close();
    venus = { ...venus, close: async () => {} };
    const { profiles, servers, complete } = (await (await ask('LINES > 0')).json()) as Answer;
    const found = new Set(profiles.map(({ server }) => server));
    assert.deepEqual([...found].sort(), [`${jupiter.url}/prof`, `${mars.url}/prof`].sort());
    assert.equal(complete, false);
    assert.equal(servers.find(({ server }) => server === `${venus.url}/prof`)?.state, 'failed');
  });
});
