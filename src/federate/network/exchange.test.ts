import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createNetServer } from 'node:net';
import { afterEach, describe, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createHttpExchange, type ServerRequest } from './exchange.ts';

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

async function serve(handler: RequestListener): Promise<string> {
  const server = createServer(handler).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/prof`;
}
function send(url: string, options: Partial<ServerRequest> = {}) {
  const { exchange, close } = createHttpExchange('Test/1');
  closers.push(close);
  const signal = AbortSignal.timeout(20_000);
  return exchange({ url, allowPrivate: true, maxBytes: 1000, signal, ...options });
}

describe('a question to a server', () => {
  test('brings the answer with its validator, and says where it came from', async () => {
    const url = await serve((request, response) => {
      if (request.headers['if-none-match'] === '"1"') response.writeHead(304, { etag: '"1"' }).end();
      else response.writeHead(200, { etag: '"1"' }).end('<profiles/>');
    });
    const first = await send(url);
    assert.deepEqual(
      [first.status, first.etag, Buffer.from(first.body).toString(), first.isPrivate],
      [200, '"1"', '<profiles/>', true],
    );
    assert.equal((await send(url, { etag: '"1"' })).status, 304);
  });

  test('does not go to private addresses unless it may, neither straight nor led there', async () => {
    const url = await serve((_, response) => response.end());
    await assert.rejects(send(url, { allowPrivate: false }), { code: 'http.address' });
    await assert.rejects(send(url.replace('127.0.0.1', 'localhost'), { allowPrivate: false }), {
      code: 'http.address',
    });
  });

  test('does not go to a private address by a connection that another question opened', async () => {
    const url = (await serve((_, response) => response.end())).replace('127.0.0.1', 'inside.example');
    const { exchange, close } = createHttpExchange('Test/1', { resolveHost: async () => ['127.0.0.1'] });
    closers.push(close);
    const signal = AbortSignal.timeout(20_000);
    const ask = (allowPrivate: boolean) => exchange({ url, allowPrivate, maxBytes: 1000, signal });
    assert.equal((await ask(true)).status, 200);
    await assert.rejects(ask(false), { code: 'http.address' });
  });

  test('goes where names of the configuration lead', async () => {
    const url = new URL(await serve((request, response) => response.end(request.headers.host)));
    const { exchange, close } = createHttpExchange('Test/1', {
      resolveHost: async () => [url.hostname],
      portFor: () => Number(url.port),
    });
    closers.push(close);
    const signal = AbortSignal.timeout(20_000);
    const request = { url: 'http://planets.test/prof', maxBytes: 1000, signal };
    const { body } = await exchange({ ...request, allowPrivate: true });
    assert.equal(Buffer.from(body).toString(), 'planets.test');
    await assert.rejects(exchange({ ...request, allowPrivate: false }), { code: 'http.address' });
  });

  test('follows a few redirects and no circle, and never to something that is no server', async () => {
    const target = await serve((_, response) => response.end('here'));
    const url = await serve((_, response) => response.writeHead(302, { location: target }).end());
    assert.equal(Buffer.from((await send(url)).body).toString(), 'here');
    const circle = await serve((_, response) => response.writeHead(302, { location: '/prof' }).end());
    await assert.rejects(send(circle), { code: 'http.redirect' });
    const file = await serve((_, response) =>
      response.writeHead(302, { location: 'file:///etc/hosts' }).end(),
    );
    await assert.rejects(send(file), { code: 'http.redirect' });
  });

  test('is asked again when a kept connection is closed just then', async () => {
    let connections = 0;
    const server = createNetServer((socket) => {
      connections++;
      let asked = 0;
      socket.on('error', () => socket.destroy());
      socket.on('data', () => {
        if (asked++ > 0) socket.destroy();
        else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
      });
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { exchange, close } = createHttpExchange('Test/1');
    closers.push(close, () => server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/prof`;
    const signal = AbortSignal.timeout(20_000);
    for (let i = 0; i < 3; i++) {
      const { body } = await exchange({ url, allowPrivate: true, maxBytes: 1000, signal });
      assert.equal(Buffer.from(body).toString(), 'ok');
      // The agent takes the connection back in a turn of its own.
      await nextTurn();
    }
    assert.equal(connections, 3);
  });

  test('gives up what is too large, breaks off, or takes too long', async () => {
    const large = await serve((_, response) => response.end('x'.repeat(2000)));
    await assert.rejects(send(large), { code: 'http.too-large' });
    const broken = await serve((_, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('half', () => response.destroy());
    });
    await assert.rejects(send(broken), { code: 'http.interrupted' });
    const hangs = await serve(() => {});
    await assert.rejects(send(hangs, { signal: AbortSignal.timeout(50) }), { code: 'http.timeout' });
    await assert.rejects(send('http://127.0.0.1:9/prof'), { code: 'http.unreachable' });
  });
});
