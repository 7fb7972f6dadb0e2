/** Directory listings as web servers write them: names, and when each file was changed. */
import { Parser } from 'htmlparser2';
import type { Instant } from '../../core/model.ts';

export interface ListedFile {
  /** Absolute. */
  readonly url: string;
  readonly isFolder: boolean;
  /** To the minute, as a rule; undefined when the listing does not tell. */
  readonly modifiedAt: Instant | undefined;
}

interface Anchor {
  readonly href: string;
  /** Text of the same line or row before and after it. */
  before: string;
  after: string;
}

/** Only what lies below the folder itself: sorting links, the parent and the rest of the site are left out. */
export function readListing(page: string, folderUrl: string): ListedFile[] {
  const folder = new URL(folderUrl);
  const files = new Map<string, ListedFile>();
  for (const { href, before, after } of readAnchors(page)) {
    if (/^[?#]/.test(href) || !URL.canParse(href, folder)) continue;
    const url = new URL(href, folder);
    url.hash = '';
    if (url.origin !== folder.origin || url.search !== '') continue;
    const rest = url.pathname.startsWith(folder.pathname) ? url.pathname.slice(folder.pathname.length) : '';
    if (rest === '' || /^[^/]+$|^[^/]+\/$/.exec(rest) === null) continue;
    files.set(url.href, {
      url: url.href,
      isFolder: rest.endsWith('/') || /<dir>/i.test(before),
      modifiedAt: readTime(after) ?? readTime(before),
    });
  }
  return [...files.values()];
}

const LINE_ENDS: ReadonlySet<string> = new Set(['tr', 'br', 'li', 'p', 'div', 'hr']);

function readAnchors(page: string): Anchor[] {
  const anchors: Anchor[] = [];
  let text = '';
  let current: Anchor | undefined;
  let inside = false;
  const endLine = () => {
    if (current) current.after += text;
    current = undefined;
    text = '';
  };
  const parser = new Parser({
    onopentag: (name, { href }) => {
      if (name === 'a' && href !== undefined) {
        if (current) endLine();
        current = { href, before: text, after: '' };
        anchors.push(current);
        text = '';
        inside = true;
      } else if (LINE_ENDS.has(name)) endLine();
      else text += ' ';
    },
    onclosetag: (name) => {
      if (name === 'a') {
        inside = false;
        text = '';
      } else if (name === 'tr' || name === 'li') endLine();
    },
    ontext: (chunk) => {
      if (inside) return;
      // In preformatted text (Apache, nginx) a line is a row.
      const [line = '', ...more] = chunk.split('\n');
      text += line;
      if (more.length > 0) {
        endLine();
        text = more.at(-1) ?? '';
      }
    },
  });
  parser.end(page);
  if (current) current.after += text;
  return anchors;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
/** `2024-05-01 12:00` (Apache, lighttpd), `01-May-2024 12:00` (nginx, old Apache), `5/1/2024 12:00 PM` (IIS). */
const ISO = /\b(\d{4})-(\d{2})-(\d{2})[ T](\d{2}):(\d{2})(?::(\d{2}))?/;
const NAMED = /\b(\d{1,2})-([A-Za-z]{3})-(\d{4})\s+(\d{2}):(\d{2})(?::(\d{2}))?/;
const SLASHED = /\b(\d{1,2})\/(\d{1,2})\/(\d{4})\s+(\d{1,2}):(\d{2})(?::(\d{2}))?\s*([AP]M)?/i;

/** The server's zone is not known; times are compared with each other only. */
function readTime(text: string): Instant | undefined {
  const iso = ISO.exec(text);
  if (iso) {
    const [year, month, day, hour, minute, second] = iso.slice(1).map(Number);
    return instantOf(year, (month ?? 1) - 1, day, hour, minute, second);
  }
  const named = NAMED.exec(text);
  const month = named ? MONTHS.indexOf((named[2] ?? '').toLowerCase()) : -1;
  if (named && month >= 0)
    return instantOf(
      Number(named[3]),
      month,
      Number(named[1]),
      Number(named[4]),
      Number(named[5]),
      Number(named[6]),
    );
  const slashed = SLASHED.exec(text);
  if (!slashed) return undefined;
  const [first, second, year, hour = 0, minute] = slashed.slice(1, 6).map(Number);
  const half = slashed[7]?.toUpperCase();
  const hours = half === 'PM' ? (hour % 12) + 12 : half === 'AM' ? hour % 12 : hour;
  return instantOf(year, (first ?? 1) - 1, second, hours, minute, Number(slashed[6]));
}

function instantOf(
  year: number | undefined,
  month: number | undefined,
  day: number | undefined,
  hour: number | undefined,
  minute: number | undefined,
  second: number | undefined,
): Instant | undefined {
  const at = Date.UTC(year ?? 0, month ?? 0, day ?? 1, hour ?? 0, minute ?? 0, second || 0);
  return Number.isNaN(at) ? undefined : at;
}
