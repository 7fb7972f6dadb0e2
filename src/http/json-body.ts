/** The body of a request that changes something, as JSON. */
import { GarnerError } from '../core/errors.ts';
import type { HttpContext } from './context.ts';

export async function readJsonBody(c: HttpContext): Promise<unknown> {
  // Only this type makes a browser ask first before another site may send it.
  if (!/^application\/json\b/i.test(c.req.header('content-type') ?? ''))
    throw new GarnerError('request.invalid', 'content-type: must be application/json');
  try {
    return await c.req.raw.json();
  } catch (cause) {
    throw new GarnerError('request.invalid', 'the body is not JSON', { cause });
  }
}
