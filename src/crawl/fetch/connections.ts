/** Connections to origins: opened within limits, kept for further exchanges, guarded against inner networks. */
import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2';
import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls, TLSSocket } from 'node:tls';
import { GarnerError } from '../../core/errors.ts';
import { connectionError } from '../../net/connection-error.ts';
import type { PortFor } from '../../net/host-map.ts';
import { checkLiteralHost } from '../../net/public-address.ts';

export interface ConnectionOptions {
  readonly allowPrivate: boolean;
  readonly insecureTls: boolean;
  readonly connectMs: number;
  readonly lookup: LookupFunction;
  readonly portFor?: PortFor;
}

export type Connection =
  | { readonly kind: 'h1'; readonly socket: Socket; readonly reused: boolean }
  | { readonly kind: 'h2'; readonly session: ClientHttp2Session; readonly socket: Socket };

const MAX_IDLE = 64;
const IDLE_MS = 15_000;

export class Connections {
  readonly #options: ConnectionOptions;
  readonly #idle = new Map<string, { socket: Socket; sinceAt: number }[]>();
  #idleCount = 0;
  /** What a TLS origin speaks, once somebody has asked. */
  readonly #spoken = new Map<string, Promise<ClientHttp2Session | 'h1'>>();

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  async take(url: URL, fresh = false): Promise<Connection> {
    const waiting = this.#idle.get(url.origin);
    while (!fresh && waiting && waiting.length > 0) {
      const { socket, sinceAt } = waiting.pop() ?? {};
      this.#idleCount--;
      if (!socket || socket.destroyed || !socket.readable) continue;
      if (performance.now() - (sinceAt ?? 0) < IDLE_MS) return { kind: 'h1', socket, reused: true };
      socket.destroy();
    }
    if (url.protocol === 'http:') return { kind: 'h1', socket: await this.#open(url), reused: false };
    return this.#takeSecure(url);
  }

  async #takeSecure(url: URL): Promise<Connection> {
    const spoken = await this.#spoken.get(url.origin)?.catch(() => undefined);
    if (spoken === 'h1') return { kind: 'h1', socket: await this.#open(url, ['http/1.1']), reused: false };
    if (spoken && !spoken.closed && !spoken.destroyed && spoken.socket)
      return { kind: 'h2', session: spoken, socket: spoken.socket };
    const opening = this.#open(url, ['h2', 'http/1.1']);
    const learnt = opening.then((socket) =>
      socket instanceof TLSSocket && socket.alpnProtocol === 'h2' ? startHttp2(url, socket) : 'h1',
    );
    learnt.catch(() => this.#spoken.delete(url.origin));
    this.#spoken.set(url.origin, learnt);
    const [socket, session] = await Promise.all([opening, learnt]);
    return session === 'h1' ? { kind: 'h1', socket, reused: false } : { kind: 'h2', session, socket };
  }

  give(url: URL, socket: Socket): void {
    if (socket.destroyed || this.#idleCount >= MAX_IDLE) {
      socket.destroy();
      return;
    }
    socket.once('close', () => this.#forget(url.origin, socket));
    const list = this.#idle.get(url.origin) ?? [];
    list.push({ socket, sinceAt: performance.now() });
    this.#idleCount++;
    this.#idle.set(url.origin, list);
  }

  #forget(origin: string, socket: Socket): void {
    const list = this.#idle.get(origin);
    const at = list?.findIndex((entry) => entry.socket === socket) ?? -1;
    if (!list || at < 0) return;
    list.splice(at, 1);
    this.#idleCount--;
    if (list.length === 0) this.#idle.delete(origin);
  }

  #open(url: URL, protocols?: string[]): Promise<Socket> {
    const { allowPrivate, insecureTls, connectMs, lookup, portFor } = this.#options;
    const host = url.hostname.replace(/^\[|\]$/g, '');
    checkLiteralHost(host, allowPrivate);
    const named = Number(url.port || (protocols ? 443 : 80));
    const port = portFor?.(host, named) ?? named;
    return new Promise((resolve, reject) => {
      const socket = protocols
        ? connectTls({
            host,
            port,
            lookup,
            ALPNProtocols: protocols,
            rejectUnauthorized: !insecureTls,
            ...(isIP(host) === 0 && { servername: host }),
          })
        : connectTcp({ host, port, lookup });
      const timer = setTimeout(() => {
        socket.destroy();
        reject(new GarnerError('http.timeout', `no connection to ${url.host} within ${connectMs} ms`));
      }, connectMs);
      socket.setNoDelay(true);
      socket.once(protocols ? 'secureConnect' : 'connect', () => {
        clearTimeout(timer);
        resolve(socket);
      });
      socket.once('error', (error) => {
        clearTimeout(timer);
        socket.destroy();
        reject(connectionError(error, url.host));
      });
    });
  }

  close(): void {
    for (const list of this.#idle.values()) for (const { socket } of list) socket.destroy();
    this.#idle.clear();
    for (const spoken of this.#spoken.values())
      spoken.then(
        (session) => {
          if (session !== 'h1') session.destroy();
        },
        () => {},
      );
    this.#spoken.clear();
  }
}

function startHttp2(url: URL, socket: TLSSocket): ClientHttp2Session {
  const session = connectHttp2(url.origin, { createConnection: () => socket });
  // Requests under way hear of it themselves.
  session.on('error', () => {});
  return session;
}
