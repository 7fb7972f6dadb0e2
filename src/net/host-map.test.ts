import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { crawlSchema } from '../core/crawl-schema.ts';
import { netSchema, parsePlace } from '../core/net-schema.ts';
import { createFetcher } from '../crawl/fetch/fetcher.ts';
import { createHttpClient } from '../harvest/http/index.ts';
import { mapHosts } from './host-map.ts';

/** Answers with the Host header that it was asked with. */
async function serveNames(t: TestContext): Promise<string> {
  const server = createServer((request, response) => response.end(request.headers.host));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function newFetcher(t: TestContext, place: string, allowPrivate: boolean) {
  const folder = mkdtempSync(join(tmpdir(), 'garner-hosts-'));
  const fetcher = createFetcher({
    limits: crawlSchema.parse({}).limits,
    allowPrivate,
    insecureTls: false,
    clock: Date.now,
    folder,
    ...mapHosts({ 'fog.example.org': place }),
  });
  t.after(() => {
    fetcher.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return (url: string) =>
    fetcher.fetch({ url: new URL(url), headers: [], signal: new AbortController().signal });
}

test('a mapped name is asked at its place, under its own name', async (t) => {
  const place = await serveNames(t);
  const client = createHttpClient({
    userAgent: 'test',
    allowPrivate: true,
    ...mapHosts({ 'fog.example.org': place }),
  });
  t.after(() => client.close());
  const answer = await client.read({ url: 'http://fog.example.org/page' }, 1000);
  assert.equal(Buffer.from(answer.bytes).toString(), 'fog.example.org');
  assert.equal(answer.url, 'http://fog.example.org/page');

  const fetched = await newFetcher(t, place, true)('http://fog.example.org/page');
  assert.equal(fetched.address, '127.0.0.1');
  assert.match(fetched.requestHead.toString(), /^Host: fog\.example\.org\r$/m);
  assert.equal(fetched.status, 200);
});

test('a place in a private network needs leave like any other', async (t) => {
  const place = await serveNames(t);
  const client = createHttpClient({
    userAgent: 'test',
    attempts: 1,
    ...mapHosts({ 'fog.example.org': place }),
  });
  t.after(() => client.close());
  await assert.rejects(client.request({ url: 'http://fog.example.org/' }), { code: 'http.address' });
  await assert.rejects(newFetcher(t, place, false)('http://fog.example.org/'), { code: 'http.address' });
});

test('places are addresses with or without a port; all else is a mistake in the config', () => {
  assert.deepEqual(parsePlace('192.0.2.7'), { address: '192.0.2.7' });
  assert.deepEqual(parsePlace('[2001:db8::7]:8080'), { address: '2001:db8::7', port: 8080 });
  for (const wrong of ['fog.example.org', '127.0.0.1:0', '127.0.0.1:65536', '300.1.1.1', '::1:80', ''])
    assert.equal(netSchema.safeParse({ hosts: { 'fog.example.org': wrong } }).success, false, wrong);
  assert.equal(netSchema.safeParse({ hosts: { 'Fog.example.org': '127.0.0.1' } }).success, false);
});
