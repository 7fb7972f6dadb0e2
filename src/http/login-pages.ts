/** /login and /logout: a token shown once becomes a cookie for reading pages. */
import type { Hono } from 'hono';
import { deleteCookie, setCookie } from 'hono/cookie';
import { GarnerError } from '../core/errors.ts';
import type { PortalAssets } from '../portal/assets.ts';
import { renderLoginPage } from '../portal/login-page.ts';
import { type HttpContext, type HttpEnv, signedInAs } from './context.ts';
import type { HttpDeps } from './deps.ts';
import { SESSION_COOKIE, SESSION_MS, writeSession } from './session.ts';
import { siteFor } from './site.ts';
import { findToken } from './viewer.ts';

export function addLoginPages(
  app: Hono<HttpEnv>,
  deps: HttpDeps,
  assets: PortalAssets,
  origins: readonly string[],
): void {
  const cookie = {
    path: '/',
    httpOnly: true,
    sameSite: 'Lax',
    secure: deps.repository.baseUrl.startsWith('https:'),
  } as const;

  app.get('/login', (c) => c.html(renderLoginPage(siteFor(c, deps, assets), signedInAs(c), false)));

  app.post('/login', async (c) => {
    demandOwnPage(c, origins);
    const { token: shown } = await c.req.parseBody();
    const token = typeof shown === 'string' ? findToken(shown.trim(), deps.tokens) : undefined;
    if (!token) return c.html(renderLoginPage(siteFor(c, deps, assets), undefined, true), 401);
    setCookie(c, SESSION_COOKIE, writeSession(token, deps.clock()), { ...cookie, maxAge: SESSION_MS / 1000 });
    return c.redirect('/', 303);
  });

  app.post('/logout', (c) => {
    demandOwnPage(c, origins);
    deleteCookie(c, SESSION_COOKIE, cookie);
    return c.redirect('/', 303);
  });
}

/** Nobody else's page may sign a reader in or out, or send a form. */
export function demandOwnPage(c: HttpContext, origins: readonly string[]): void {
  const origin = c.req.header('origin');
  if (origin !== undefined && !origins.includes(origin) && origin !== new URL(c.req.url).origin)
    throw new GarnerError('access.origin', 'forms are taken from the pages of this site only');
}
