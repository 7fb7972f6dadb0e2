/** Cookies of one job (RFC 6265), for servers that refuse whoever does not bring theirs back. */
import type { Clock } from '../core/time.ts';
import { parseHttpDate } from './retry-after.ts';

interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly domain: string;
  readonly hostOnly: boolean;
  readonly path: string;
  readonly secure: boolean;
  readonly expiresAt: number;
}

export interface CookieJar {
  /** The Cookie header for a request, undefined when there is nothing to send. */
  headerFor(url: URL): string | undefined;
  /** Set-Cookie lines of an answer from there. */
  store(url: URL, lines: readonly string[]): void;
}

const MAX_COOKIES = 200;

export function createCookieJar(clock: Clock): CookieJar {
  const cookies = new Map<string, Cookie>();
  return {
    headerFor(url) {
      const now = clock();
      const fitting = [...cookies.values()].filter((cookie) => fits(cookie, url) && cookie.expiresAt > now);
      if (fitting.length === 0) return undefined;
      return fitting
        .sort((a, b) => b.path.length - a.path.length)
        .map(({ name, value }) => `${name}=${value}`)
        .join('; ');
    },
    store(url, lines) {
      for (const line of lines) {
        const cookie = parseCookie(line, url, clock());
        if (!cookie) continue;
        const key = `${cookie.domain}\n${cookie.path}\n${cookie.name}`;
        cookies.delete(key);
        if (cookie.expiresAt > clock()) cookies.set(key, cookie);
        if (cookies.size > MAX_COOKIES) cookies.delete(cookies.keys().next().value ?? '');
      }
    },
  };
}

function fits({ domain, hostOnly, path, secure }: Cookie, url: URL): boolean {
  const host = url.hostname;
  if (host !== domain && (hostOnly || !host.endsWith(`.${domain}`))) return false;
  if (secure && url.protocol !== 'https:') return false;
  return url.pathname === path || url.pathname.startsWith(path.endsWith('/') ? path : `${path}/`);
}

function parseCookie(line: string, url: URL, now: number): Cookie | undefined {
  const [pair = '', ...attributes] = line.split(';');
  const at = pair.indexOf('=');
  const name = pair.slice(0, Math.max(at, 0)).trim();
  if (name === '') return undefined;
  const given = new Map(
    attributes.map((attribute) => {
      const [key = '', ...value] = attribute.split('=');
      return [key.trim().toLowerCase(), value.join('=').trim()] as const;
    }),
  );
  const wanted = given.get('domain')?.replace(/^\./, '').toLowerCase() ?? '';
  // A cookie for a whole top-level domain, or for somebody else, is refused.
  const foreign = wanted !== '' && wanted !== url.hostname;
  if (foreign && !(wanted.includes('.') && url.hostname.endsWith(`.${wanted}`))) return undefined;
  const path = given.get('path');
  return {
    name,
    value: pair.slice(at + 1).trim(),
    domain: wanted === '' ? url.hostname : wanted,
    hostOnly: wanted === '',
    path: path?.startsWith('/') ? path : url.pathname.replace(/\/[^/]*$/, '') || '/',
    secure: given.has('secure'),
    expiresAt: expiry(given.get('max-age'), given.get('expires'), now),
  };
}

function expiry(maxAge: string | undefined, expires: string | undefined, now: number): number {
  if (maxAge !== undefined && /^-?\d+$/.test(maxAge)) return now + Number(maxAge) * 1000;
  return (expires === undefined ? undefined : parseHttpDate(expires, now)) ?? Number.POSITIVE_INFINITY;
}
