/** Cookies of one job (RFC 6265), for servers that refuse whoever does not bring theirs back. */
import type { Clock } from '../core/time.ts';
import { parseHttpDate } from './retry-after.ts';

export interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly domain: string;
  readonly hostOnly: boolean;
  readonly path: string;
  readonly secure: boolean;
  readonly expiresAt: number;
}

/** Without a cookie: it is gone. */
export interface CookieChange {
  readonly key: string;
  readonly cookie?: Cookie;
}

export interface CookieJar {
  /** The Cookie header for a request, undefined when there is nothing to send. */
  headerFor(url: URL): string | undefined;
  /** Set-Cookie lines of an answer from there. */
  store(url: URL, lines: readonly string[]): void;
  /** What was set or went away since the last time, for those who keep the jar. */
  takeChanges(): readonly CookieChange[];
}

/** RFC 6265 §6.1 wants at least so many, in all and for each domain. */
const MAX_COOKIES = 3000;
const MAX_OF_DOMAIN = 50;

const keyOf = ({ domain, path, name }: Cookie): string => `${domain}\n${path}\n${name}`;

/** `known`: what a jar before this one held. */
export function createCookieJar(clock: Clock, known: readonly Cookie[] = []): CookieJar {
  /** By domain, each oldest first. */
  const domains = new Map<string, Map<string, Cookie>>();
  const changed = new Map<string, Cookie | undefined>();
  let size = 0;

  const drop = (domain: string, key: string): void => {
    const cookies = domains.get(domain);
    if (!cookies?.delete(key)) return;
    if (cookies.size === 0) domains.delete(domain);
    changed.set(key, undefined);
    size--;
  };
  const put = (cookie: Cookie): void => {
    const { domain } = cookie;
    const key = keyOf(cookie);
    drop(domain, key);
    const cookies = domains.get(domain) ?? new Map<string, Cookie>();
    domains.set(domain, cookies.set(key, cookie));
    changed.set(key, cookie);
    size++;
    if (cookies.size > MAX_OF_DOMAIN) drop(domain, cookies.keys().next().value ?? '');
    if (size <= MAX_COOKIES) return;
    const [first, oldest] = domains.entries().next().value ?? [];
    if (first !== undefined) drop(first, oldest?.keys().next().value ?? '');
  };
  for (const cookie of known) put(cookie);
  changed.clear();

  return {
    headerFor(url) {
      if (size === 0) return undefined;
      const now = clock();
      const fitting = domainsOf(url.hostname)
        .flatMap((domain) => [...(domains.get(domain)?.values() ?? [])])
        .filter((cookie) => fits(cookie, url) && cookie.expiresAt > now);
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
        if (cookie.expiresAt > clock()) put(cookie);
        else drop(cookie.domain, keyOf(cookie));
      }
    },
    takeChanges() {
      const changes = Array.from(changed, ([key, cookie]) => ({ key, ...(cookie && { cookie }) }));
      changed.clear();
      return changes;
    },
  };
}

/** `a.b.org`, `b.org`, `org`: whose cookies a host may be sent. */
function domainsOf(host: string): string[] {
  const domains = [host];
  for (let dot = host.indexOf('.'); dot >= 0; dot = host.indexOf('.', dot + 1))
    domains.push(host.slice(dot + 1));
  return domains;
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
