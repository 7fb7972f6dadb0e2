import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createSecureServer } from 'node:http2';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { crawlSchema } from '../../core/crawl-schema.ts';
import { GarnerError } from '../../core/errors.ts';
import type { FetchAnswer } from './answer.ts';
import { createFetcher, type FetcherOptions } from './fetcher.ts';

function newFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'garner-fetch-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function newFetcher(t: TestContext, options: Partial<FetcherOptions> = {}) {
  const fetcher = createFetcher({
    limits: crawlSchema.parse({}).limits,
    allowPrivate: true,
    insecureTls: true,
    clock: Date.now,
    folder: newFolder(t),
    resolveHost: () => Promise.resolve(['127.0.0.1']),
    ...options,
  });
  t.after(() => fetcher.close());
  return fetcher;
}

async function listen(t: TestContext, server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** A server that answers the nth request with these bytes, piece by piece. */
async function serveBytes(t: TestContext, ...answers: readonly (readonly string[])[]): Promise<number> {
  let next = 0;
  return listen(
    t,
    createServer((socket: Socket) => {
      socket.on('error', () => socket.destroy());
      socket.on('data', () => {
        const pieces = answers[next++ % answers.length] ?? [];
        const send = (i: number): void => {
          if (i >= pieces.length) return;
          if (pieces[i] === 'END') socket.end();
          else socket.write(pieces[i] ?? '', 'latin1');
          setTimeout(send, 3, i + 1);
        };
        send(0);
      });
    }),
  );
}

const bodyOf = ({ body }: FetchAnswer): string | undefined => body.bytes?.toString('latin1');

test('an answer that comes in pieces is the same as one in a piece, wherever it is cut', async (t) => {
  const whole =
    'HTTP/1.1 103 Early\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n6;a=b\r\n world\r\n0\r\nT: 1\r\n\r\n';
  const cuts = [...Array(whole.length).keys()].filter((at) => at % 7 === 3);
  const port = await serveBytes(t, ...cuts.map((at) => [whole.slice(0, at), whole.slice(at)]));
  const fetcher = newFetcher(t);
  for (const at of cuts) {
    const answer = await fetcher.fetch({ url: new URL(`http://a.test:${port}/`), headers: [] });
    assert.equal(bodyOf(answer), 'hello world', `cut at ${at}`);
    assert.equal(answer.truncated, undefined);
  }
});

test('connections are used again, and one that the host gave up is no failure', async (t) => {
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    let answered = 0;
    socket.on('error', () => socket.destroy());
    socket.on('data', () => {
      // The third request on a connection meets a closed door.
      if (answered++ === 2) socket.destroy();
      else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
    });
  });
  const port = await listen(t, server);
  const fetcher = newFetcher(t);
  for (let i = 0; i < 6; i++)
    assert.equal(
      bodyOf(await fetcher.fetch({ url: new URL(`http://a.test:${port}/${i}`), headers: [] })),
      'ok',
    );
  assert.equal(connections, 3);
});

test('a large body goes through a file, and is cut off at the limit', async (t) => {
  const folder = newFolder(t);
  const port = await serveBytes(t, ['HTTP/1.1 200 OK\r\n\r\n', 'x'.repeat(12_000_000), 'END']);
  const limits = { ...crawlSchema.parse({}).limits, documentBytes: 10_000_000 };
  const answer = await newFetcher(t, { folder, limits }).fetch({
    url: new URL(`http://a.test:${port}/`),
    headers: [],
  });
  assert.deepEqual(
    [answer.truncated, answer.body.size, answer.body.bytes],
    ['length', 10_000_000, undefined],
  );
  assert.equal(readFileSync(answer.body.path ?? '').length, 10_000_000);
  answer.body.discard();
  assert.deepEqual(readdirSync(folder), []);
});

test('what never answers is a time-out, what closes at once an interruption, what is no HTTP an answer of another kind', async (t) => {
  const { limits } = crawlSchema.parse({});
  const patient = newFetcher(t, { limits });
  const hasty = newFetcher(t, { limits: { ...limits, idleMs: 100 } });
  for (const [fetcher, pieces, code] of [
    [hasty, [], 'http.timeout'],
    [patient, ['END'], 'http.interrupted'],
    [patient, ['220 ftp.example.org ready\r\n\r\n'], 'source.answer'],
    [patient, [`HTTP/1.1 200 OK\r\nX: ${'y'.repeat(300_000)}`], 'http.too-large'],
  ] as const) {
    const port = await serveBytes(t, pieces);
    await assert.rejects(
      fetcher.fetch({ url: new URL(`http://a.test:${port}/`), headers: [] }),
      (error) => error instanceof GarnerError && error.code === code,
      code,
    );
  }
});

test('HTTP/2 is spoken where it is offered; its header is put together and marked', async (t) => {
  const folder = newFolder(t);
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  try {
    execFileSync(
      'openssl',
      [
        'req',
        '-x509',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:prime256v1',
        '-nodes',
        '-keyout',
        key,
        '-out',
        cert,
        '-days',
        '2',
        '-subj',
        '/CN=a.test',
      ],
      { stdio: 'ignore' },
    );
  } catch {
    t.skip('there is no openssl to make a certificate with');
    return;
  }
  const server = createSecureServer({ key: readFileSync(key), cert: readFileSync(cert) });
  server.on('stream', (stream, headers) => {
    stream.respond({ ':status': 200, 'content-type': 'text/plain', 'set-cookie': ['a=1', 'b=2'] });
    stream.end(`${headers[':authority']} ${headers[':path']}`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const fetcher = newFetcher(t);
  const answers = await Promise.all(
    ['/1', '/2', '/3'].map((path) =>
      fetcher.fetch({ url: new URL(path, `https://a.test:${port}`), headers: [['User-Agent', 'x']] }),
    ),
  );
  assert.deepEqual(
    answers.map(bodyOf),
    ['/1', '/2', '/3'].map((path) => `a.test:${port} ${path}`),
  );
  const [answer] = answers;
  assert.deepEqual(answer?.protocols, ['h2', 'tls/1.3']);
  assert.match(
    answer?.responseHead.toString() ?? '',
    /^HTTP\/1\.1 200 OK\r\ncontent-type: text\/plain\r\nset-cookie: a=1\r\nset-cookie: b=2\r\n/,
  );
  assert.deepEqual(answer?.notes, ['header put together from HTTP/2']);
  await assert.rejects(
    newFetcher(t, { insecureTls: false }).fetch({ url: new URL(`https://a.test:${port}/`), headers: [] }),
    (error) => error instanceof GarnerError && error.code === 'http.tls',
  );
  fetcher.close();
});
