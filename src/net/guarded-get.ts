/** GET of one address, as a stream: through redirects, never to where it may not go, never waiting for ever. */
import * as http from 'node:http';
import * as https from 'node:https';
import { GarnerError } from '../core/errors.ts';
import { connectionError } from './connection-error.ts';
import type { HostMap } from './host-map.ts';
import { metClosedDoor } from './kept-connection.ts';
import { checkLiteralHost, guardedLookup, isPublicAddress, systemResolve } from './public-address.ts';

export interface GuardedGet {
  readonly headers: Readonly<Record<string, string>>;
  readonly allowPrivate: boolean;
  readonly maxBytes: number;
  /** How long the host may be silent, before and during its answer. */
  readonly idleMs?: number;
  /** Ends the whole of it; its reason is what is thrown then. */
  readonly signal?: AbortSignal;
  /** Where names lead, if not where the DNS says. */
  readonly hosts?: Partial<HostMap>;
  /** Connections that are kept; without them each request has one of its own. */
  readonly agents?: Agents;
}

export interface Agents {
  readonly http: http.Agent;
  readonly https: https.Agent;
}

export interface GuardedAnswer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  /** It came from an address that is not on the public internet. */
  readonly isPrivate: boolean;
  /** Ends the connection when left early. */
  readonly body: AsyncGenerator<Uint8Array>;
  /** For an answer whose body nobody reads. */
  discard(): void;
}

const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

export async function guardedGet(address: string, options: GuardedGet): Promise<GuardedAnswer> {
  let url = new URL(address);
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    const response = await send(url, options);
    const { location } = response.headers;
    const status = response.statusCode ?? 0;
    if (!REDIRECTS.has(status) || location === undefined)
      return {
        status,
        headers: response.headers,
        isPrivate: !isPublicAddress(response.socket.remoteAddress ?? ''),
        body: readBody(response, url, options),
        discard: () => {
          response.destroy();
        },
      };
    response.destroy();
    if (!URL.canParse(location, url)) break;
    url = new URL(location, url);
  }
  throw new GarnerError('http.redirect', `${address} leads in a circle, or to no address`);
}

function send(url: URL, options: GuardedGet): Promise<http.IncomingMessage> {
  const { headers, allowPrivate, idleMs, signal, hosts = {}, agents } = options;
  const secure = url.protocol === 'https:';
  if (!secure && url.protocol !== 'http:')
    throw new GarnerError('http.redirect', `${url.href} is no address of the web`);
  checkLiteralHost(url.hostname, allowPrivate);
  const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
  const { resolveHost = systemResolve, portFor } = hosts;
  const port = Number(url.port || (secure ? 443 : 80));
  const request = (secure ? https : http).get(url, {
    ...(portFor && { port: portFor(url.hostname, port) }),
    agent: agents?.[secure ? 'https' : 'http'] ?? false,
    lookup: guardedLookup(allowPrivate, resolveHost),
    headers: { ...headers, host: url.host, 'accept-encoding': 'identity' },
    ...(signal && { signal }),
  });
  if (idleMs !== undefined)
    request.setTimeout(idleMs, () => {
      request.destroy(new GarnerError('http.timeout', `${url.host} was silent for ${idleMs} ms`));
    });
  let answers = false;
  request.once('response', (response) => {
    answers = true;
    resolve(response);
  });
  request.on('error', (thrown) => {
    const error = signal?.aborted ? reasonOf(signal) : connectionError(thrown, url.host);
    if (!answers && metClosedDoor(request, error)) resolve(send(url, options));
    else reject(error);
  });
  return promise;
}

async function* readBody(
  response: http.IncomingMessage,
  url: URL,
  { maxBytes, signal }: GuardedGet,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  try {
    for await (const piece of response as AsyncIterable<Buffer>) {
      bytes += piece.length;
      if (bytes > maxBytes)
        throw new GarnerError('http.too-large', `${url.host} answers with more than ${maxBytes} bytes`);
      yield piece;
    }
  } catch (error) {
    if (error instanceof GarnerError) throw error;
    if (signal?.aborted) throw reasonOf(signal);
    throw new GarnerError('http.interrupted', `the answer of ${url.host} broke off`, { cause: error });
  } finally {
    if (!response.complete) response.destroy();
  }
}

const reasonOf = ({ reason }: AbortSignal): unknown =>
  reason instanceof GarnerError ? reason : new GarnerError('http.timeout', 'the question was given up');
