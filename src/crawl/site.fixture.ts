/** Web sites on the loopback under any host name, for tests: one server, told apart by the Host header. */
import { rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import type { ResolveHost } from '../net/public-address.ts';
import type { GarnerStore } from '../store/index.ts';
import { openStore } from '../store/open.ts';

export type SiteHandler = (request: IncomingMessage, response: ServerResponse, host: string) => void;

export interface Site {
  readonly port: number;
  url(host: string, path: string): string;
  /** Requests in order, as `host/path`. */
  readonly hits: string[];
  readonly resolveHost: ResolveHost;
  close(): Promise<void>;
}

export async function serveSite(handler: SiteHandler): Promise<Site> {
  const hits: string[] = [];
  const server = createServer((request, response) => {
    const host = (request.headers.host ?? '').replace(/:\d+$/, '');
    hits.push(`${host}${request.url}`);
    handler(request, response, host);
  });
  server.keepAliveTimeout = 30_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: (host, path) => `http://${host}:${port}${path}`,
    hits,
    resolveHost: () => Promise.resolve(['127.0.0.1']),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export function sendHtml(response: ServerResponse, body: string, headers: Record<string, string> = {}): void {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers });
  response.end(`<!doctype html><title>t</title>${body}`);
}

export const anchors = (...paths: readonly string[]): string =>
  paths.map((path) => `<a href="${path}">${path}</a>`).join('\n');

/** With an archive named `web`. */
export const openWebStore = (folder: string): Promise<GarnerStore> =>
  openStore(
    {
      folder,
      fields: [],
      extractionDigest: 'x',
      sources: [{ name: 'web', access: { public: true } }],
      views: [],
      repositoryIdentifier: 'garner.example',
    },
    { threads: 0 },
  );

/** An archive named `web`; it, the site and the folder go away with the test. */
export async function openCrawlStore(t: TestContext, folder: string, site: Site): Promise<GarnerStore> {
  const store = await openWebStore(folder);
  t.after(async () => {
    await store.close();
    await site.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return store;
}
