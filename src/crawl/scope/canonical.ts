/** One key for all spellings of a URL in a crawl. What is fetched is the first spelling that was met. */

/** Parameters that only tell one visitor from another. */
const SESSION_NAME =
  /^(?:(?:j|php|asp\.?net_?|cf)?sess(?:ion)?_?id|sid|s_id|phpsessid|jsessionid|aspsessionid\w*|cftoken|cfid|zenid|oscsid|osclid|viewstate|__viewstate)$/i;
const SESSION_VALUE = /^[\w.!+/=~-]{8,}$/;
const PATH_SESSION = /;(?:jsessionid|phpsessid|sid|sessionid)=[^/;?#]*/gi;
/** ASP.NET without cookies: `/(S(lit3py55t21z5v55vlm25s55))/page.aspx`. */
const ASPX_SESSION = /\/\((?:[A-Z]\([0-9a-z]{16,32}\))+\)(?=\/)/gi;

/** Undefined for what is not fetched: other schemes, or no host. */
export function parseCrawlUrl(text: string, base?: string): URL | undefined {
  const url = URL.parse(text, base);
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:') || url.hostname === '')
    return undefined;
  url.hash = '';
  url.username = '';
  url.password = '';
  return url;
}

export function crawlKey(url: URL): string {
  const path =
    url.pathname.includes(';') || url.pathname.includes('(') ? withoutSession(url.pathname) : url.pathname;
  return `${url.protocol}//${url.host}${normaliseEscapes(path)}${canonicalQuery(url.search)}`;
}

const withoutSession = (path: string): string => path.replace(PATH_SESSION, '').replace(ASPX_SESSION, '');

/** `%7e` and `~` are the same; other escapes in capitals. */
const normaliseEscapes = (path: string): string =>
  path.includes('%')
    ? path.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => {
        const char = String.fromCharCode(Number.parseInt(hex, 16));
        return /[A-Za-z0-9._~-]/.test(char) ? char : `%${hex.toUpperCase()}`;
      })
    : path;

function canonicalQuery(search: string): string {
  if (search.length <= 1) return '';
  const kept = search
    .slice(1)
    .split('&')
    .filter((part) => {
      const [name = '', value = ''] = part.split('=', 2);
      return part !== '' && !(SESSION_NAME.test(name) && SESSION_VALUE.test(value));
    });
  return kept.length === 0 ? '' : `?${kept.map(normaliseEscapes).join('&')}`;
}

/** Of politeness: hosts with and without TLS are the same machine. */
export const hostKey = (url: URL): string => url.host;
