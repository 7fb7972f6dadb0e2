/**
 * One key for all spellings of an address, so that two engines that mean the same page agree. The key is
 * for comparing only: what is shown and fetched is the address as an engine gave it.
 */

/** Parameters that tell who sent the visitor, not what is shown. */
const TRACKING =
  /^(?:utm_\w+|gclid|gclsrc|dclid|gbraid|wbraid|fbclid|msclkid|yclid|twclid|ttclid|igshid|mc_[ce]id|_ga|_gl|_hs(?:enc|mi)|mkt_tok|vero_id|oly_(?:anon|enc)_id|wt_mc|spm|ref_src)$/i;

/** Plain addresses, which are nearly all, need no parser: nothing in them has two spellings. */
const PLAIN = /^https?:\/\/([a-z0-9.-]+)(\/[A-Za-z0-9._~!$&'()*+,;=:@/-]*)?$/;
const DOTS_OR_SLASHES = /\/\/|\/\.\.?(?:\/|$)/;

/** Of an address that `refuse` lets pass. */
export function canonicalKey(address: string): string {
  const [, host, path = '/'] = PLAIN.exec(address) ?? [];
  if (host !== undefined && !host.endsWith('.') && !DOTS_OR_SLASHES.test(path))
    return withoutWww(host) + withoutSlash(path);
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
