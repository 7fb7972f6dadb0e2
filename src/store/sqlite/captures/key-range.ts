/** The keys that a match covers, as a range: SQLite compares them byte by byte. */
import type { CaptureMatch } from '../../captures.ts';

export interface KeyRange {
  readonly from: string;
  /** Exclusive. */
  readonly to: string;
}

/** Behind every key that begins with the text before it. */
const LAST = '\u{10ffff}';

/**
 * Of `org,example)/path`, the host is `org,example`. In the order of bytes `)` stands before `,`, and what
 * stands between them is in no host name: so a domain is one range, too.
 */
export function keyRange(urlKey: string, match: Exclude<CaptureMatch, 'exact'>): KeyRange {
  if (match === 'prefix') return { from: urlKey, to: urlKey + LAST };
  const end = urlKey.search(/[):]/);
  const host = end < 0 ? urlKey.replace(/,+$/, '') : urlKey.slice(0, end);
  return match === 'host' ? { from: `${host})`, to: `${host}*` } : { from: `${host})`, to: `${host}-` };
}
