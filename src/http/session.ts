/**
 * Portal sessions without a table: a cookie with the token's name, an end and a MAC keyed by the token's
 * secret. They survive restarts, and end when the secret is changed.
 */
import { createHmac } from 'node:crypto';
import type { Instant } from '../core/model.ts';
import type { TokenSpec } from './deps.ts';
import { equalSecrets } from './secrets.ts';

export const SESSION_COOKIE = 'garner_session';
export const SESSION_MS = 12 * 60 * 60 * 1000;

export function writeSession(token: TokenSpec, now: Instant): string {
  const endsAt = now + SESSION_MS;
  return `${token.name}.${endsAt}.${mac(token, endsAt)}`;
}

export function findSession(
  cookie: string,
  tokens: readonly TokenSpec[],
  now: Instant,
): TokenSpec | undefined {
  const [name, end, shown, ...rest] = cookie.split('.');
  const endsAt = Number(end);
  if (shown === undefined || rest.length > 0 || !Number.isSafeInteger(endsAt) || endsAt <= now)
    return undefined;
  const token = tokens.find((known) => known.name === name);
  return token && equalSecrets(shown, mac(token, endsAt)) ? token : undefined;
}

function mac(token: TokenSpec, endsAt: Instant): string {
  return createHmac('sha256', token.secret)
    .update(`garner-session\n${token.name}\n${endsAt}`)
    .digest('base64url');
}
