import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMetrics } from './metrics.ts';

test('requests are counted by route and status, times in growing buckets', () => {
  const metrics = createMetrics('1.2.3');
  metrics.observe({ method: 'GET', route: '/search', status: 200, durationMs: 7 });
  metrics.observe({ method: 'GET', route: '/search', status: 200, durationMs: 70 });
  metrics.observe({ method: 'GET', route: '/search', status: 400, durationMs: 9000 });
  const text = metrics.write({ seq: 9, items: 5, liveItems: 4, bytes: 100 });
  metrics.close();
  const value = (name: string) =>
    text
      .split('\n')
      .find((line) => line.startsWith(`${name} `))
      ?.split(' ')[1];
  assert.equal(value('garner_http_requests_total{method="GET",route="/search",status="200"}'), '2');
  assert.equal(value('garner_http_request_duration_seconds_bucket{route="/search",le="0.005"}'), '0');
  assert.equal(value('garner_http_request_duration_seconds_bucket{route="/search",le="0.01"}'), '1');
  assert.equal(value('garner_http_request_duration_seconds_bucket{route="/search",le="5"}'), '2');
  assert.equal(value('garner_http_request_duration_seconds_bucket{route="/search",le="+Inf"}'), '3');
  assert.equal(value('garner_store_seq'), '9');
  assert.equal(value('garner_info{version="1.2.3"}'), '1');
});

test('every line is a comment or a sample', () => {
  const metrics = createMetrics('a"b\\c\nd');
  metrics.observe({ method: 'GET', route: '/', status: 200, durationMs: 1 });
  const lines = metrics.write(undefined).trimEnd().split('\n');
  metrics.close();
  for (const line of lines)
    assert.match(
      line,
      /^(?:# (?:HELP|TYPE) \S+ .+|[a-z_]+(?:\{(?:[a-z]+="(?:[^"\\]|\\.)*",?)+\})? -?[\d.e+-]+)$/,
    );
});
