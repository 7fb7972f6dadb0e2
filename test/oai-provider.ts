/** A small OAI-PMH provider for tests: behaves well, until a test makes it misbehave. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ProviderRecord {
  readonly identifier: string;
  /** As the header has it. */
  readonly datestamp: string;
  readonly sets?: readonly string[];
  readonly deleted?: boolean;
  /** The element inside `metadata`; absent: oai_dc with `title`. */
  readonly metadata?: string;
  readonly title?: string;
  readonly about?: string;
}

export interface Question {
  readonly verb: string;
  readonly args: URLSearchParams;
  /** The raw query string. */
  readonly query: string;
  /** How often this very address was asked for, from 1. */
  readonly visit: number;
  readonly request: IncomingMessage;
}

export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Instead of all that. */
  readonly raw?: (response: ServerResponse) => void;
}

export type Behaviour = (question: Question) => Answer;

export const START = Date.UTC(2020, 0, 1);
export const stamp = (i: number, stepMs = 1_000_000): string =>
  `${new Date(START + i * stepMs).toISOString().slice(0, 19)}Z`;

/** `count` records, each newer than the one before. */
export function makeRecords(
  count: number,
  change: (i: number) => Partial<ProviderRecord> = () => ({}),
): ProviderRecord[] {
  return Array.from({ length: count }, (_, i) => ({
    identifier: `oai:t.example:${i + 1}`,
    datestamp: stamp(i),
    title: `Record ${i + 1}`,
    ...change(i),
  }));
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

export const dublinCore = (title: string): string =>
  `<oai_dc:dc xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${title}</dc:title></oai_dc:dc>`;

export function headerXml({ identifier, datestamp, sets = [], deleted }: ProviderRecord): string {
  return `<header${deleted ? ' status="deleted"' : ''}><identifier>${escaped(identifier)}</identifier><datestamp>${datestamp}</datestamp>${sets.map((set) => `<setSpec>${set}</setSpec>`).join('')}</header>`;
}

export function recordXml(record: ProviderRecord): string {
  const metadata = record.metadata ?? dublinCore(escaped(record.title ?? 'Untitled'));
  return `<record>${headerXml(record)}${record.deleted && record.metadata === undefined ? '' : `<metadata>${metadata}</metadata>`}${record.about ? `<about>${record.about}</about>` : ''}</record>`;
}

export const RESPONSE_DATE = '2026-01-01T00:00:00Z';

export function envelope(body: string, responseDate: string = RESPONSE_DATE): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://www.openarchives.org/OAI/2.0/ http://www.openarchives.org/OAI/2.0/OAI-PMH.xsd">\n<responseDate>${responseDate}</responseDate>\n<request>http://t.example/oai</request>\n${body}\n</OAI-PMH>\n`;
}

export const errorXml = (code: string, message = ''): string =>
  envelope(`<error code="${code}">${message}</error>`);

export interface ProviderOptions {
  readonly pageSize?: number;
  readonly granularity?: string;
  readonly deletedRecord?: string;
  readonly earliestDatestamp?: string;
  readonly responseDate?: string;
  /** completeListSize and cursor on the token. */
  readonly sizes?: boolean;
  /** Which records belong to the list of a prefix. */
  readonly prefixes?: readonly string[];
  /** The token that leads to the page from `offset` on; undefined: none. */
  readonly token?: (offset: number, total: number) => string | undefined;
  readonly readToken?: (token: string) => number | undefined;
}

/** A provider as the specification wants it, over whatever records there are at the moment. */
export function provider(
  records: readonly ProviderRecord[] | (() => readonly ProviderRecord[]),
  options: ProviderOptions = {},
): Behaviour {
  const {
    pageSize = 4,
    granularity = 'YYYY-MM-DDThh:mm:ssZ',
    deletedRecord = 'persistent',
    earliestDatestamp = stamp(0),
    responseDate,
    prefixes = ['oai_dc'],
    sizes = false,
  } = options;
  const current = () => (typeof records === 'function' ? records() : records);
  const writeToken = (offset: number, args: URLSearchParams) => {
    const rest = new URLSearchParams(args);
    rest.delete('verb');
    return `${offset}!${Buffer.from(rest.toString()).toString('base64url')}`;
  };
  return ({ verb, args }) => {
    const ok = (body: string): Answer => ({ body: envelope(body, responseDate) });
    if (verb === 'Identify')
      return ok(
        `<Identify><repositoryName>Test</repositoryName><baseURL>http://t.example/oai</baseURL><protocolVersion>2.0</protocolVersion><adminEmail>a@t.example</adminEmail><earliestDatestamp>${earliestDatestamp}</earliestDatestamp><deletedRecord>${deletedRecord}</deletedRecord><granularity>${granularity}</granularity></Identify>`,
      );
    if (verb === 'ListMetadataFormats')
      return ok(
        `<ListMetadataFormats>${prefixes.map((prefix) => `<metadataFormat><metadataPrefix>${prefix}</metadataPrefix><schema>http://t.example/${prefix}.xsd</schema><metadataNamespace>http://t.example/${prefix}</metadataNamespace></metadataFormat>`).join('')}</ListMetadataFormats>`,
      );
    if (verb === 'ListSets')
      return ok('<ListSets><set><setSpec>a</setSpec><setName>A</setName></set></ListSets>');
    if (verb === 'GetRecord') {
      const found = current().find(({ identifier }) => identifier === args.get('identifier'));
      return found ? ok(`<GetRecord>${recordXml(found)}</GetRecord>`) : { body: errorXml('idDoesNotExist') };
    }
    if (verb !== 'ListRecords' && verb !== 'ListIdentifiers') return { body: errorXml('badVerb') };
    const token = args.get('resumptionToken');
    let offset = 0;
    let asked = args;
    if (token !== null) {
      const own = options.readToken?.(token);
      const [, at, rest] = /^(\d+)!(.*)$/.exec(token) ?? [];
      if (own !== undefined) offset = own;
      else if (at !== undefined && !options.readToken) {
        offset = Number(at);
        asked = new URLSearchParams(Buffer.from(rest ?? '', 'base64url').toString());
      } else return { body: errorXml('badResumptionToken', 'expired') };
    } else if (!prefixes.includes(args.get('metadataPrefix') ?? ''))
      return { body: errorXml('cannotDisseminateFormat') };
    const listed = select(current(), asked);
    if (listed.length === 0) return ok('<error code="noRecordsMatch"></error>');
    const page = listed.slice(offset, offset + pageSize);
    const next = offset + pageSize;
    const nextToken = options.token
      ? options.token(next, listed.length)
      : next < listed.length
        ? writeToken(next, asked)
        : undefined;
    const sizeAttributes = sizes ? ` completeListSize="${listed.length}" cursor="${offset}"` : '';
    const tokenXml =
      nextToken === undefined && !(sizes && listed.length > pageSize)
        ? ''
        : `<resumptionToken${sizeAttributes}>${escaped(nextToken ?? '')}</resumptionToken>`;
    const write = verb === 'ListRecords' ? recordXml : headerXml;
    return ok(`<${verb}>${page.map(write).join('\n')}${tokenXml}</${verb}>`);
  };
}

/** By from, until and set; both ends inclusive. */
export function select(records: readonly ProviderRecord[], args: URLSearchParams): ProviderRecord[] {
  const from = args.get('from') ?? '';
  const until = args.get('until');
  const set = args.get('set');
  return records.filter(
    ({ datestamp, sets = [] }) =>
      (from === '' || datestamp.slice(0, from.length) >= from) &&
      (until === null || datestamp.slice(0, until.length) <= until) &&
      (set === null || sets.includes(set)),
  );
}

export interface TestServer {
  readonly url: string;
  /** Every query string that came, by path. */
  readonly log: { readonly path: string; readonly query: string }[];
  close(): void;
}

/** Every behaviour on its own path. */
export async function serveProviders(behaviours: ReadonlyMap<string, Behaviour>): Promise<TestServer> {
  const log: { path: string; query: string }[] = [];
  const visits = new Map<string, number>();
  const server: Server = createServer((request, response) => {
    const [path = '', query = ''] = (request.url ?? '').split(/\?(.*)/s, 2);
    const behaviour = behaviours.get(path);
    const visit = (visits.get(request.url ?? '') ?? 0) + 1;
    visits.set(request.url ?? '', visit);
    log.push({ path, query });
    if (!behaviour) {
      response.writeHead(404, { 'content-type': 'text/html' }).end('<html><title>Not found</title></html>');
      return;
    }
    const args = new URLSearchParams(query);
    const answer = behaviour({ verb: args.get('verb') ?? '', args, query, visit, request });
    if (answer.raw) answer.raw(response);
    else
      response
        .writeHead(answer.status ?? 200, { 'content-type': 'text/xml; charset=utf-8', ...answer.headers })
        .end(answer.body ?? '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    log,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
