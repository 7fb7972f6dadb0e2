/**
 * One key for all spellings of an address, so that two engines that mean the same page agree. The key is
 * for comparing only: what is shown and fetched is the address as an engine gave it.
 */

/** Parameters that tell who sent the visitor, not what is shown. */
const TRACKING =
  /^(?:utm_\w+|gclid|gclsrc|dclid|gbraid|wbraid|fbclid|msclkid|yclid|twclid|ttclid|igshid|mc_[ce]id|_ga|_gl|_hs(?:enc|mi)|mkt_tok|vero_id|oly_(?:anon|enc)_id|wt_mc|spm|ref_src)$/i;

/**
 * Nearly all addresses: a public name, and a path in which nothing has two spellings (no escape, no empty or dotted
 * segment, no argument). The names that are left out are those of `refuse`.
 */
const PLAIN =
  /^https?:\/\/[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?!(?:localhost|local|localdomain|internal|intranet|lan|arpa|test|invalid)(?:\/|$))[a-z]{2,63}(?:\/(?!\.\.?(?:\/|$))[A-Za-z0-9._~!$&'()*+,;=:@-]+)*\/?$/;
const SLASH = 47;

/** The key of a plain address, which `refuse` lets pass; undefined for all others. A piece of it, so nothing is copied. */
export function plainKey(address: string): string | undefined {
  if (!PLAIN.test(address)) return undefined;
  const host = address.indexOf('/') + 2;
  const start = address.startsWith('www.', host) ? host + 4 : host;
  const end = address.length;
  return address.slice(start, address.charCodeAt(end - 1) === SLASH ? end - 1 : end);
}

/** Of an address that `refuse` lets pass. */
export function canonicalKey(address: string): string {
  const plain = plainKey(address);
  if (plain !== undefined) return plain;
  const url = new URL(address);
  const port = url.port === '' || isDefaultPort(url) ? '' : `:${url.port}`;
  return (
    withoutWww(url.hostname.replace(/\.$/, '')) +
    port +
    withoutSlash(normaliseEscapes(url.pathname.replace(/\/{2,}/g, '/'))) +
    canonicalQuery(url.search)
  );
}

/** The scheme is no part of the key, so http on port 443 and https on port 80 count as default, too. */
const isDefaultPort = ({ port }: URL): boolean => port === '80' || port === '443';

const withoutWww = (host: string): string => (host.startsWith('www.') ? host.slice(4) : host);

const withoutSlash = (path: string): string => (path.endsWith('/') ? path.slice(0, -1) : path);

/** RFC 3986 §6.2.2: escapes of unreserved characters are undone, all others have capitals. */
const normaliseEscapes = (text: string): string =>
  text.includes('%')
    ? text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => {
        const letter = String.fromCharCode(Number.parseInt(hex, 16));
        return /[A-Za-z0-9._~-]/.test(letter) ? letter : `%${hex.toUpperCase()}`;
      })
    : text;

function canonicalQuery(search: string): string {
  const kept = normaliseEscapes(search.slice(1))
    .split('&')
    .filter((argument) => argument !== '' && !TRACKING.test(argument.split('=', 1)[0] ?? ''))
    .sort();
  return kept.length === 0 ? '' : `?${kept.join('&')}`;
}
