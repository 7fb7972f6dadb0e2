/** One question to a server of the network and its whole answer: bounded in time and size, only where it may go. */
import * as http from 'node:http';
import * as https from 'node:https';
import { GarnerError } from '../../core/errors.ts';
import { connectionError } from '../../net/connection-error.ts';
import type { HostMap } from '../../net/host-map.ts';
import { checkLiteralHost, guardedLookup, isPublicAddress, systemResolve } from '../../net/public-address.ts';

export interface ServerRequest {
  readonly url: string;
  /** Of the answer that is known already. */
  readonly etag?: string;
  readonly allowPrivate: boolean;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

export interface ServerAnswer {
  readonly status: number;
  readonly etag?: string;
  /** Empty for 304. */
  readonly body: Uint8Array;
  /** It came from an address that is not on the public internet. */
  readonly isPrivate: boolean;
}

export type Exchange = (request: ServerRequest) => Promise<ServerAnswer>;

export interface HttpExchange {
  readonly exchange: Exchange;
  readonly close: () => void;
}

const MAX_REDIRECTS = 3;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** `hosts`: names that lead elsewhere than the DNS says. */
export function createHttpExchange(userAgent: string, hosts: Partial<HostMap> = {}): HttpExchange {
  const { resolveHost = systemResolve, portFor } = hosts;
  const options = { keepAlive: true, maxSockets: 4, maxTotalSockets: 128, timeout: 60_000 };
  const makeAgents = () => ({ http: new http.Agent(options), https: new https.Agent(options) });
  // Apart: a connection that is kept is not looked up again, so it would lead those inside who may not go there.
  const open = { anywhere: makeAgents(), publicOnly: makeAgents() };

  async function send(url: URL, request: ServerRequest): Promise<http.IncomingMessage> {
    const secure = url.protocol === 'https:';
    if (!secure && url.protocol !== 'http:')
      throw new GarnerError('http.redirect', `${url.href} is no address of a server`);
    checkLiteralHost(url.hostname, request.allowPrivate);
    const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
    const port = Number(url.port) || (secure ? 443 : 80);
    const sent = (secure ? https : http).get(url, {
      ...(portFor && { port: portFor(url.hostname, port) }),
      agent: open[request.allowPrivate ? 'anywhere' : 'publicOnly'][secure ? 'https' : 'http'],
      lookup: guardedLookup(request.allowPrivate, resolveHost),
      headers: {
        host: url.host,
        'user-agent': userAgent,
        accept: 'text/xml, application/xml;q=0.9',
        'accept-encoding': 'identity',
        ...(request.etag !== undefined && { 'if-none-match': request.etag }),
      },
      signal: request.signal,
    });
    sent.once('response', resolve);
    sent.on('error', (error) =>
      reject(request.signal.aborted ? asReason(request.signal) : connectionError(error, url.host)),
    );
    return promise;
  }

  const exchange: Exchange = async (request) => {
    let url = new URL(request.url);
    for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
      const response = await send(url, request);
      const status = response.statusCode ?? 0;
      const { location, etag } = response.headers;
      if (REDIRECTS.has(status) && location !== undefined) {
        response.destroy();
        if (!URL.canParse(location, url)) break;
        url = new URL(location, url);
        continue;
      }
      const isPrivate = !isPublicAddress(response.socket.remoteAddress ?? '');
      const body = await readBody(response, request);
      return { status, body, isPrivate, ...(etag !== undefined && { etag }) };
    }
    throw new GarnerError('http.redirect', `${request.url} leads in a circle`);
  };
  return {
    exchange,
    close() {
      for (const agents of Object.values(open)) {
        agents.http.destroy();
        agents.https.destroy();
      }
    },
  };
}

async function readBody(
  response: http.IncomingMessage,
  { maxBytes, signal, url }: ServerRequest,
): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > maxBytes)
        throw new GarnerError('http.too-large', `${url} answers with more than ${maxBytes} bytes`);
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof GarnerError) throw error;
    if (signal.aborted) throw asReason(signal);
    throw new GarnerError('http.interrupted', `the answer of ${url} broke off`, { cause: error });
  } finally {
    if (!response.complete) response.destroy();
  }
  return Buffer.concat(chunks);
}

const asReason = ({ reason }: AbortSignal): unknown =>
  reason instanceof GarnerError ? reason : new GarnerError('http.timeout', 'the question was given up');
