/** Who asks: made once per request, before anything is read. */
import { parse as parseCookies } from 'hono/utils/cookie';
import { ANONYMOUS, type Viewer } from '../core/access.ts';
import { GarnerError } from '../core/errors.ts';
import type { Instant } from '../core/model.ts';
import type { HttpDeps, TokenSpec } from './deps.ts';
import { equalSecrets } from './secrets.ts';
import { findSession, SESSION_COOKIE } from './session.ts';

export interface ViewerRequest {
  readonly method: string;
  readonly headers: Headers;
  /** Of the socket. */
  readonly remoteAddress: string | undefined;
}

export interface ViewerRules {
  readonly tokens: readonly TokenSpec[];
  readonly trustedProxies: number;
  /** Scheme, host and port of our own pages. */
  readonly origins: readonly string[];
}

/** `groupsOf`: of whoever shows a name and password that a web server's password file knows. */
export async function findViewer(
  request: ViewerRequest,
  { groupsOf, ...rules }: ViewerRules & Pick<HttpDeps, 'groupsOf'>,
  now: Instant,
): Promise<Viewer> {
  const person = groupsOf && readBasic(request.headers.get('authorization') ?? '');
  const groups = person && (await groupsOf(person.user, person.password));
  return groups ? { ...ANONYMOUS, groups, ...placeOf(request, rules) } : readViewer(request, rules, now);
}

export function readViewer(request: ViewerRequest, rules: ViewerRules, now: Instant): Viewer {
  const placed = placeOf(request, rules);
  const token = findShownToken(request, rules, now);
  if (!token) return { ...ANONYMOUS, ...placed };
  return { role: token.role, groups: token.groups, token: token.name, ...placed };
}

function placeOf(request: ViewerRequest, rules: ViewerRules): Pick<Viewer, 'address'> {
  const address = clientAddress(request, rules);
  return address === undefined ? {} : { address };
}

/** The token whose secret this is. All are compared, so that time tells nothing. */
export function findToken(secret: string, tokens: readonly TokenSpec[]): TokenSpec | undefined {
  let found: TokenSpec | undefined;
  for (const token of tokens) if (equalSecrets(secret, token.secret)) found = token;
  return found;
}

function findShownToken(
  { method, headers }: ViewerRequest,
  { tokens }: ViewerRules,
  now: Instant,
): TokenSpec | undefined {
  const authorization = headers.get('authorization');
  if (authorization !== null) {
    const secret = readAuthorization(authorization);
    const token = secret === undefined ? undefined : findToken(secret, tokens);
    if (!token) throw new GarnerError('access.token', 'the token that was shown is not known here');
    return token;
  }
  // Browsers attach cookies to whatever a foreign page makes them send, so a cookie never changes anything.
  if (method !== 'GET' && method !== 'HEAD') return undefined;
  const cookie = parseCookies(headers.get('cookie') ?? '', SESSION_COOKIE)[SESSION_COOKIE];
  return cookie === undefined ? undefined : findSession(cookie, tokens, now);
}

/** `Bearer secret`, or `Basic` with the secret as password and any name. */
function readAuthorization(header: string): string | undefined {
  const [, scheme = '', credentials = ''] = /^(\S+) +(\S+)\s*$/.exec(header) ?? [];
  if (scheme.toLowerCase() === 'bearer') return credentials;
  return readBasic(header)?.password;
}

/** RFC 7617. */
function readBasic(header: string): { readonly user: string; readonly password: string } | undefined {
  const [, credentials = ''] = /^basic +(\S+)\s*$/i.exec(header) ?? [];
  const text = Buffer.from(credentials, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon < 0 ? undefined : { user: text.slice(0, colon), password: text.slice(colon + 1) };
}

/**
 * Rules may open items to networks. A page of another origin that runs in a browser inside such a network
 * must not read through it (answers to GET carry CORS headers), so its requests have no address.
 */
function clientAddress(
  { headers, remoteAddress }: ViewerRequest,
  { trustedProxies, origins }: ViewerRules,
): string | undefined {
  const origin = headers.get('origin');
  if (origin !== null && !origins.includes(origin)) return undefined;
  if (trustedProxies === 0) return remoteAddress;
  const hops = (headers.get('x-forwarded-for') ?? '')
    .split(',')
    .map((hop) => hop.trim())
    .filter(Boolean);
  // Each trusted proxy appends the address it saw; what stands before that is hearsay.
  return hops.at(-trustedProxies) ?? remoteAddress;
}
