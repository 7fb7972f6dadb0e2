import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createNetServer } from 'node:net';
import { after, before, type TestContext, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { createHttpClient, type HttpPolicy, type HttpResponse } from './index.ts';

const TEXT = `<?xml version="1.0"?><answer>${'drift ice '.repeat(500)}</answer>`;
type Handler = (request: IncomingMessage, response: ServerResponse, visit: number) => void;

const visits = new Map<string, number>();
const seen: IncomingMessage[] = [];
const routes: Record<string, Handler> = {
  '/plain': (_, response) => response.end(TEXT),
  '/gzip': coded('gzip', gzipSync(TEXT)),
  '/gzip-two-members': coded('gzip', Buffer.concat([gzipSync(TEXT.slice(0, 99)), gzipSync(TEXT.slice(99))])),
  '/gzip-unannounced': coded(undefined, gzipSync(TEXT)),
  '/gzip-header-on-plain': coded('gzip', Buffer.from(TEXT)),
  '/gzip-twice': coded('gzip, gzip', gzipSync(gzipSync(TEXT))),
  '/gzip-header-once-packed-twice': coded('gzip', gzipSync(gzipSync(TEXT))),
  '/gzip-with-the-length-of-the-plain': (_, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': String(TEXT.length) });
    response.write(gzipSync(TEXT), () => response.destroy());
  },
  '/gzip-broken-off': (_, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': String(TEXT.length) });
    response.write(gzipSync(TEXT).subarray(0, -20), () => response.destroy());
  },
  '/deflate': coded('deflate', deflateSync(TEXT)),
  '/deflate-raw': coded('deflate', deflateRawSync(TEXT)),
  '/br': coded('br', brotliCompressSync(TEXT)),
  '/br-header-on-plain': coded('br', Buffer.from(TEXT)),
  '/zstd': coded('zstd', zstdCompressSync(TEXT)),
  '/zstd-two-frames': coded(
    'zstd',
    Buffer.concat([zstdCompressSync(TEXT.slice(0, 99)), zstdCompressSync(TEXT.slice(99))]),
  ),
  '/utf8-as-coding': coded('utf-8', Buffer.from(TEXT)),
  '/zstd-cut': coded('zstd', zstdCompressSync(TEXT).subarray(0, -9)),
  '/gzip-cut': coded('gzip', gzipSync(TEXT).subarray(0, -20)),
  '/bomb': coded('gzip', gzipSync(Buffer.alloc(2_000_000))),
  '/zstd-bomb': coded('zstd', zstdCompressSync(Buffer.alloc(50_000_000))),
  '/cut': (_, response) => {
    response.writeHead(200, { 'content-length': '5000' });
    response.write('half', () => response.destroy());
  },
  '/silent': () => {},
  '/stalls': (_, response) => {
    response.write('first');
  },
  '/drips': (_, response) => {
    const drip = setInterval(() => response.write('.'), 20);
    response.on('close', () => clearInterval(drip));
  },
  '/busy-seconds': busyOnce({ 'retry-after': '7' }),
  '/busy-date': busyOnce({ 'retry-after': 'Thu, 01 Jan 1970 00:01:30 GMT' }),
  '/busy-without-header': busyOnce({}),
  '/busy-a-day': (_, response) => {
    response.writeHead(503, { 'retry-after': '86400' }).end();
  },
  '/always-502': (_, response) => {
    response.writeHead(502).end();
  },
  '/gone': (_, response) => {
    response.writeHead(410).end();
  },
  '/unprocessable': (_, response) => {
    response.writeHead(422).end(TEXT);
  },
  '/moved': redirect(301, '/moved-again'),
  '/moved-again': redirect(308, '/plain'),
  '/found': redirect(302, 'plain'),
  '/loop': redirect(302, '/loop'),
  '/to-other-host': (request, response) => {
    const port = request.headers.host?.split(':')[1];
    response.writeHead(302, { location: `http://other.example:${port}/echo` }).end();
  },
  '/to-https': (request, response) => {
    response.writeHead(301, { location: `https://${request.headers.host}/plain` }).end();
  },
  '/to-file': redirect(302, 'file:///etc/passwd'),
  '/needs-cookie': (request, response) => {
    if (request.headers.cookie === 'sid=a=b') response.end(TEXT);
    else
      response.writeHead(302, { 'set-cookie': 'sid=a=b; Path=/; HttpOnly', location: '/needs-cookie' }).end();
  },
  '/echo': (request, response) => {
    response.end(JSON.stringify(request.headers));
  },
  '/bad-header': (_, response) => {
    response.socket?.end('HTTP/1.1 200 OK\r\nX-Y: \x01\r\nContent-Length: 2\r\n\r\nok');
  },
};

function coded(coding: string | undefined, bytes: Uint8Array): Handler {
  return (_, response) => {
    response.writeHead(200, coding === undefined ? {} : { 'content-encoding': coding }).end(bytes);
  };
}
function redirect(status: number, location: string): Handler {
  return (_, response) => {
    response.writeHead(status, { location }).end('moved');
  };
}
function busyOnce(headers: Record<string, string>): Handler {
  return (_, response, visit) => {
    if (visit === 1) response.writeHead(503, headers).end('busy');
    else response.end(TEXT);
  };
}

const server = createServer((request, response) => {
  const path = request.url ?? '';
  const visit = (visits.get(path) ?? 0) + 1;
  visits.set(path, visit);
  seen.push(request);
  routes[path]?.(request, response, visit);
});
let base = '';
before(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
after(() => {
  server.closeAllConnections();
  server.close();
});

/** A clock that only sleeping moves. */
function patience() {
  const slept: number[] = [];
  let now = 0;
  return {
    slept,
    clock: () => now,
    sleep: (durationMs: number) => {
      slept.push(durationMs);
      now += durationMs;
      return Promise.resolve();
    },
    random: () => 0,
  };
}

async function readText(response: HttpResponse): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

async function get(path: string, policy: Partial<HttpPolicy> = {}): Promise<string> {
  const client = createHttpClient({ userAgent: 'test', allowPrivate: true, ...patience(), ...policy });
  try {
    return await readText(await client.request({ url: base + path }));
  } finally {
    client.close();
  }
}

for (const path of Object.keys(routes).filter((path) =>
  /^\/(?:plain|gzip|deflate|br|zstd|utf8)/.test(path),
)) {
  if (/(?:-cut|bomb|-off)$/.test(path)) continue;
  test(`a body is read as it was meant: ${path}`, async () => {
    assert.equal(await get(path), TEXT);
  });
}

for (const [path, code] of [
  ['/gzip-cut', 'http.interrupted'],
  ['/gzip-broken-off', 'http.interrupted'],
  ['/zstd-cut', 'http.interrupted'],
  ['/cut', 'http.interrupted'],
  ['/bomb', 'http.too-large'],
  ['/zstd-bomb', 'http.too-large'],
  ['/loop', 'http.redirect'],
  ['/to-file', 'http.address'],
  ['/gone', 'http.status'],
] as const) {
  test(`${path} fails as ${code}`, async () => {
    await assert.rejects(get(path, { maxBodyBytes: 1_000_000 }), { code });
  });
}

test('a server that accepts and says nothing, stalls or drips is given up', async () => {
  const limits = { idleTimeoutMs: 80, totalTimeoutMs: 200, attempts: 1 };
  await assert.rejects(get('/silent', limits), { code: 'http.timeout' });
  await assert.rejects(get('/stalls', limits), { code: 'http.timeout' });
  await assert.rejects(get('/drips', limits), { code: 'http.timeout' });
});

test('a slow reader is not taken for a slow server', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const client = createHttpClient({ userAgent: 'test', allowPrivate: true, idleTimeoutMs: 60 });
  const response = await client.request({ url: `${base}/plain` });
  t.mock.timers.tick(150);
  assert.equal(await readText(response), TEXT);
  client.close();
});

test('Retry-After is kept to, in seconds and as a date; without it the pause grows', async () => {
  const bySeconds = patience();
  assert.equal(await get('/busy-seconds', bySeconds), TEXT);
  assert.equal(bySeconds.clock(), 7000);
  const byDate = patience();
  assert.equal(await get('/busy-date', byDate), TEXT);
  assert.equal(byDate.clock(), 90_000);
  const unknown = patience();
  assert.equal(await get('/busy-without-header', { ...unknown, backoffMs: 400 }), TEXT);
  assert.deepEqual(unknown.slept, [200]);
});

test('a server that wants a day gets no further request now, and the error says how long', async () => {
  const waiting = patience();
  await assert.rejects(get('/busy-a-day', waiting), (error: { details?: Record<string, unknown> }) => {
    assert.equal(error.details?.retryAfterMs, 86_400_000);
    return true;
  });
  assert.deepEqual(waiting.slept, []);
  assert.equal(visits.get('/busy-a-day'), 1);
});

test('a failing server is asked as often as the policy says, with doubling pauses', async () => {
  const waiting = patience();
  await assert.rejects(get('/always-502', { ...waiting, attempts: 4, backoffMs: 1000 }), {
    code: 'http.status',
  });
  assert.equal(visits.get('/always-502'), 4);
  assert.deepEqual(waiting.slept, [500, 1000, 2000]);
});

test('a status that the caller accepts is an answer', async () => {
  const client = createHttpClient({ userAgent: 'test', allowPrivate: true });
  const response = await client.request({ url: `${base}/unprocessable`, accept: (status) => status === 422 });
  assert.equal(response.status, 422);
  assert.equal(await readText(response), TEXT);
  client.close();
});

test('redirects are followed, and permanent ones are told', async () => {
  const client = createHttpClient({ userAgent: 'test', allowPrivate: true });
  const moved = await client.request({ url: `${base}/moved` });
  assert.equal(await readText(moved), TEXT);
  assert.equal(moved.movedTo, `${base}/plain`);
  const found = await client.request({ url: `${base}/found` });
  assert.equal(await readText(found), TEXT);
  assert.equal(found.movedTo, undefined);
  assert.equal(found.url, `${base}/plain`);
  client.close();
});

test('a server that wants its cookie back gets it', async () => {
  assert.equal(await get('/needs-cookie'), TEXT);
});

test('credentials go to their own origin only', async () => {
  const secrets: Partial<HttpPolicy> = {
    auth: { kind: 'basic', user: 'u', password: 'p' },
    headers: { 'X-Api-Key': 'k' },
    resolveHost: () => Promise.resolve(['127.0.0.1']),
  };
  const home = JSON.parse(await get('/echo', secrets)) as Record<string, string>;
  assert.equal(home.authorization, 'Basic dTpw');
  assert.equal(home['x-api-key'], 'k');
  assert.equal(home['user-agent'], 'test');
  const away = JSON.parse(await get('/to-other-host', secrets)) as Record<string, string>;
  assert.equal(away.host?.split(':')[0], 'other.example');
  assert.equal(away.authorization, undefined);
  assert.equal(away['x-api-key'], undefined);
});

test('private addresses are refused: written out, behind a name, and behind a redirect', async () => {
  const asked = seen.length;
  await assert.rejects(get('/plain', { allowPrivate: false }), { code: 'http.address' });
  const named = createHttpClient({ userAgent: 'test', resolveHost: () => Promise.resolve(['10.1.2.3']) });
  await assert.rejects(named.request({ url: 'http://intranet.example/' }), { code: 'http.address' });
  named.close();
  assert.equal(seen.length, asked);
});

test('every hop of a redirect is resolved and checked anew', async () => {
  const { port } = new URL(base);
  const hops: string[] = [];
  const client = createHttpClient({
    userAgent: 'test',
    allowPrivate: true,
    attempts: 1,
    resolveHost: (host) => {
      hops.push(host);
      return Promise.resolve(host === 'other.example' ? [] : ['127.0.0.1']);
    },
  });
  await assert.rejects(client.request({ url: `http://public.example:${port}/to-other-host` }), {
    code: 'http.unreachable',
  });
  assert.deepEqual(hops, ['public.example', 'other.example']);
  client.close();
});

test('a host that speaks no TLS where it should is told as that, also after a redirect, and not asked again', async () => {
  const waiting = patience();
  const client = createHttpClient({ userAgent: 'test', allowPrivate: true, ...waiting });
  const secure = base.replace('http:', 'https:');
  await assert.rejects(client.request({ url: `${secure}/plain` }), { code: 'http.tls' });
  await assert.rejects(client.request({ url: `${base}/to-https` }), { code: 'http.tls' });
  assert.deepEqual(waiting.slept, []);
  client.close();
});

test('two requests to one host keep their distance', async () => {
  const waiting = patience();
  const client = createHttpClient({ userAgent: 'test', allowPrivate: true, ...waiting, delayMs: 3000 });
  for (let i = 0; i < 3; i++) await readText(await client.request({ url: `${base}/plain` }));
  assert.equal(waiting.clock(), 6000);
  client.close();
});

test('a kept connection that its host gives up just then is no failure', async (t) => {
  const doors = await serveClosingDoors(t);
  const client = createHttpClient({ userAgent: 'test', allowPrivate: true, attempts: 1 });
  for (let i = 0; i < 3; i++) {
    assert.equal(await readText(await client.request({ url: doors.url })), 'ok');
    // The agent takes the connection back in a turn of its own.
    await nextTurn();
  }
  assert.equal(doors.connections, 3);
  client.close();
});

/** Every connection answers once and is closed at the second request. */
async function serveClosingDoors(t: TestContext) {
  const doors = { url: '', connections: 0 };
  const server = createNetServer((socket) => {
    doors.connections++;
    let asked = 0;
    socket.on('error', () => socket.destroy());
    socket.on('data', () => {
      if (asked++ > 0) socket.destroy();
      else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => void server.close());
  doors.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return doors;
}

test('an aborted request rejects with the reason of the abort', async () => {
  const stop = new AbortController();
  const client = createHttpClient({ userAgent: 'test', allowPrivate: true });
  const pending = client.request({ url: `${base}/silent`, signal: stop.signal });
  setTimeout(() => stop.abort(new Error('enough')), 20);
  await assert.rejects(pending, /enough|aborted/);
  client.close();
});

test('broken header lines do not keep the body away', async () => {
  assert.equal(await get('/bad-header'), 'ok');
});
