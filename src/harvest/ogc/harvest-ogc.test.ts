import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { OPERATOR } from '../../core/access.ts';
import { type Answer, type Keep, type Origin, openKeep, startOrigin } from '../remote/origin.fixture.ts';
import { harvestOgc, type OgcSource } from './harvest-ogc.ts';

let origin: Origin;
let keep: Keep;
let routes: Record<string, (body: string) => unknown>;
const authorised: string[] = [];

beforeEach(async () => {
  keep = await openKeep();
  routes = {};
  authorised.length = 0;
  origin = await startOrigin((target, request, body): Answer | undefined => {
    if (request.headers.authorization !== undefined) authorised.push(`${request.headers.host}${target}`);
    const found = (routes[target] ?? routes[target.split('?')[0] ?? ''])?.(body);
    if (found === undefined) return undefined;
    return typeof found === 'string'
      ? { body: found }
      : { type: 'application/geo+json', body: JSON.stringify(found, null, 1) };
  });
});
afterEach(async () => {
  await origin.close();
  await keep.close();
});

const feature = (id: string, more: object = {}) => ({
  type: 'Feature',
  id,
  properties: { title: `Survey ${id}` },
  geometry: { type: 'Point', coordinates: [10, 50] },
  ...more,
});
const page = (features: object[], next?: string | object, more: object = {}) => ({
  type: 'FeatureCollection',
  features,
  ...more,
  links:
    next === undefined
      ? []
      : [typeof next === 'string' ? { rel: 'next', href: next, type: 'application/geo+json' } : next],
});

const harvest = (path: string, more: Partial<OgcSource> = {}) =>
  harvestOgc(
    { ...keep, client: origin.client },
    { name: 'there', kind: 'ogc', url: origin.url + path, pageSize: 2, maxDeleteShare: 0.5, ...more },
  );

describe('harvesting OGC API records', () => {
  test('follows the links of a list to its end and keeps the JSON as it came', async () => {
    routes['/items'] = () => page([feature('a'), feature('b')], '/items?page=2', { numberMatched: 3 });
    routes['/items?page=2'] = () => page([feature('c')], undefined, { numberMatched: 3 });
    const report = await harvest('/items');
    assert.equal(report.status, 'complete');
    assert.deepEqual(await keep.identifiers(), ['a', 'b', 'c']);
    const content = await keep.store.items.findContent({ source: 'there', identifier: 'b' }, {}, OPERATOR);
    assert.equal(content?.format, 'ogc-record');
    const text = new TextDecoder().decode(content?.bytes);
    assert.match(text, /\n/, 'white space too');
    assert.deepEqual(JSON.parse(text), feature('b'));
  });

  test('finds the collections behind a front page, and keeps equal names in two of them apart', async () => {
    routes['/'] = () => ({
      title: 'Front',
      links: [{ rel: 'data', href: '/collections', type: 'application/json' }],
    });
    routes['/collections'] = () => ({
      collections: ['maps', 'wells', 'old'].map((id) => ({
        id,
        links: [{ rel: 'items', href: `collections/${id}/items`, type: 'application/geo+json' }],
      })),
    });
    for (const id of ['maps', 'wells', 'old'])
      routes[`/collections/${id}/items`] = () => page([feature('1')], undefined, { numberMatched: 1 });
    const report = await harvest('/', { collections: ['maps', 'wells'] });
    assert.equal(report.status, 'complete');
    assert.deepEqual(await keep.identifiers(), ['maps/1', 'wells/1']);
  });

  test('pages that lead in a circle, or shrink below their total, are incomplete', async () => {
    routes['/items'] = () => page([feature('a')], '/b', { numberMatched: 4 });
    routes['/b'] = () => page([feature('b')], '/items?limit=2', { numberMatched: 4 });
    const circle = await harvest('/items');
    assert.equal(circle.status, 'incomplete');
    assert.match(circle.message ?? '', /circle/);
    routes['/b'] = () => page([feature('b')], undefined, { numberMatched: 4 });
    const short = await harvest('/items');
    assert.equal(short.status, 'incomplete');
    assert.match(short.message ?? '', /2 of 4 records/);
  });

  test('the same page behind ever new links is noticed', async () => {
    let visit = 0;
    routes['/items'] = () => page([feature('a')], `/items?visit=${++visit}`);
    const report = await harvest('/items');
    assert.equal(report.status, 'incomplete');
    assert.ok(visit < 5);
  });

  test('an empty page does not end a list that goes on; one that never ends is cut, unless its total came', async () => {
    routes['/items'] = () => page([feature('a')], '/empty');
    routes['/empty'] = () => page([], '/more');
    routes['/more'] = () => page([feature('b')]);
    assert.equal((await harvest('/items')).status, 'complete');
    assert.deepEqual(await keep.identifiers(), ['a', 'b']);
    let visit = 0;
    routes['/more'] = () => page([], `/more?visit=${++visit}`);
    const endless = await harvest('/items');
    assert.equal(endless.status, 'incomplete');
    assert.match(endless.message ?? '', /pages without records/);
    assert.deepEqual(await keep.identifiers(), ['a', 'b'], 'nothing was deleted');
    routes['/items'] = () => page([feature('a'), feature('b')], '/more', { numberMatched: 2 });
    routes['/more'] = () => page([], `/more?visit=${++visit}`, { numberMatched: 2 });
    assert.equal((await harvest('/items')).status, 'complete');
  });

  test('a list that breaks off deletes nothing; a page for people fails', async () => {
    routes['/items'] = () => page([feature('a'), feature('b')], '/more');
    routes['/more'] = () => page([feature('c')]);
    await harvest('/items');
    routes['/items'] = () => page([feature('a')], '/more');
    routes['/more'] = () => '<html>Sorry</html>';
    const broken = await harvest('/items');
    assert.equal(broken.status, 'incomplete');
    assert.equal(broken.code, 'source.answer');
    routes['/items'] = () => '<html>Sign in</html>';
    await assert.rejects(harvest('/items'), { code: 'source.answer' });
    assert.equal((await keep.store.runs.listRuns({ limit: 1 }))[0]?.status, 'failed');
    assert.deepEqual(await keep.identifiers(), ['a', 'b', 'c']);
  });

  test('secrets are not shown to other hosts that links lead to', async () => {
    const elsewhere = origin.url.replace('127.0.0.1', 'localhost');
    routes['/items'] = () => page([feature('a')], `${elsewhere}/far`);
    routes['/far'] = () => page([feature('b')]);
    await harvest('/items');
    assert.deepEqual(await keep.identifiers(), ['a', 'b']);
    assert.ok(authorised.some((target) => target.startsWith('127.0.0.1')));
    assert.ok(!authorised.some((target) => target.startsWith('localhost')));
  });
});

describe('harvesting STAC', () => {
  const item = (id: string, collection: string) => feature(id, { stac_version: '1.0.0', collection });

  test('pages by POST, with the body laid over the one before', async () => {
    routes['/search?limit=2'] = () =>
      page([item('s1', 'cloud')], {
        rel: 'next',
        href: '/search',
        method: 'POST',
        body: { token: 'n2', limit: 2 },
      });
    const bodies: unknown[] = [];
    routes['/search'] = (body) => {
      const sent = JSON.parse(body) as { token: string };
      bodies.push(sent);
      return sent.token === 'n2'
        ? page([item('s2', 'cloud')], {
            rel: 'next',
            href: '/search',
            method: 'POST',
            merge: true,
            body: { token: 'n3' },
          })
        : page([item('s1', 'rain')]);
    };
    routes['/'] = () => ({
      stac_version: '1.0.0',
      type: 'Catalog',
      links: [
        { rel: 'search', href: '/search', type: 'application/geo+json', method: 'GET' },
        { rel: 'search', href: '/search', type: 'application/geo+json', method: 'POST' },
      ],
    });
    const report = await harvest('/', { kind: 'stac' });
    assert.equal(report.status, 'complete', report.message);
    assert.deepEqual(await keep.identifiers(), ['cloud/s1', 'cloud/s2', 'rain/s1']);
    assert.deepEqual(bodies, [
      { token: 'n2', limit: 2 },
      { token: 'n3', limit: 2 },
    ]);
  });

  test('a static catalogue is walked from file to file, once each', async () => {
    const link = (rel: string, href: string) => ({ rel, href, type: 'application/json' });
    routes['/catalog.json'] = () => ({
      stac_version: '1.0.0',
      type: 'Catalog',
      id: 'root',
      links: [
        link('root', './catalog.json'),
        link('child', './north/collection.json'),
        link('child', './south/collection.json'),
      ],
    });
    routes['/north/collection.json'] = () => ({
      stac_version: '1.0.0',
      type: 'Collection',
      id: 'north',
      links: [link('item', './1.json'), link('item', './2.json'), link('child', '../catalog.json')],
    });
    routes['/south/collection.json'] = () => undefined;
    routes['/north/1.json'] = () => item('n1', 'north');
    routes['/north/2.json'] = () => item('n2', 'north');
    const report = await harvest('/catalog.json', { kind: 'stac' });
    assert.equal(report.status, 'incomplete', 'the south could not be read');
    assert.deepEqual(await keep.identifiers(), ['north/n1', 'north/n2']);
    assert.equal(origin.asked.filter((target) => target.endsWith('/north/1.json')).length, 1);

    routes['/south/collection.json'] = () => ({
      stac_version: '1.0.0',
      type: 'Collection',
      id: 'south',
      links: [link('item', './1.json')],
    });
    routes['/south/1.json'] = () => item('n1', 'south');
    assert.equal((await harvest('/catalog.json', { kind: 'stac' })).status, 'complete');
    assert.deepEqual(
      await keep.identifiers(),
      ['north/n1', 'north/n2', 'south/n1'],
      'unique in a collection',
    );
  });
});
