/** All hosts of the demo web on one loopback port, told apart by the name they are asked under. */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerEngine, ENGINE_HOSTS } from './engine-answers.ts';
import { writeHtml, writeStyle } from './page-html.ts';
import type { DemoWeb, WebPage } from './pages.ts';
import { createRankings } from './rankings.ts';
import { writePdf } from './write-pdf.ts';
import { writeFogPicture } from './write-png.ts';

export interface ServedWeb extends AsyncDisposable {
  /** For `net.hosts`: every name of the demo web. */
  readonly hosts: Readonly<Record<string, string>>;
}

/** Papers of the demo have DOIs; what follows them must not leave the machine either. */
const FOREIGN_HOSTS = ['doi.org', 'orcid.org'];

export async function serveDemoWeb(web: DemoWeb): Promise<ServedWeb> {
  const rankings = createRankings(web.pages);
  const sites = new Map(web.sites.map((site) => [site.host, site]));
  const pages = new Map(web.pages.map((page) => [page.url, page]));
  const server = createServer((request, response) => {
    const url = URL.parse(request.url ?? '/', `http://${request.headers.host ?? ''}`);
    const site = sites.get(url?.hostname ?? '');
    const page = url && pages.get(url.origin + url.pathname);
    const engine = url && answerEngine(url, rankings);
    if (engine) send(response, 200, engine.type, engine.body);
    else if (page) sendPage(response, page);
    else if (site && url?.pathname === '/style.css') send(response, 200, 'text/css', writeStyle(site));
    else if (site?.robots !== undefined && url?.pathname === '/robots.txt')
      send(response, 200, 'text/plain', site.robots);
    else send(response, 404, 'text/plain', 'There is nothing here.\n');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const place = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    hosts: Object.fromEntries(
      [...sites.keys(), ...ENGINE_HOSTS, ...FOREIGN_HOSTS].map((host) => [host, place]),
    ),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function sendPage(response: ServerResponse, page: WebPage): void {
  if (page.redirect !== undefined) response.writeHead(301, { location: page.redirect }).end();
  else if (page.gone) send(response, 410, 'text/plain', 'This page is gone.\n');
  else if (page.kind === 'pdf') send(response, 200, 'application/pdf', writePdf(page));
  else if (page.kind === 'png') send(response, 200, 'image/png', writeFogPicture());
  else send(response, 200, 'text/html; charset=utf-8', writeHtml(page));
}

function send(response: ServerResponse, status: number, type: string, body: string | Buffer): void {
  const bytes = Buffer.from(body);
  response.writeHead(status, { 'content-type': type, 'content-length': bytes.length }).end(bytes);
}
