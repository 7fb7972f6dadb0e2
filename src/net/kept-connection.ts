/** Connections that are kept for the next request, and hosts that close them at that very moment. */
import type { ClientRequest } from 'node:http';
import { GarnerError } from '../core/errors.ts';

/**
 * Whether the request met a kept connection that its host was giving up: it never got there. Whoever may ask twice
 * asks again (RFC 9112 §9.3.1); the connection is gone then, so that this ends with a new one.
 */
export const metClosedDoor = (request: ClientRequest, error: unknown): boolean =>
  request.reusedSocket &&
  error instanceof GarnerError &&
  (error.details.code === 'ECONNRESET' || error.details.code === 'EPIPE');
