/** A store, extraction without threads, and a host of our own to harvest from: what tests of remote sources share. */
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OPERATOR } from '../../core/access.ts';
import { createFormatRegistry } from '../../formats/registry.ts';
import { MATCH_ALL } from '../../query/ast.ts';
import type { GarnerStore } from '../../store/index.ts';
import { openStore } from '../../store/open.ts';
import { createExtraction } from '../extract-record.ts';
import type { HttpClient } from '../http/index.ts';
import type { Ingest } from '../ingest.ts';
import { createBoundClient } from './bound-client.ts';

export interface Answer {
  readonly status?: number;
  readonly type?: string;
  readonly body: string | Uint8Array;
}

/** By path with query; undefined: 404. */
export type Respond = (
  target: string,
  request: IncomingMessage,
  body: string,
) => Answer | string | undefined | Promise<Answer | string | undefined>;

export interface Origin {
  readonly url: string;
  readonly client: HttpClient;
  /** Every request: method and target. */
  readonly asked: string[];
  close(): Promise<void>;
}

export async function startOrigin(respond: Respond): Promise<Origin> {
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    asked.push(`${request.method} ${request.url}`);
    const given = await respond(request.url ?? '/', request, body);
    const answer = typeof given === 'string' ? { body: given } : given;
    response.writeHead(answer ? (answer.status ?? 200) : 404, {
      'content-type': answer?.type ?? 'text/html',
    });
    response.end(answer?.body ?? 'nothing here');
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = createBoundClient(
    {
      userAgent: 'test',
      allowPrivate: true,
      attempts: 2,
      sleep: async () => {},
      auth: { kind: 'bearer', token: 'secret' },
    },
    url,
  );
  return {
    url,
    client,
    asked,
    close: async () => {
      client.close();
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

export const formats = createFormatRegistry();

export interface Keep {
  readonly store: GarnerStore;
  readonly ingest: Ingest;
  readonly formats: typeof formats;
  /** Identifiers of all live items, sorted. */
  identifiers(): Promise<string[]>;
  /** Of one live item. */
  fields(identifier: string): Promise<Readonly<Record<string, readonly unknown[]>>>;
  close(): Promise<void>;
}

/** One source, named `there`. */
export async function openKeep(): Promise<Keep> {
  const folder = await mkdtemp(join(tmpdir(), 'garner-harvest-'));
  const store = await openStore(
    {
      folder,
      fields: formats.fieldSpecs(),
      sources: [{ name: 'there', access: { public: true } }],
      views: [],
      repositoryIdentifier: 'test.example.org',
    },
    { threads: 0 },
  );
  const extractOne = createExtraction({ formats, validation: 'report' });
  return {
    store,
    formats,
    ingest: {
      extract: async (pieces) => {
        const results = pieces.map((piece) => extractOne(piece));
        return {
          records: results.flatMap(({ record }) => (record ? [record] : [])),
          problems: results.flatMap(({ problems }) => problems),
        };
      },
      close: async () => {},
    },
    identifiers: async () => {
      const { hits } = await store.search.search({ query: MATCH_ALL, limit: 1000 }, OPERATOR);
      return hits.map(({ identifier }) => identifier).sort();
    },
    fields: async (identifier) => {
      const item = await store.items.findItem({ source: 'there', identifier }, OPERATOR);
      return item?.fields ?? {};
    },
    close: async () => {
      await store.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A record in Dublin Core, as a file holds it. */
export const dublinCore = (identifier: string, title: string): string =>
  `<oai_dc:dc xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/" xmlns:dc="http://purl.org/dc/elements/1.1/">` +
  `<dc:identifier>${identifier}</dc:identifier><dc:title>${title}</dc:title></oai_dc:dc>`;
