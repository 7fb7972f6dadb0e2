/**
 * A site for `bench/crawl.ts`, in a process of its own: so many pages with pictures, scripts and style
 * sheets, answered after so many milliseconds. Arguments: pages, latency, log of requests (0 or 1).
 * Prints its port; with the log, sends `{ host, at }` of each request to its parent.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const [, , pagesText = '4000', latencyText = '0', logs = '0'] = process.argv;
const pages = Number(pagesText);
const latencyMs = Number(latencyText);
const PARAGRAPH =
  'The archive keeps what the web forgets: pages as they were, byte by byte, with the day on which they were seen. ';

function pageOf(n: number): string {
  const links = [2 * n + 1, 2 * n + 2, n + 1, n + 7, n + 31, 0, 1, 2, 3, 4].filter(
    (target) => target < pages,
  );
  return `<!doctype html><html lang="en"><head><title>Page ${n}</title><meta name="description" content="Page ${n} of a site">
<link rel="stylesheet" href="/style/${n % 20}.css"><script src="/script/${n % 10}.js"></script></head><body><h1>Page ${n}</h1>
${Array.from({ length: 12 }, (_, i) => `<p id="p${i}">${n}.${i} ${PARAGRAPH.repeat(3)}</p>`).join('\n')}
<img src="/image/${n % 200}.png" alt="Picture ${n % 200}">
<ul>${links.map((target) => `<li><a href="/page/${target}.html">Page ${target}</a></li>`).join('')}</ul></body></html>`;
}

const PICTURE = Buffer.concat([
  Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
  Buffer.from(Array.from({ length: 4000 }, (_, i) => (i * i * 31 + i * 7) % 256)),
]);

function answerTo(path: string): { type: string; body: string | Buffer } | undefined {
  const [, kind, number = ''] = /^\/(page|style|script|image)\/(\d+)\.\w+$/.exec(path) ?? [];
  if (path === '/') return { type: 'text/html', body: pageOf(0) };
  if (kind === 'page' && Number(number) < pages) return { type: 'text/html', body: pageOf(Number(number)) };
  if (kind === 'style')
    return { type: 'text/css', body: `body { margin: ${number}px; background: url(/image/${number}.png) }` };
  if (kind === 'script') return { type: 'text/javascript', body: `var n = ${number};\n`.repeat(50) };
  if (kind === 'image') return { type: 'image/png', body: PICTURE };
  return undefined;
}

/** Made once, so that the site costs little: it shares the machine with those that are measured. */
const made = new Map<string, { type: string; body: Buffer }>();
function answerFrom(path: string): { type: string; body: Buffer } | undefined {
  const known = made.get(path);
  if (known) return known;
  const answer = answerTo(path);
  if (!answer) return undefined;
  const kept = { type: answer.type, body: Buffer.from(answer.body) };
  made.set(path, kept);
  return kept;
}
for (let n = 0; n < pages; n++) answerFrom(`/page/${n}.html`);

const server = createServer((request, response) => {
  if (logs === '1') process.send?.({ host: request.headers.host, at: performance.now() });
  const answer = answerFrom(request.url ?? '/');
  const send = () => {
    if (answer)
      response
        .writeHead(200, { 'content-type': answer.type, 'content-length': answer.body.length })
        .end(answer.body);
    else response.writeHead(404, { 'content-length': 0 }).end();
  };
  if (latencyMs > 0) setTimeout(send, latencyMs);
  else send();
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
