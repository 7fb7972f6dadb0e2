import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openGarner } from '../app.ts';
import { defaultConfig } from '../core/config.ts';
import { silentLog } from '../core/log.ts';
import { serveGarner } from './index.ts';

async function withServer(
  input: Parameters<typeof defaultConfig>[1],
  work: (url: string) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'garner-serve-'));
  try {
    await using garner = await openGarner(defaultConfig(folder, input, {}));
    const server = await serveGarner(garner, { host: '127.0.0.1', port: 0, log: silentLog });
    await work(server.url).finally(() => server.close());
  } finally {
    await rm(folder, { recursive: true });
  }
}

test('without a configured address, links lead to where the server listens', () =>
  withServer({}, async (url) => {
    const description = (await (await fetch(`${url}/api/openapi.json`)).json()) as {
      servers: { url: string }[];
    };
    assert.deepEqual(description.servers, [{ url }]);
    assert.equal((await fetch(`${url}/`)).status, 200);
  }));

test('a configured address is kept, and tokens, views and rules come from the configuration', () =>
  withServer(
    {
      repository: { name: 'Shelf', baseUrl: 'https://shelf.example.org/' },
      views: { open: { title: 'Open shelf' }, shut: { access: { groups: ['staff'] } } },
      access: { tokens: { reader: { secret: 'reader-secret-0123456789', groups: ['staff'] } } },
    },
    async (url) => {
      const { servers } = (await (await fetch(`${url}/api/openapi.json`)).json()) as {
        servers: { url: string }[];
      };
      assert.deepEqual(servers, [{ url: 'https://shelf.example.org' }]);
      const viewsFor = async (headers: Record<string, string>) =>
        ((await (await fetch(`${url}/api/views`, { headers })).json()) as { views: unknown[] }).views;
      assert.deepEqual(await viewsFor({}), [{ name: 'open', title: 'Open shelf' }]);
      assert.equal((await viewsFor({ authorization: 'Bearer reader-secret-0123456789' })).length, 2);
    },
  ));

test('a body whose length is not announced is read up to the limit', () =>
  withServer({}, async (url) => {
    const post = async (bytes: number) => {
      const sent = request(`${url}/login`, {
        method: 'POST',
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          'transfer-encoding': 'chunked',
        },
      }).end(`token=${'x'.repeat(bytes)}`);
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      response.resume();
      return response.statusCode;
    };
    assert.equal(await post(20), 401, 'the form was read: its token is wrong');
    assert.equal(await post(100_000), 400);
    assert.equal((await fetch(`${url}/api/search`, { method: 'POST' })).status, 405);
  }));
