/** GET of one address, as a stream: through redirects, never to where it may not go, never waiting for ever. */
import * as http from 'node:http';
import * as https from 'node:https';
import { GarnerError } from '../core/errors.ts';
import { connectionError } from './connection-error.ts';
import type { HostMap } from './host-map.ts';
import { checkLiteralHost, guardedLookup, systemResolve } from './public-address.ts';

export interface GuardedGet {
  readonly headers: Readonly<Record<string, string>>;
  readonly allowPrivate: boolean;
  /** How long the host may be silent, before and during its answer. */
  readonly idleMs: number;
  readonly maxBytes: number;
  /** Where names lead, if not where the DNS says. */
  readonly hosts?: Partial<HostMap>;
}

export interface GuardedAnswer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
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

function send(url: URL, { headers, allowPrivate, idleMs, hosts = {} }: GuardedGet) {
  const secure = url.protocol === 'https:';
  if (!secure && url.protocol !== 'http:')
    throw new GarnerError('http.redirect', `${url.href} is no address of the web`);
  checkLiteralHost(url.hostname, allowPrivate);
  const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
  const { resolveHost = systemResolve, portFor } = hosts;
  const port = Number(url.port || (secure ? 443 : 80));
  const request = (secure ? https : http).get(url, {
    ...(portFor && { port: portFor(url.hostname, port) }),
    agent: false,
    lookup: guardedLookup(allowPrivate, resolveHost),
    headers: { ...headers, host: url.host, 'accept-encoding': 'identity' },
  });
  request.setTimeout(idleMs, () => {
    request.destroy(new GarnerError('http.timeout', `${url.host} was silent for ${idleMs} ms`));
  });
  request.once('response', resolve);
  request.on('error', (error) => reject(connectionError(error, url.host)));
  return promise;
}

async function* readBody(
  response: http.IncomingMessage,
  url: URL,
  { maxBytes }: GuardedGet,
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
    throw new GarnerError('http.interrupted', `the answer of ${url.host} broke off`, { cause: error });
  } finally {
    if (!response.complete) response.destroy();
  }
}
