/** robots.txt (RFC 9309), with the two lines that everybody knows beside it: Crawl-delay and Sitemap. */

export interface RobotsRule {
  readonly allow: boolean;
  /** Percent-encoded as by `normalisePath`; `*` and a `$` at the end are special. */
  readonly path: string;
}

export interface RobotsGroup {
  /** Product tokens in lower case; `*` for everybody else. */
  readonly agents: readonly string[];
  readonly rules: readonly RobotsRule[];
  readonly crawlDelayMs?: number;
}

export interface RobotsFile {
  readonly groups: readonly RobotsGroup[];
  readonly sitemaps: readonly string[];
}

/** RFC 9309 §2.5: at least 500 KiB must be read. */
export const MAX_ROBOTS_BYTES = 512 * 1024;
const MAX_SITEMAPS = 1000;

export function parseRobots(bytes: Uint8Array): RobotsFile {
  const text = new TextDecoder('utf-8', { ignoreBOM: false }).decode(bytes.subarray(0, MAX_ROBOTS_BYTES));
  const groups: { agents: string[]; rules: RobotsRule[]; crawlDelayMs?: number }[] = [];
  const sitemaps: string[] = [];
  let namesAgents = false;
  for (const line of text.split(/\r\n|\r|\n/)) {
    const [, key = '', rawValue = ''] =
      /^\s*([A-Za-z-]+)\s*:\s*(.*?)\s*$/.exec(line.replace(/#.*$/, '')) ?? [];
    const value = rawValue.trim();
    const group = groups.at(-1);
    switch (key.toLowerCase()) {
      case 'user-agent': {
        if (namesAgents && group) group.agents.push(agentToken(value));
        else groups.push({ agents: [agentToken(value)], rules: [] });
        namesAgents = true;
        break;
      }
      case 'allow':
      case 'disallow':
        namesAgents = false;
        // An empty pattern matches nothing (RFC 9309 §2.2.2 has no such rule, but it is the oldest of all).
        if (group && value !== '')
          group.rules.push({ allow: key.toLowerCase() === 'allow', path: normalisePath(value) });
        break;
      case 'crawl-delay': {
        namesAgents = false;
        const seconds = Number(value.replace(',', '.'));
        if (group && value !== '' && seconds >= 0) group.crawlDelayMs = seconds * 1000;
        break;
      }
      case 'sitemap':
        // Belongs to no group, and does not end one.
        if (value !== '' && sitemaps.length < MAX_SITEMAPS) sitemaps.push(value);
        break;
      default:
    }
  }
  return { groups, sitemaps };
}

/** Only letters, `_` and `-` are of the product token (RFC 9309 §2.2.1): `Garner/1.0` is `garner`. */
function agentToken(value: string): string {
  if (value.startsWith('*')) return '*';
  return (/^[A-Za-z_-]+/.exec(value)?.[0] ?? value).toLowerCase();
}

/**
 * One spelling for paths of rules and of URLs (RFC 9309 §2.2.2): bytes above ASCII are escaped, escapes of
 * unreserved characters undone, all others kept in capitals, so that `%2F` is never taken for a slash.
 */
export function normalisePath(path: string): string {
  let out = '';
  for (let i = 0; i < path.length; i++) {
    const letter = path.charAt(i);
    const hex = letter === '%' ? /^[0-9a-f]{2}$/i.exec(path.slice(i + 1, i + 3))?.[0] : undefined;
    if (hex !== undefined) {
      const char = String.fromCharCode(Number.parseInt(hex, 16));
      out += /[A-Za-z0-9._~-]/.test(char) ? char : `%${hex.toUpperCase()}`;
      i += 2;
    } else if (letter > '\u007e' || letter <= ' ') {
      const point = String.fromCodePoint(path.codePointAt(i) ?? 0xfffd);
      out += escapeBytes(point);
      i += point.length - 1;
    } else out += letter;
  }
  return out;
}

const escapeBytes = (text: string): string =>
  [...Buffer.from(text, 'utf8')]
    .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
    .join('');
