/** What every handler can ask of its request. */
import type { Context } from 'hono';
import type { Viewer } from '../core/access.ts';
import { GarnerError } from '../core/errors.ts';
import { parseItemPath } from '../core/identifiers.ts';
import type { ItemRef } from '../core/model.ts';
import { type NodeBindings, rawTarget } from './raw-target.ts';

export interface HttpEnv {
  Bindings: NodeBindings;
  Variables: { viewer: Viewer };
}

export type HttpContext = Context<HttpEnv>;

export function targetOf(c: HttpContext): string {
  return rawTarget(c.req.raw, c.env);
}

/** The item that the path names after `prefix`. */
export function itemOf(c: HttpContext, prefix: string): ItemRef {
  const ref = parseItemPath(targetOf(c), prefix);
  if (!ref) throw new GarnerError('item.unknown', 'the address names no item');
  return ref;
}

/** Reading with more rights than everybody: pages say so, caches must not keep it. */
export function signedInAs(c: HttpContext): string | undefined {
  return c.get('viewer').token;
}
