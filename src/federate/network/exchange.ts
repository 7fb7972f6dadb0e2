/** One question to a server of the network and its whole answer: bounded in time and size, only where it may go. */
import * as http from 'node:http';
import * as https from 'node:https';
import { type Agents, guardedGet } from '../../net/guarded-get.ts';
import type { HostMap } from '../../net/host-map.ts';

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

/** `hosts`: names that lead elsewhere than the DNS says. */
export function createHttpExchange(userAgent: string, hosts: Partial<HostMap> = {}): HttpExchange {
  const options = { keepAlive: true, maxSockets: 4, maxTotalSockets: 128, timeout: 60_000 };
  const makeAgents = (): Agents => ({ http: new http.Agent(options), https: new https.Agent(options) });
  // Apart: a connection that is kept is not looked up again, so it would lead those inside who may not go there.
  const open = { anywhere: makeAgents(), publicOnly: makeAgents() };
  return {
    async exchange({ url, etag, allowPrivate, maxBytes, signal }) {
      const answer = await guardedGet(url, {
        headers: {
          'user-agent': userAgent,
          accept: 'text/xml, application/xml;q=0.9',
          ...(etag !== undefined && { 'if-none-match': etag }),
        },
        allowPrivate,
        maxBytes,
        signal,
        hosts,
        agents: open[allowPrivate ? 'anywhere' : 'publicOnly'],
      });
      const { status, headers, isPrivate } = answer;
      const pieces: Uint8Array[] = [];
      for await (const piece of answer.body) pieces.push(piece);
      return {
        status,
        body: Buffer.concat(pieces),
        isPrivate,
        ...(headers.etag !== undefined && { etag: headers.etag }),
      };
    },
    close() {
      for (const agents of Object.values(open)) {
        agents.http.destroy();
        agents.https.destroy();
      }
    },
  };
}
