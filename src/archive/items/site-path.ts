/** Where the file of a URL lies in a folder that holds sites as they were: host, folders, file. */
import { GarnerError } from '../../core/errors.ts';
import { safePart } from './safe-name.ts';

/** Most file systems take no longer name; in bytes. */
const MAX_NAME = 255;

/** Parts of a path, none of which leads anywhere else. Throws `archive.unsafe` where there is none. */
export function sitePath(url: string, mediaType: string | undefined): string[] {
  const parsed = URL.parse(url);
  if (!parsed || parsed.host === '') throw unsafe(url);
  const folders = parsed.pathname.split('/').slice(1);
  const last = folders.pop() ?? '';
  const file = last === '' ? indexName(mediaType) : decodeName(last);
  const query = parsed.search === '' ? '' : encodeURIComponent(parsed.search);
  return [
    safePart(parsed.host),
    ...[...folders.map(decodeName), file + query].map((name) => checked(name, url)),
  ];
}

const indexName = (mediaType: string | undefined): string =>
  mediaType === undefined || mediaType.includes('html') ? 'index.html' : 'index';

/** A name that is no UTF-8 stays as the URL has it. */
export function decodeName(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function checked(name: string, url: string): string {
  const isHidden = name.startsWith('.') && name !== '.well-known';
  if (name === '' || isHidden || /[/\\]|\p{Cc}/u.test(name) || Buffer.byteLength(name) > MAX_NAME)
    throw unsafe(url);
  return process.platform === 'win32' ? safePart(name) : name;
}

const unsafe = (url: string): GarnerError =>
  new GarnerError('archive.unsafe', `no file can have the name that ${url.slice(0, 300)} gives it`, {
    details: { url },
  });
