/** Names of exported files: good on every system, never leading anywhere, and different where URLs differ. */
import { createHash } from 'node:crypto';

const MAX_LENGTH = 80;
/** Names that Windows keeps for devices, whatever ending they have. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/** One part of a path: letters, digits, `-`, `_` and `.`, neither hidden nor empty. */
export function safePart(text: string): string {
  const plain = text
    .normalize('NFC')
    .replace(/[^A-Za-z0-9._-]+/g, '_')
    .replace(/^\.+/, '_')
    .replace(/\.+$/, '');
  const name =
    plain.length > MAX_LENGTH ? plain.slice(0, MAX_LENGTH / 2) + plain.slice(-MAX_LENGTH / 2) : plain;
  if (name === '') return '_';
  return DEVICE.test(name) ? `_${name}` : name;
}

/** A folder for a URL: host and path to be read by people, a digest so that no two URLs share it. */
export function folderOf(url: string): string {
  const parsed = URL.parse(url);
  const readable = parsed ? `${parsed.hostname}${parsed.pathname}` : url;
  return `${safePart(readable.replace(/\/+$/, ''))}-${shortDigest(url)}`;
}

/** A file for a URL, with an ending that fits its type. */
export function fileOf(url: string, mediaType: string | undefined): string {
  const last = URL.parse(url)?.pathname.split('/').at(-1) ?? '';
  const [, stem = '', ending = ''] = /^(.*?)(\.[A-Za-z0-9]{1,8})?$/s.exec(last) ?? [];
  const wanted = ENDINGS[mediaType ?? ''];
  // A page that a program made must not look like the program.
  const suffix = wanted !== undefined && !wanted.includes(ending.toLowerCase()) ? (wanted[0] ?? '') : ending;
  return `${safePart(stem || 'index')}-${shortDigest(url)}${suffix.toLowerCase()}`;
}

const ENDINGS: Readonly<Record<string, readonly string[]>> = {
  'text/html': ['.html', '.htm'],
  'application/xhtml+xml': ['.xhtml', '.html', '.htm'],
  'text/css': ['.css'],
  'text/javascript': ['.js', '.mjs'],
  'application/javascript': ['.js', '.mjs'],
  'application/pdf': ['.pdf'],
  'image/png': ['.png'],
  'image/gif': ['.gif'],
  'image/jpeg': ['.jpg', '.jpeg'],
  'image/svg+xml': ['.svg'],
};

const shortDigest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 8);
