/**
 * Requests that break off before any route sees them. OAI-PMH owes an answer of its own even to an address
 * that is longer than all headers may be; whatever else is wrong gets the status that Node would give it.
 */
import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { MAX_FORM_BYTES } from '../publish/index.ts';

const OAI_START = /^(?:GET|HEAD) (\/oai(?:\/[A-Za-z0-9_-]+)?)\?/;
/** The client may still be sending; were the socket closed at once, it would not hear the answer. */
const LINGER_MS = 5000;

const STATUS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

interface ClientError extends Error {
  readonly code?: string;
  readonly rawPacket?: Buffer;
}

export function answerBrokenRequests(
  server: Server,
  fetchPath: (pathAndQuery: string) => Promise<Response>,
): void {
  const answered = new WeakSet<Duplex>();
  server.on('clientError', (error: ClientError, socket: Duplex) => {
    if (answered.has(socket)) return;
    answered.add(socket);
    if (!socket.writable || error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    const path = OAI_START.exec(error.rawPacket?.subarray(0, 200).toString('latin1') ?? '')?.[1];
    if (error.code !== 'HPE_HEADER_OVERFLOW' || path === undefined) {
      socket.end(
        `HTTP/1.1 ${STATUS[error.code ?? ''] ?? '400 Bad Request'}\r\nConnection: close\r\n\r\n`,
        () => socket.destroy(),
      );
      return;
    }
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
    // The arguments do not matter any more, only that they are too long.
    fetchPath(`${path}?${'x'.repeat(MAX_FORM_BYTES + 1)}`).then(
      async (response) => {
        const body = Buffer.from(await response.arrayBuffer());
        const type = response.headers.get('content-type') ?? 'text/plain';
        socket.write(
          `HTTP/1.1 ${response.status} OK\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n`,
        );
        socket.end(body);
      },
      () => socket.destroy(),
    );
  });
}
