/**
 * Nothing that is hidden shows in any output. Two installations have the same public things; one of them has
 * others beside them that are hidden in every way there is. Whoever may not see them gets the same answers
 * from both, to every address that can be found or guessed.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, mock, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { GUEST, type HiddenThings, openHiddenThings, STAFF, TRACES, writeWarc } from './hidden-things.ts';
import { HIDDEN_ITEMS, type WalkedAnswer, walkOutputs } from './walk-outputs.ts';

let folder: string;
let withHidden: HiddenThings;
let without: HiddenThings;

before(async () => {
  // All of one second in both: which of them share a second decides where lists are cut, and is nothing hidden.
  mock.timers.enable({ apis: ['Date'], now: Date.parse('2026-03-04T05:06:07Z') });
  folder = await mkdtemp(join(tmpdir(), 'garner-hidden-warc-'));
  const warc = await writeWarc(folder);
  [withHidden, without] = await Promise.all([openHiddenThings(true, warc), openHiddenThings(false, warc)]);
  // Lists show only seconds that are over, and profiles are gathered from lists.
  mock.timers.tick(10_000);
  await Promise.all([withHidden, without].map(untilGathered));
});

const PATIENCE_MS = 180_000;

async function untilGathered({ server }: HiddenThings): Promise<void> {
  const giveUpAt = performance.now() + PATIENCE_MS;
  for (;;) {
    const answer = await fetch(`${server.url}/prof?q=title+!%3D+nothing&gathered=true`);
    const text = await answer.text();
    if (['papers', 'web', 'site'].every((source) => text.includes(source))) break;
    assert.ok(performance.now() < giveUpAt, `not gathered: ${answer.status} ${text}`);
    await setTimeout(100);
  }
}
after(async () => {
  await withHidden?.[Symbol.asyncDispose]();
  await without?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
  mock.timers.reset();
});

/** Routes that the walk does not ask for, each with the reason why it can reveal nothing. */
const NOT_WALKED: Readonly<Record<string, string>> = {
  'GET /runs/events': 'an endless stream of numbers of runs, which /runs lists',
  'POST /login': 'tells whether a token is one',
  'POST /logout': 'takes a cookie back',
  'POST /api/rollback': 'for keepers, who may see everything',
  'PUT /api/push/:source/:identifier': 'for keepers',
  'DELETE /api/push/:source/:identifier': 'for keepers',
  'POST /api/push/:source': 'for keepers',
  'POST /topics/:acronym/marks': 'for keepers',
  'POST /api/topics/:acronym/marks': 'for keepers',
  'POST /describe/:source/:identifier': 'for keepers',
  'POST /api/describe': 'for keepers',
  'POST /prof': 'the handler of GET /prof',
  'POST /query': 'the handler of GET /query',
  'POST /prod': 'the handler of GET /prod',
};

/** Answers that differ for other reasons than what is hidden, or in a way that is known and said to be so. */
const MAY_DIFFER: readonly (readonly [RegExp, string])[] = [
  [/^\/metrics$/, 'times of requests'],
  [/^\/(?:api\/)?runs(?:\?|$)|^\/(?:api\/)?runs\/3\b|^\/(?:api\/runs\?source=|sources\/)web$/, 'no numbers'],
  [
    /^\/(?:api\/similar|items)\/(?:papers|web|site)\/[^?]*$/,
    'which words make items alike depends on all of them',
  ],
];

/** What no two installations have in common: times, and what is made of them. */
const normal = ({ status, plain }: WalkedAnswer): string =>
  `${status} ${plain}`
    .replace(/^(?:etag|content-length|date|last-modified): .*$/gim, '')
    .replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?: ?UTC|Z)?/g, 'TIME')
    .replace(/\d\d? \w{3} \d{4}, \d\d:\d\d(?::\d\d)? UTC/g, 'TIME')
    .replace(/\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT/g, 'TIME')
    .replace(/\d{8}T\d{6}Z/g, 'TIME')
    .replace(/\d+(?:\.\d)? (?:s|min)\b/g, 'LONG')
    // Events of a history have ids of their moments.
    .replace(/\be-[0-9a-f]{20}/g, 'e-ID')
    // Ranking counts in how many documents a word is, whoever may read them.
    .replace(/"score":[\d.e-]+/g, '"score":0')
    // Of items of the same second any may come first.
    .split(/[\s<>{}]+/)
    .sort()
    .join('\n');

const isPacked = ({ plain }: WalkedAnswer): boolean =>
  /^content-type: application\/(?:zip|gzip|warc|wacz|x-tar)\b/m.test(plain);

/** As it is, percent-encoded, or as base64, in which the archive origin has URLs. */
const spellsTraces = (address: string): boolean =>
  TRACES.test(address) ||
  address.split(/[/~?&=]/).some((part) => TRACES.test(Buffer.from(part, 'base64url').toString()));

for (const [who, token] of [
  ['nobody in particular', undefined],
  ['a reader of another group', GUEST],
] as const)
  test(`to ${who} every output is as if what is hidden were not there`, async () => {
    const [answers, others] = await Promise.all([
      walkOutputs(withHidden, token),
      walkOutputs(without, token),
    ]);
    const isKnown = (address: string) => MAY_DIFFER.some(([pattern]) => pattern.test(address));
    assert.deepEqual([...answers.keys()].sort(), [...others.keys()].sort(), 'the same addresses are found');
    const failed: string[] = [];
    const telling: string[] = [];
    const differing: string[] = [];
    for (const [address, answer] of answers) {
      const other = others.get(address);
      assert.ok(other);
      if (answer.status >= 500) failed.push(address);
      if (!spellsTraces(address) && TRACES.test(answer.text)) telling.push(address);
      const isSame = isKnown(address) || isPacked(answer) || normal(answer) === normal(other);
      if (answer.status !== other.status || !isSame) differing.push(address);
    }
    assert.deepEqual({ failed, telling, differing }, { failed: [], telling: [], differing: [] });
  });

test('those who may see what is hidden do, so that the walk would find it', async () => {
  const answers = await walkOutputs(withHidden, STAFF);
  const telling = new Set<string>();
  for (const [address, { status, text }] of answers)
    if (status === 200 && TRACES.test(text))
      telling.add(address.replace(/^(archive:)?\/([^/?]*).*$/, '$1/$2'));
  for (const way of [
    '/',
    '/search',
    '/feeds',
    '/items',
    '/versions',
    '/api',
    '/oai',
    '/resourcesync',
    '/repository',
    '/cdx',
    '/snapshots',
    '/packages',
    '/mets',
    '/sources',
    '/runs',
    '/prof',
    '/.well-known',
    'archive:/tresor',
    'archive:/web',
  ])
    assert.ok(telling.has(way), `${way} is not among ${[...telling].join(' ')}`);
  for (const [source, identifier] of HIDDEN_ITEMS) {
    const found = [...answers].some(
      ([address, { status }]) =>
        status === 200 && address.startsWith(`/items/${source}/`) && spellsTraces(address),
    );
    assert.equal(found, source !== 'site', `${source} ${identifier}`);
  }
});

test('every route is walked, or said to reveal nothing', async () => {
  const walked = [...(await walkOutputs(withHidden)).keys()].filter(
    (address) => !address.startsWith('archive:'),
  );
  const paths = walked.map((address) => address.replace(/[?#].*$/s, ''));
  for (const { method, path } of withHidden.server.routes) {
    if (NOT_WALKED[`${method} ${path}`] !== undefined) continue;
    assert.ok(method === 'GET' || method === 'ALL', `${method} ${path} is neither walked nor in the table`);
    const pattern = routePattern(path);
    assert.ok(
      paths.some((one) => pattern.test(one)),
      `${method} ${path} is not walked: give the walk an address of it, or the table a reason`,
    );
  }
});

/** As the router reads it; a pattern of its own may have slashes, and so may an identifier. */
function routePattern(path: string): RegExp {
  const pattern = path.replace(
    /:(\w+)(?:\{(.*)\})?|\/\*$|\./g,
    (found, name: string | undefined, own: string | undefined) => {
      if (own !== undefined) return own;
      if (name !== undefined) return name === 'identifier' ? '.+' : '[^/]+';
      return found === '.' ? '\\.' : '(?:/.*)?';
    },
  );
  return new RegExp(`^${pattern}$`);
}
