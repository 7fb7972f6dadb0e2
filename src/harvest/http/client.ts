/**
 * The HTTP client of all remote sources: one per job. It follows redirects, keeps the job's cookies,
 * unpacks bodies, waits when it is told to and tries again when that may help. Bodies are streams; what
 * breaks off inside of one is the caller's to ask for again (`http.interrupted`).
 */
import { GarnerError } from '../../core/errors.ts';
import { type CookieJar, createCookieJar } from '../../net/cookie-jar.ts';
import { checkLiteralHost, guardedLookup, systemResolve } from '../../net/public-address.ts';
import { parseRetryAfter } from '../../net/retry-after.ts';
import { ACCEPTED_CODINGS, decodeBody } from './decode-body.ts';
import { createAgents, type Exchange, exchange } from './exchange.ts';
import { createHostGate } from './host-gate.ts';
import { HTTP_DEFAULTS, type HttpAuth, type HttpPolicy, timingOf } from './policy.ts';

export interface HttpRequest {
  /** http or https; a fragment is ignored. */
  readonly url: string;
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT';
  /** Beside those of the policy; they go to other origins on redirects, so nothing secret belongs here. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
  /** Which statuses are answers and not failures. Default: 200 to 299. */
  readonly accept?: (status: number) => boolean;
  /** False leaves bodies packed that no header announces as packed (files to be kept). Default: true. */
  readonly sniff?: boolean;
  /** Tries in all; default: the policy's. */
  readonly attempts?: number;
  readonly signal?: AbortSignal;
}

export interface HttpResponse {
  readonly status: number;
  /** After redirects. */
  readonly url: string;
  /** Permanently moved to there (301 and 308 only on the way): worth remembering. */
  readonly movedTo?: string;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly rawHeaders: readonly string[];
  /** Unpacked. To be read to the end, left early, or discarded. */
  readonly body: AsyncIterable<Uint8Array>;
  readonly discard: () => void;
}

export interface HttpClient {
  request(request: HttpRequest): Promise<HttpResponse>;
  /** Reads the whole body; `http.too-large` beyond the limit. */
  read(
    request: HttpRequest,
    maxBytes: number,
  ): Promise<Omit<HttpResponse, 'body' | 'discard'> & { readonly bytes: Uint8Array }>;
  close(): void;
}

interface Hop {
  readonly answer: Exchange;
  readonly url: URL;
  readonly movedTo: string | undefined;
}

export function createHttpClient(policy: HttpPolicy): HttpClient {
  const settings = { ...HTTP_DEFAULTS, ...definedOf(policy) };
  const timing = timingOf(policy);
  const gate = policy.hostGate ?? createHostGate();
  const jar = createCookieJar(timing.clock);
  const allowPrivate = policy.allowPrivate === true;
  const transport = {
    agents: createAgents(),
    lookup: guardedLookup(allowPrivate, policy.resolveHost ?? systemResolve),
    ...(policy.portFor && { portFor: policy.portFor }),
  };

  const send = async (request: HttpRequest, url: URL, method: string, home: string): Promise<Exchange> => {
    checkLiteralHost(url.hostname, allowPrivate);
    await gate.enter(url.host, settings.delayMs, timing, request.signal);
    const body = method === 'GET' || method === 'HEAD' ? undefined : request.body;
    const answer = await exchange(
      {
        method,
        url,
        headers: requestHeaders(policy, request, jar, url, url.origin === home),
        ...(body !== undefined && { body: typeof body === 'string' ? Buffer.from(body) : body }),
        ...(request.signal && { signal: request.signal }),
      },
      settings,
      transport,
    );
    jar.store(url, answer.setCookies);
    return answer;
  };

  const follow = async (request: HttpRequest): Promise<Hop> => {
    let url = parseUrl(request.url);
    const home = url.origin;
    let method: string = request.method ?? 'GET';
    let movedTo: string | undefined;
    let permanent = true;
    for (let hops = 0; ; hops++) {
      const answer = await send(request, url, method, home);
      const location = answer.headers.get('location');
      if (!isRedirect(answer.status) || location === undefined) return { answer, url, movedTo };
      answer.discard();
      if (hops >= settings.maxRedirects)
        throw new GarnerError('http.redirect', `more than ${settings.maxRedirects} redirects`, {
          details: { url: request.url },
        });
      url = parseUrl(location, url);
      permanent &&= answer.status === 301 || answer.status === 308;
      if (permanent) movedTo = url.href;
      if (answer.status < 307 && method !== 'HEAD') method = 'GET';
    }
  };

  /** How long to wait before the next try; throws when there is none. */
  const pauseAfter = (failure: GarnerError, attempt: number, attempts: number, host: string): number => {
    const asked = failure.details.retryAfterMs;
    if (!isWorthRetrying(failure) || attempt >= attempts) throw failure;
    if (typeof asked === 'number') {
      if (asked > settings.maxRetryAfterMs) throw failure;
      gate.pause(host, timing.clock() + asked);
    }
    const most = Math.min(settings.maxBackoffMs, settings.backoffMs * 2 ** (attempt - 1));
    // "Equal jitter": at least half of it, so that a pause is one.
    const backoff = most / 2 + (most / 2) * timing.random();
    return Math.max(typeof asked === 'number' ? asked : 0, backoff);
  };

  const request = async (wanted: HttpRequest): Promise<HttpResponse> => {
    const accept = wanted.accept ?? ((status: number) => status >= 200 && status < 300);
    const attempts = wanted.attempts ?? settings.attempts;
    for (let attempt = 1; ; attempt++) {
      let failure: GarnerError;
      try {
        const hop = await follow(wanted);
        if (accept(hop.answer.status)) return respond(hop, wanted, settings.maxBodyBytes);
        hop.answer.discard();
        failure = statusError(hop, timing.clock());
      } catch (error) {
        if (!(error instanceof GarnerError)) throw error;
        failure = error;
      }
      await timing.sleep(pauseAfter(failure, attempt, attempts, parseUrl(wanted.url).host), wanted.signal);
    }
  };

  return {
    request,
    async read(wanted, maxBytes) {
      const { body, discard: _, ...rest } = await request(wanted);
      const chunks: Uint8Array[] = [];
      let size = 0;
      for await (const chunk of body) {
        size += chunk.length;
        if (size > maxBytes)
          throw new GarnerError('http.too-large', `${wanted.url} is larger than ${maxBytes} bytes`);
        chunks.push(chunk);
      }
      return { ...rest, bytes: Buffer.concat(chunks) };
    },
    close() {
      transport.agents.http.destroy();
      transport.agents.https.destroy();
    },
  };
}

function definedOf(policy: HttpPolicy): Partial<Record<keyof typeof HTTP_DEFAULTS, number>> {
  return Object.fromEntries(
    Object.keys(HTTP_DEFAULTS).flatMap((key) => {
      const value = policy[key as keyof typeof HTTP_DEFAULTS];
      return value === undefined ? [] : [[key, value]];
    }),
  );
}

function parseUrl(text: string, base?: URL): URL {
  // Header bytes come as Latin-1; a Location in raw UTF-8 is read as what it is.
  const readable = base ? Buffer.from(text, 'latin1').toString('utf8') : text;
  let url: URL;
  try {
    url = new URL(base && !readable.includes('\ufffd') ? readable : text, base);
  } catch (cause) {
    throw new GarnerError('http.redirect', `not an address: ${text}`, { cause });
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new GarnerError('http.address', `only http and https are fetched, not ${url.protocol}`);
  url.hash = '';
  return url;
}

const isRedirect = (status: number) =>
  status === 301 || status === 302 || status === 303 || status === 307 || status === 308;

function requestHeaders(
  policy: HttpPolicy,
  request: HttpRequest,
  jar: CookieJar,
  url: URL,
  atHome: boolean,
): Record<string, string> {
  const cookie = jar.headerFor(url);
  const headers: Record<string, string> = {
    'user-agent': policy.userAgent,
    'accept-encoding': ACCEPTED_CODINGS,
    ...lowerCased(request.headers),
    ...(cookie !== undefined && { cookie }),
  };
  if (!atHome) return headers;
  return {
    ...headers,
    ...(policy.auth && { authorization: authorization(policy.auth) }),
    ...lowerCased(policy.headers),
  };
}

const lowerCased = (headers: Readonly<Record<string, string>> = {}) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

function authorization(auth: HttpAuth): string {
  if (auth.kind === 'bearer') return `Bearer ${auth.token}`;
  return `Basic ${Buffer.from(`${auth.user}:${auth.password}`).toString('base64')}`;
}

/** 408, 429 and what a proxy says of a server in trouble; 500 too, which is often one bad moment. */
const PASSING_STATUSES: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504, 520, 522, 524]);

function isWorthRetrying(failure: GarnerError): boolean {
  if (failure.code !== 'http.status') return failure.retryable;
  return PASSING_STATUSES.has(Number(failure.details.status));
}

function statusError({ answer, url }: Hop, now: number): GarnerError {
  const retryAfterMs = parseRetryAfter(answer.headers.get('retry-after'), now);
  const patience =
    retryAfterMs === undefined ? '' : `, to be asked again in ${Math.ceil(retryAfterMs / 1000)} s`;
  return new GarnerError('http.status', `${url.host} answered with status ${answer.status}${patience}`, {
    details: {
      status: answer.status,
      url: url.href,
      ...(retryAfterMs !== undefined && { retryAfterMs }),
    },
  });
}

function respond({ answer, url, movedTo }: Hop, wanted: HttpRequest, maxBytes: number): HttpResponse {
  return {
    status: answer.status,
    url: url.href,
    ...(movedTo !== undefined && { movedTo }),
    headers: answer.headers,
    rawHeaders: answer.rawHeaders,
    body: decodeBody(answer.body, {
      contentEncoding: answer.headers.get('content-encoding'),
      sniff: wanted.sniff ?? true,
      maxBytes,
    }),
    discard: answer.discard,
  };
}
