/** One request and one answer over one connection, with every wait bounded. No retries, no redirects. */
import * as http from 'node:http';
import * as https from 'node:https';
import type { LookupFunction } from 'node:net';
import { GarnerError } from '../../core/errors.ts';
import { connectionError } from '../../net/connection-error.ts';
import type { PortFor } from '../../net/host-map.ts';
import { metClosedDoor } from '../../net/kept-connection.ts';

export interface ExchangeLimits {
  readonly connectTimeoutMs: number;
  readonly idleTimeoutMs: number;
  readonly totalTimeoutMs: number;
}

export interface ExchangeRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  readonly signal?: AbortSignal;
}

export interface Agents {
  readonly http: http.Agent;
  readonly https: https.Agent;
}

export interface Exchange {
  readonly status: number;
  /** Names in lower case; repeated ones joined by a comma, as RFC 9110 §5.3 has it. */
  readonly headers: ReadonlyMap<string, string>;
  readonly setCookies: readonly string[];
  /** As sent: names, values, in order. */
  readonly rawHeaders: readonly string[];
  /** Not yet decompressed. Ends the connection when left early. */
  readonly body: AsyncIterable<Uint8Array>;
  /** For an answer whose body nobody reads. */
  readonly discard: () => void;
}

export function createAgents(): Agents {
  const options = { keepAlive: true, maxSockets: 8, maxTotalSockets: 64 };
  return { http: new http.Agent(options), https: new https.Agent(options) };
}

const MAX_HEADER_BYTES = 256 * 1024;

export async function exchange(
  { method, url, headers, body, signal }: ExchangeRequest,
  limits: ExchangeLimits,
  transport: { readonly agents: Agents; readonly lookup: LookupFunction; readonly portFor?: PortFor },
): Promise<Exchange> {
  const secure = url.protocol === 'https:';
  const port = Number(url.port || (secure ? 443 : 80));
  const send = async (): Promise<http.IncomingMessage> => {
    const request = (secure ? https : http).request(url, {
      method,
      port: transport.portFor?.(url.hostname, port) ?? port,
      // Else Node would name the port that is connected to.
      headers: { host: url.host, ...headers, ...(body && { 'content-length': String(body.length) }) },
      agent: secure ? transport.agents.https : transport.agents.http,
      lookup: transport.lookup,
      maxHeaderSize: MAX_HEADER_BYTES,
      // Providers are old: broken header lines are common and hurt nobody here.
      insecureHTTPParser: true,
      ...(signal && { signal }),
    });
    try {
      return await answerOf(request, body, limits, secure);
    } catch (error) {
      if ((method === 'GET' || method === 'HEAD') && metClosedDoor(request, error)) return send();
      throw error;
    }
  };
  const response = await send();
  return {
    status: response.statusCode ?? 0,
    headers: headerMap(response),
    setCookies: response.headers['set-cookie'] ?? [],
    rawHeaders: response.rawHeaders,
    body: readBody(response, limits, signal),
    discard: () => {
      response.destroy();
    },
  };
}

function headerMap(response: http.IncomingMessage): Map<string, string> {
  const headers = new Map<string, string>();
  const raw = response.rawHeaders;
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = raw[i]?.toLowerCase() ?? '';
    const before = headers.get(name);
    headers.set(name, before === undefined ? (raw[i + 1] ?? '') : `${before}, ${raw[i + 1]}`);
  }
  return headers;
}

function answerOf(
  request: http.ClientRequest,
  body: Uint8Array | undefined,
  limits: ExchangeLimits,
  secure: boolean,
): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout;
    const within = (limitMs: number, what: string) => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        request.destroy(new GarnerError('http.timeout', `${what} within ${limitMs} ms`));
      }, limitMs);
    };
    const connected = () => within(limits.idleTimeoutMs, `no answer from ${request.host}`);
    within(limits.connectTimeoutMs, `no connection to ${request.host}`);
    request.once('socket', (socket) => {
      if (!socket.connecting) connected();
      else socket.once(secure ? 'secureConnect' : 'connect', connected);
    });
    request.once('response', (response) => {
      clearTimeout(timer);
      resolve(response);
    });
    request.on('error', (error) => {
      clearTimeout(timer);
      reject(failureOf(error, request.host));
    });
    request.end(body);
  });
}

/** What the caller aborted stays the caller's; everything else becomes ours. */
const failureOf = (error: Error, host: string): unknown =>
  error.name === 'AbortError' ? (error.cause ?? error) : connectionError(error, host);

async function* readBody(
  response: http.IncomingMessage,
  limits: ExchangeLimits,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  const chunks = response[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  let waitedMs = 0;
  try {
    for (;;) {
      const startedAt = performance.now();
      const left = limits.totalTimeoutMs - waitedMs;
      const timer = setTimeout(
        () => {
          response.destroy(
            new GarnerError(
              'http.timeout',
              left < limits.idleTimeoutMs
                ? `the answer took longer than ${limits.totalTimeoutMs} ms`
                : `nothing more came within ${limits.idleTimeoutMs} ms`,
            ),
          );
        },
        Math.max(0, Math.min(limits.idleTimeoutMs, left)),
      );
      let step: IteratorResult<Buffer>;
      try {
        step = await chunks.next();
      } catch (error) {
        throw bodyError(error, signal);
      } finally {
        clearTimeout(timer);
      }
      waitedMs += performance.now() - startedAt;
      if (step.done) return;
      yield step.value;
    }
  } finally {
    if (!response.complete) response.destroy();
  }
}

function bodyError(error: unknown, signal: AbortSignal | undefined): unknown {
  if (error instanceof GarnerError) return error;
  if (signal?.aborted) return signal.reason;
  const reason = error instanceof Error ? error.message : String(error);
  return new GarnerError('http.interrupted', `the answer broke off: ${reason}`, { cause: error });
}
