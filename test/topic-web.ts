/** A small web with engines of its own: pages by path on one loopback server, rankings by the name of the engine. */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

export interface TopicWeb {
  readonly origin: string;
  /** Paths by engine; replaced at will. */
  rankings: Readonly<Record<string, readonly string[]>>;
  /** HTML by path; a missing page is a 404. */
  pages: Readonly<Record<string, string | { readonly type: string; readonly body: string | Uint8Array }>>;
  /** Paths that were asked for, looks with `look ` before them. */
  readonly asked: string[];
  /** Called with each of them before the answer. */
  onRequest: (asked: string) => void | Promise<void>;
  close(): void;
}

export async function serveTopicWeb(): Promise<TopicWeb> {
  const server = createServer((request, response) => {
    void answer(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const web: TopicWeb = {
    origin,
    rankings: {},
    pages: {},
    asked: [],
    onRequest: () => {},
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', origin);
    const [, top = '', engine = ''] = url.pathname.split('/');
    const asked = `${request.headers.range === undefined ? '' : 'look '}${url.pathname}`;
    web.asked.push(asked);
    await web.onRequest(asked);
    const page = web.pages[url.pathname];
    if (top === 'engine') {
      const found = Number(url.searchParams.get('pageno') ?? 1) > 1 ? [] : (web.rankings[engine] ?? []);
      const results = found.map((path) => ({
        url: new URL(path, origin).href,
        title: titleOf(web.pages[path]) ?? path,
      }));
      response.end(JSON.stringify({ results }));
    } else if (url.pathname === '/robots.txt') response.end('User-agent: *\nDisallow: /closed/\n');
    else if (page === undefined) response.writeHead(404, { 'content-type': 'text/plain' }).end('not here');
    else if (typeof page === 'string')
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page);
    else response.writeHead(200, { 'content-type': page.type }).end(page.body);
  }
  return web;
}

/** As engines know it. */
function titleOf(found: TopicWeb['pages'][string] | undefined): string | undefined {
  return typeof found === 'string' ? /<title>([^<]*)/.exec(found)?.[1] : undefined;
}

export const page = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title></head><body><main><h1>${title}</h1>${body}</main></body></html>`;

interface TopicConfigParts {
  readonly depth?: number;
  /** Further keys, with a comma before. */
  readonly discover?: string;
  /** Further lines. */
  readonly more?: readonly string[];
}

/** A config file in that folder with one topic, CLOUDS, and one engine for each ranking. */
export function writeTopicConfig(
  folder: string,
  web: TopicWeb,
  { depth = 10, discover = '', more = [] }: TopicConfigParts = {},
): string {
  const file = join(folder, 'garner.yaml');
  const engines = Object.keys(web.rankings).map(
    (name) =>
      `  ${name}: { kind: searxng, url: ${web.origin}/engine/${name}, delayMs: 0, attempts: 1, allowPrivate: true }`,
  );
  writeFileSync(
    file,
    [
      'data: ./garner-data',
      `discover: { depth: ${depth}, allowPrivate: true, lookDelayMs: 0, crawl: { delayMs: 0, attempts: 1 }${discover} }`,
      'engines:',
      ...engines,
      'topics:',
      '  CLOUDS: { title: Cloud Climatology }',
      ...more,
      '',
    ].join('\n'),
  );
  return file;
}
