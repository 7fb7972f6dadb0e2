/** Bodies of requests are held up to a limit, whether their length is announced or not. */
import type { MiddlewareHandler } from 'hono';
import { GarnerError } from '../core/errors.ts';
import type { HttpEnv } from './context.ts';

export function limitBody(maxBytes: number): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const { raw } = c.req;
    const announced = raw.headers.get('content-length');
    if (announced !== null) {
      if (Number(announced) > maxBytes) throw tooLong(maxBytes);
    } else if (raw.body) {
      const body = await readWhole(raw.body, maxBytes);
      // From its parts: the server's own kind of request cannot be handed to the constructor.
      const { url, method, headers, signal } = raw;
      c.req.raw = new Request(url, { method, headers, signal, body });
    }
    await next();
  };
}

export async function readWhole(
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) throw tooLong(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const tooLong = (maxBytes: number) =>
  new GarnerError('request.invalid', `the body: at most ${maxBytes} bytes`);
