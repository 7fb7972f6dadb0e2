import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { ANONYMOUS } from '../../core/access.ts';
import { GarnerError } from '../../core/errors.ts';
import type { Profile } from '../../formats/oodt-profile/profile.ts';
import { writeProfiles } from '../../formats/oodt-profile/write-xml.ts';
import type { QueryNode } from '../../query/ast.ts';
import { parseDis } from '../../query/dis/parse-dis.ts';
import { randomProducts, randomQuery } from '../aggregate/random-profiles.fixture.ts';
import { compileProfileTest } from '../profile/match-profile.ts';
import type { ServerAnswer } from './exchange.ts';
import { createNetwork, type NetworkAnswer } from './network.ts';
import {
  LIMITS,
  type SimulatedServer,
  serverOf,
  serverUrl,
  simulateNetwork,
} from './simulated-network.fixture.ts';

const idOf = ({ prof }: Profile) => prof.profId?.[0] ?? '';
const collect = (server: SimulatedServer, query: QueryNode, limit = 1000): Promise<NetworkAnswer> =>
  server.network.collect({ query, limit }, ANONYMOUS, new AbortController().signal);
const ask = (server: SimulatedServer, dis: string, limit?: number) =>
  collect(server, parseDis(dis).query, limit);
const idsOf = ({ profiles }: NetworkAnswer) => profiles.map(({ profile }) => idOf(profile)).sort();
const statesOf = ({ servers }: NetworkAnswer) =>
  Object.fromEntries(
    servers.map(({ server, state }) => [
      server === '' ? 'here' : new URL(server).hostname.split('.')[0],
      state,
    ]),
  );

const product = (id: string, target: string, exposure = '10'): Profile => ({
  prof: { profId: [id] },
  res: { Identifier: [`test:${id}`], resClass: ['data.product'] },
  elements: [
    { elemName: ['TARGET_NAME'], elemType: ['CHARACTER'], elemValue: [target] },
    { elemName: ['EXPOSURE'], elemType: ['REAL'], elemValue: [exposure] },
  ],
});
const ok = (body: string): ServerAnswer => ({ status: 200, body: Buffer.from(body), isPrivate: true });
const never = () => new Promise<ServerAnswer>(() => {});

/** Time stands still; it passes when everything that needs no time is done, which is a matter of turns. */
function holdTime(t: TestContext): (ms: number) => Promise<void> {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  return async (ms) => {
    for (let turn = 0; turn < 100; turn++) await nextTurn();
    t.mock.timers.tick(ms);
  };
}

test('for random servers, products and queries with NOT the answer is that of a scan of all products', async () => {
  const graph = fc.tuple(
    randomProducts,
    fc.array(fc.tuple(fc.nat(4), fc.nat(4)), { maxLength: 8 }),
    fc.array(fc.nat(4), { maxLength: 12 }),
    fc.array(randomQuery, { minLength: 6, maxLength: 10 }),
  );
  await fc.assert(
    fc.asyncProperty(graph, async ([products, edges, refreshes, queries]) => {
      const network = simulateNetwork();
      const servers = Array.from({ length: 5 }, (_, n) => {
        const own = products.filter((_one, i) => i % 5 === n);
        const peers = edges.flatMap(([from, to]) => (from === n ? [`s${to}`] : []));
        return network.add(`s${n}`, own, [...new Set(peers)]);
      });
      // Servers know as much of each other as they happened to hear.
      for (const n of refreshes) await servers[n]?.network.refresh();
      const reached = new Set([0]);
      for (const n of reached) for (const [from, to] of edges) if (from === n) reached.add(to);
      for (const query of queries) {
        const expected = products
          .filter((_one, i) => reached.has(i % 5))
          .filter(compileProfileTest(query))
          .map(idOf);
        const answer = await collect(servers[0]!, query);
        assert.deepEqual(idsOf(answer), expected.sort());
        assert.ok(answer.complete);
      }
    }),
    { numRuns: 60 },
  );
});

describe('a question to the network', () => {
  test('reaches only servers that can have a match, over several steps, and each once', async () => {
    const network = simulateNetwork();
    network.add('far', [product('f1', 'IO'), product('f2', 'MARS')], ['top']);
    network.add('near', [product('n1', 'VENUS')], ['far', 'top']);
    network.add('other', [product('o1', 'MARS')], ['far']);
    const top = network.add('top', [product('t1', 'IO')], ['near', 'other']);
    // What is far away is heard of step by step.
    for (let i = 0; i < 3; i++) for (const { network: one } of network.servers.values()) await one.refresh();
    const answer = await ask(top, 'TARGET_NAME = IO');
    assert.deepEqual(idsOf(answer), ['f1', 't1']);
    assert.deepEqual(statesOf(answer), {
      here: 'answered',
      near: 'pruned',
      other: 'pruned',
      far: 'answered',
    });
    const asked = [...network.servers.values()].filter((server) => server.asked > 0);
    assert.deepEqual(
      asked.map(({ url }) => url),
      [serverUrl('far')],
    );
    assert.equal(network.servers.get(serverUrl('far'))?.asked, 1);
    assert.ok(answer.complete);
  });

  test('NOT reaches servers without the attribute', async () => {
    const network = simulateNetwork();
    const bare = { ...product('b1', 'IO'), elements: [] };
    network.add('bare', [bare], []);
    const top = network.add('top', [], ['bare']);
    assert.deepEqual(idsOf(await ask(top, 'NOT TARGET_NAME = IO')), ['b1']);
    assert.deepEqual(idsOf(await ask(top, 'TARGET_NAME = IO')), []);
  });

  test('the others stand when one hangs, one is dead, one sends garbage and one an error', async (t) => {
    const pass = holdTime(t);
    const network = simulateNetwork();
    const names = ['hangs', 'dead', 'garbage', 'error', 'fine'];
    for (const name of names) network.add(name, [product(name, 'IO')], []);
    const top = network.add('top', [], names);
    await top.network.refresh();
    const set = (name: string, behaviour: SimulatedServer['behaviour']) => {
      const server = network.servers.get(serverUrl(name));
      if (server) server.behaviour = behaviour;
    };
    set('hangs', never);
    set('dead', async () => {
      throw new GarnerError('http.unreachable', 'ECONNREFUSED');
    });
    set('garbage', async () => ok('<html><body>Please log in</body>'));
    set('error', async () => ({ ...ok(''), status: 500 }));
    const asking = ask(top, 'TARGET_NAME = IO');
    await pass(LIMITS.serverTimeoutMs);
    const answer = await asking;
    assert.deepEqual(idsOf(answer), ['fine']);
    assert.deepEqual(statesOf(answer), {
      here: 'answered',
      hangs: 'timeout',
      dead: 'failed',
      garbage: 'failed',
      error: 'failed',
      fine: 'answered',
    });
    assert.equal(answer.complete, false);
    const garbage = answer.servers.find(({ server }) => server === serverUrl('garbage'));
    assert.equal(garbage?.code, 'xml.malformed');
  });

  test('what is behind a dead server is still found, also behind two of them', async () => {
    const network = simulateNetwork();
    const leaf = network.add('leaf', [product('l1', 'IO')], []);
    const below = network.add('below', [product('b1', 'IO')], ['leaf']);
    const above = network.add('above', [product('a1', 'IO')], ['below']);
    const top = network.add('top', [], ['above']);
    for (const server of [leaf, below, above, top]) await server.network.refresh();
    for (const server of [above, below])
      server.behaviour = async () => {
        throw new GarnerError('http.unreachable', 'ECONNREFUSED');
      };
    const answer = await ask(top, 'TARGET_NAME = IO');
    assert.deepEqual(idsOf(answer), ['l1']);
    assert.deepEqual(statesOf(answer), {
      here: 'answered',
      above: 'failed',
      below: 'failed',
      leaf: 'answered',
    });
  });

  test('a server that names ever new servers is held by the limit of steps', async () => {
    const network = simulateNetwork({ limits: { ...LIMITS, hops: 3 } });
    const top = network.add('top', [product('t', 'IO')], ['maze']);
    const maze = network.add('maze', [], []);
    let doors = 0;
    const lead = async () =>
      ok(
        writeProfiles([
          {
            prof: { profId: ['x'] },
            res: { resClass: ['system.profileServer.all'], resLocation: [serverUrl(`door${++doors}`)] },
            elements: [],
          },
        ]),
      );
    maze.behaviour = lead;
    for (let n = 1; n < 10; n++) network.add(`door${n}`, [], []).behaviour = lead;
    const answer = await ask(top, 'TARGET_NAME = IO');
    assert.deepEqual(idsOf(answer), ['t']);
    assert.ok(answer.servers.some(({ state }) => state === 'too-far'));
    assert.ok(doors <= 6, `${doors}`);
  });

  test('ends with what there is when the time for the whole is over', async (t) => {
    const pass = holdTime(t);
    const limits = { ...LIMITS, totalTimeoutMs: 150, concurrency: 1 };
    const network = simulateNetwork({ limits });
    for (const name of ['one', 'two']) network.add(name, [product(name, 'IO')], []).behaviour = never;
    const top = network.add('top', [product('t', 'IO')], ['one', 'two']);
    const asking = ask(top, 'TARGET_NAME = IO');
    await pass(limits.totalTimeoutMs);
    const answer = await asking;
    assert.deepEqual(idsOf(answer), ['t']);
    assert.deepEqual(statesOf(answer), { here: 'answered', one: 'timeout', two: 'not-reached' });
  });

  test('a server that has not gathered its profiles yet is asked whatever is wanted', async () => {
    const network = simulateNetwork();
    const own = [product('m', 'IO')];
    const middle = network.add('middle', own, []);
    const behind = createNetwork({
      ...network.depsOf('middle', own, []),
      local: { ...serverOf(own), findRoot: () => 'unknown' },
    });
    middle.behaviour = async (url) =>
      url.searchParams.has('q') ? middle.answer(url, undefined) : ok(writeProfiles(await behind.describe()));
    const answer = await ask(network.add('top', [], ['middle']), 'TARGET_NAME = IO');
    assert.deepEqual(idsOf(answer), ['m']);
  });

  test('servers that are slow keep no others waiting', async (t) => {
    const pass = holdTime(t);
    const limits = { ...LIMITS, concurrency: 1 };
    const network = simulateNetwork({ limits });
    const hanging = ['one', 'two', 'three'];
    for (const name of hanging) network.add(name, [product(name, 'IO')], []).behaviour = never;
    network.add('last', [product('l', 'IO')], []);
    const asking = ask(network.add('top', [], [...hanging, 'last']), 'TARGET_NAME = IO');
    // Nobody's time is over before the last was asked.
    for (const _ of hanging) await pass(limits.serverTimeoutMs / 10);
    await pass(limits.serverTimeoutMs);
    const answer = await asking;
    assert.deepEqual(idsOf(answer), ['l']);
    assert.equal(statesOf(answer).last, 'answered');
  });

  test('the time for the whole is kept by the clock where timers come too late', async () => {
    let now = 0;
    // All of them answer at once, so that no timer ever gets its turn; each takes half a second of the clock.
    const limits = { ...LIMITS, totalTimeoutMs: 2000, concurrency: 1 };
    const network = simulateNetwork({ clock: () => now, limits });
    const names = Array.from({ length: 9 }, (_, n) => `s${n}`);
    for (const name of names) {
      const server = network.add(name, [product(name, 'IO')], []);
      server.behaviour = async (url) => {
        if (url.searchParams.has('q')) now += 500;
        return server.answer(url, undefined);
      };
    }
    const answer = await ask(network.add('top', [], names), 'TARGET_NAME = IO');
    assert.deepEqual(idsOf(answer), ['s0', 's1', 's2', 's3']);
    assert.equal(answer.complete, false);
    assert.deepEqual(Object.values(statesOf(answer)).filter((state) => state === 'not-reached').length, 5);
  });

  test('a store that hangs here does not hold back what others found', async (t) => {
    const pass = holdTime(t);
    const network = simulateNetwork();
    network.add('other', [product('o', 'IO')], []);
    const top = createNetwork({
      ...network.depsOf('top', [], ['other']),
      local: { ...serverOf([]), find: () => new Promise(() => {}) },
    });
    const asking = top.collect(
      { query: parseDis('TARGET_NAME = IO').query, limit: 10 },
      ANONYMOUS,
      new AbortController().signal,
    );
    await pass(LIMITS.totalTimeoutMs);
    const answer = await asking;
    assert.deepEqual(idsOf(answer), ['o']);
    assert.deepEqual(statesOf(answer), { here: 'timeout', other: 'answered' });
  });

  test('what does not fit comes last and is told of, and what comes twice counts once', async () => {
    const network = simulateNetwork();
    network.add('honest', [product('h1', 'IO'), product('same', 'IO')], []);
    network.add('mirror', [product('same', 'IO')], []);
    network.add('liar', [product('x', 'IO')], []).behaviour = async (url) =>
      url.searchParams.has('q')
        ? ok(writeProfiles([product('advert', 'SHOES')]))
        : { ...ok(''), status: 400 };
    const top = network.add('top', [], ['liar', 'honest', 'mirror']);
    const answer = await ask(top, 'TARGET_NAME = IO');
    assert.deepEqual(
      answer.profiles.map(({ profile, verified }) => [idOf(profile), verified]),
      [
        ['same', true],
        ['h1', true],
        ['advert', false],
      ],
    );
    assert.equal(answer.duplicates, 1);
    assert.equal(answer.servers.find(({ server }) => server === serverUrl('liar'))?.unverified, 1);
  });

  test('a liar cannot hide another server by speaking for it', async () => {
    const network = simulateNetwork();
    network.add('victim', [product('v1', 'IO')], []);
    const claim = (aggregated: string, note: string[]): Profile => ({
      prof: { profId: ['x'], profRevisionNote: ['garner: every attribute is told', ...note] },
      res: { resClass: ['system.profileServer.all'], resLocation: [serverUrl('victim')] },
      elements: [{ elemName: ['TARGET_NAME'], elemValue: [aggregated] }],
    });
    network.add('liar', [], []).behaviour = async () =>
      ok(writeProfiles([claim('NOTHING', []), claim('NOTHING', ['garner: of this server itself'])]));
    const top = network.add('top', [], ['liar', 'victim']);
    assert.deepEqual(idsOf(await ask(top, 'TARGET_NAME = IO')), ['v1']);
  });

  test('an older server is asked for what it has, and its profiles of servers are followed', async () => {
    const network = simulateNetwork();
    network.add('store', [product('s1', 'IO')], []);
    const root: Profile = {
      prof: { profId: ['root'] },
      res: { resClass: ['system.profileServer.dataSet'], resLocation: [serverUrl('store')] },
      elements: [{ elemName: ['INSTRUMENT_ID'], elemValue: ['SSI'] }],
    };
    network.add('old', [], []).behaviour = async (url) =>
      url.searchParams.has('q') ? ok(writeProfiles([product('o1', 'IO'), root])) : { ...ok(''), status: 400 };
    const top = network.add('top', [], ['old']);
    const answer = await ask(top, 'TARGET_NAME = IO');
    // The profile of the server says nothing of targets: that does not mean that there are none.
    assert.deepEqual(idsOf(answer), ['o1', 's1']);
  });

  test('an older server is asked for what it surely understands, and what it gives is looked at here', async () => {
    const network = simulateNetwork();
    const asked: string[] = [];
    network.add('old', [], []).behaviour = async (url) => {
      const q = url.searchParams.get('q');
      if (q === null) return { ...ok(''), status: 400 };
      asked.push(q);
      return ok(writeProfiles([product('o1', 'IO'), product('o2', 'EUROPA')]));
    };
    const top = network.add('top', [], ['old']);
    const found = await ask(top, 'identifier = o1 AND NOT TARGET_NAME = io OR TARGET_NAME > F');
    assert.deepEqual(idsOf(found), ['o1']);
    assert.deepEqual(idsOf(await ask(top, 'target_name LIKE E% AND (profid = o2 OR PROFID = O3)')), ['o2']);
    assert.deepEqual(asked, ['RETURN = profId', '(profId = o2 OR profId = O2) OR profId = O3']);
  });

  test('the attributes of all servers are known, unless one of them tells nothing', async () => {
    const network = simulateNetwork();
    network.add('one', [product('1', 'IO')], []);
    const top = network.add('top', [], ['one']);
    await ask(top, 'TARGET_NAME = IO');
    assert.ok(top.network.listAttributes()?.includes('target_name'));
    network.add('silent', [], []).behaviour = async () => ({ ...ok(''), status: 400 });
    const other = network.add('other', [], ['one', 'silent']);
    await ask(other, 'TARGET_NAME = IO');
    assert.equal(other.network.listAttributes(), undefined);
  });

  test('tells when there is more than was asked for', async () => {
    const network = simulateNetwork();
    network.add(
      'many',
      ['1', '2', '3'].map((id) => product(id, 'IO')),
      [],
    );
    const top = network.add('top', [], ['many']);
    const answer = await ask(top, 'TARGET_NAME = IO', 2);
    assert.equal(answer.profiles.length, 2);
    assert.equal(statesOf(answer).many, 'more');
    assert.equal(answer.complete, false);
  });

  test('a server that failed three times is left alone for a while, and then tried once', async () => {
    let now = 0;
    const network = simulateNetwork({ clock: () => now });
    const ill = network.add('ill', [product('i1', 'IO')], []);
    const top = network.add('top', [], ['ill']);
    await top.network.refresh();
    ill.behaviour = async () => ({ ...ok(''), status: 503 });
    for (let i = 0; i < 3; i++) await ask(top, 'TARGET_NAME = IO');
    assert.equal(ill.asked, 3);
    assert.equal(statesOf(await ask(top, 'TARGET_NAME = IO')).ill, 'resting');
    assert.equal(ill.asked, 3);
    assert.equal(statesOf(await ask(top, 'TARGET_NAME = MARS')).ill, 'pruned', 'its profile is known');
    now += 31_000;
    ill.behaviour = undefined;
    assert.deepEqual(idsOf(await ask(top, 'TARGET_NAME = IO')), ['i1']);
    assert.equal(statesOf(await ask(top, 'TARGET_NAME = IO')).ill, 'answered');
  });

  test('profiles of servers are kept, and validated when they are old', async () => {
    let now = 0;
    const network = simulateNetwork({ clock: () => now });
    const below = network.add('below', [product('b1', 'IO')], []);
    const top = network.add('top', [], ['below']);
    const statuses: number[] = [];
    const { answer } = below;
    below.answer = async (url, etag) => {
      const given = await answer(url, etag);
      if (!url.searchParams.has('q')) statuses.push(given.status);
      return given;
    };
    for (let i = 0; i < 3; i++) await ask(top, 'TARGET_NAME = IO');
    assert.deepEqual(statuses, [200]);
    now += LIMITS.maxAgeMs;
    assert.deepEqual(idsOf(await ask(top, 'TARGET_NAME = IO')), ['b1']);
    assert.deepEqual(statuses, [200, 304]);
  });

  test('a question that nobody waits for any more is given up', async () => {
    const network = simulateNetwork();
    const hangs = network.add('hangs', [product('h', 'IO')], []);
    const top = network.add('top', [product('t', 'IO')], ['hangs']);
    await top.network.refresh();
    const asked = Promise.withResolvers<void>();
    const givenUp = Promise.withResolvers<void>();
    hangs.behaviour = (_url, signal) => {
      asked.resolve();
      signal.addEventListener('abort', () => givenUp.resolve());
      return never();
    };
    const { query } = parseDis('TARGET_NAME = IO');
    const events = top.network.ask({ query, limit: 10 }, ANONYMOUS, new AbortController().signal);
    for await (const event of events) {
      await asked.promise;
      if (event.type === 'profile') break;
    }
    await givenUp.promise;
  });
});
