/** The methods that something answers at a path, by the routes that are registered. */
import type { Hono } from 'hono';
import type { HttpEnv } from './context.ts';

const ASKED = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Empty: there is nothing at that path. */
export function allowedMethods({ router }: Pick<Hono<HttpEnv>, 'router'>, path: string): readonly string[] {
  // What goes before all routes is registered for any method.
  const found = ASKED.filter((method) =>
    router.match(method, path)[0].some(([[, route]]) => route.method === method),
  );
  if (found.length === 0) return [];
  return [...found, ...(found.includes('GET') ? ['HEAD'] : []), 'OPTIONS'];
}
