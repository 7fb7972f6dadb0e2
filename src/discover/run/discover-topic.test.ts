import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GarnerError } from '../../core/errors.ts';
import type { EngineResult } from '../engines/engine.ts';
import type { TopicQuestion } from '../topics/topic.ts';
import { type DiscoverDeps, discoverTopic, type OpenEngine } from './discover-topic.ts';
import { topicStatistics } from './statistics.ts';
import type { TopicRun } from './topic-run.ts';

const TOPIC: TopicQuestion = { acronym: 'T', title: 'T', queries: ['first', 'second'], depth: 10 };

/** Gives these lists, one for each query; a failure after the page before it. */
function engineOf(
  name: string,
  lists: Readonly<Record<string, readonly (string | GarnerError)[]>>,
): OpenEngine {
  return {
    name,
    kind: 'test',
    attempts: 1,
    engine: {
      async *search(query) {
        for (const entry of lists[query] ?? []) {
          if (typeof entry !== 'string') throw entry;
          yield [{ url: entry } satisfies EngineResult];
        }
      },
    },
    http: { read: () => Promise.reject(new GarnerError('internal.bug', 'nobody asks here')) },
    gate: { enter: async () => {}, pause: async () => {} },
  };
}
const depsOf = (...engines: OpenEngine[]): DiscoverDeps => ({
  engines,
  clock: () => 0,
  method: 'weights',
  allowPrivate: false,
});

test('of several queries an engine’s best rank counts', async () => {
  const engine = engineOf('a', {
    first: ['https://x.example/', 'https://y.example/'],
    second: ['https://y.example/'],
  });
  const { candidates } = await discoverTopic(TOPIC, depsOf(engine), { runId: 1 });
  assert.deepEqual(
    candidates.map(({ url, weight, ranks }) => [url, weight, ranks.a]),
    [
      ['https://x.example/', 10, 1],
      ['https://y.example/', 10, 1],
    ],
  );
});

test('what an engine gave before it failed counts, and the others go on', async () => {
  const failing = engineOf('a', {
    first: ['https://x.example/', new GarnerError('http.timeout', 'too slow')],
  });
  const { engines, candidates } = await discoverTopic(
    TOPIC,
    depsOf(failing, engineOf('b', { first: ['https://y.example/'] })),
    { runId: 1 },
  );
  assert.deepEqual(
    engines.map(({ name, status, code }) => [name, status, code]),
    [
      ['a', 'failed', 'http.timeout'],
      ['b', 'done', undefined],
    ],
  );
  assert.equal(candidates.length, 2);
});

test('a name that leads into a private network is refused once that is seen', async () => {
  const run = await discoverTopic(
    TOPIC,
    {
      ...depsOf(engineOf('a', { first: ['https://inside.example/', 'https://x.example/'] })),
      fetchStart: async (url) => {
        if (url.includes('inside')) throw new GarnerError('http.address', 'not on the public internet');
        return { bytes: Buffer.from('<!doctype html>'), url, contentType: 'text/html' };
      },
    },
    { runId: 1 },
  );
  assert.deepEqual(
    run.candidates.map(({ url, position }) => [url, position]),
    [['https://x.example/', 1]],
  );
  assert.deepEqual(run.refused, [
    { url: 'https://inside.example/', engine: 'a', rank: 1, reason: 'leads to a private network' },
  ]);
});

test('statistics count hosts by top-level domain, addresses by domain, and agreement', async () => {
  const run = await discoverTopic(
    TOPIC,
    depsOf(
      engineOf('a', { first: ['https://a.nasa.gov/1', 'https://a.nasa.gov/2', 'https://b.nasa.gov/'] }),
      engineOf('b', { first: ['https://b.nasa.gov/', 'https://www.example.co.uk/x.pdf'] }),
    ),
    { runId: 1 },
  );
  const { topLevel, domains, html, other, overlap } = topicStatistics(run);
  assert.deepEqual(topLevel, [
    { name: '.gov', count: 2 },
    { name: '.uk', count: 1 },
  ]);
  assert.deepEqual(domains, [
    { name: 'nasa.gov', count: 3 },
    { name: 'example.co.uk', count: 1 },
  ]);
  assert.deepEqual([html, other], [3, 1]);
  assert.deepEqual(overlap, {
    engines: ['a', 'b'],
    shared: [
      [3, 1],
      [1, 2],
    ],
    agreement: [3, 1],
  });
});

const PAGES: Readonly<Record<string, string>> = {
  'https://x.example/':
    '<title>X</title><p>Clouds and clouds. <a href="http://www.y.example/#top">Y</a> <a href="/own">own</a></p>',
  'https://y.example/':
    '<title>Y</title><p>Rain. <a href="https://landing.example/z">Z</a> <a href="https://x.example/">X</a></p>',
  'https://z.example/': '<title>Z</title><p>Ice.</p>',
};
const THREE = engineOf('a', { first: ['https://x.example/', 'https://y.example/', 'https://z.example/'] });

test('looks tell the words of pages and who links to whom, wherever an address leads', async () => {
  const { candidates } = await discoverTopic(
    TOPIC,
    {
      ...depsOf(THREE),
      fetchStart: async (url) => ({
        bytes: Buffer.from(PAGES[url] ?? ''),
        contentType: 'text/html',
        url: url === 'https://z.example/' ? 'https://landing.example/z' : url,
      }),
    },
    { runId: 1 },
  );
  assert.deepEqual(
    candidates.map(({ key, linkedFrom }) => [key, linkedFrom]),
    [
      ['x.example', ['y.example']],
      ['y.example', ['x.example']],
      ['z.example', ['y.example']],
    ],
  );
  assert.equal(candidates[0]?.words?.clouds, 2);
});

test('a run that goes on asks no engine and looks at no page twice, and knows what was seen', async () => {
  const looked: string[] = [];
  const fetchStart = async (url: string) => {
    looked.push(url);
    if (looked.length === 3) throw new DOMException('killed', 'AbortError');
    return { bytes: Buffer.from(PAGES[url] ?? ''), contentType: 'text/html', url };
  };
  let last: TopicRun | undefined;
  const stop = new AbortController();
  await assert.rejects(
    discoverTopic(
      TOPIC,
      {
        ...depsOf(THREE),
        fetchStart: async (url) => {
          if (looked.length === 2) stop.abort();
          return fetchStart(url);
        },
      },
      {
        runId: 1,
        signal: stop.signal,
        onChange: (run) => {
          last = run;
        },
      },
    ),
  );
  assert.ok(last);
  // As if the list had been told after the two looks.
  const interrupted = {
    ...last,
    candidates: last.candidates.map((candidate, i) =>
      i < 2
        ? {
            ...candidate,
            category: { ...candidate.category, mediaType: 'text/html', by: 'header' as const },
            ...(i === 1 && { linkedFrom: ['x.example'] }),
          }
        : candidate,
    ),
  };
  looked.length = 0;
  const never = engineOf('a', { first: [new GarnerError('internal.bug', 'asked twice')] });
  const run = await discoverTopic(TOPIC, { ...depsOf(never), fetchStart }, { runId: 2, interrupted });
  assert.deepEqual(looked, ['https://z.example/']);
  assert.equal(run.candidates.length, 3);
  assert.deepEqual(run.candidates[1]?.linkedFrom, ['x.example']);
});
