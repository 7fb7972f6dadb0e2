/**
 * Folders that wget, HTTrack or a browser's "save as" left: which files in them were pages and files of
 * which URLs. What was a header is lost; the time is that of the file.
 */
import { open, readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import type { Instant } from '../../core/model.ts';

export interface SavedFile {
  readonly path: string;
  readonly url: string;
  readonly modifiedAt: Instant;
  readonly size: number;
}

const HEAD_BYTES = 8192;
const HOST = /^(?:[a-z0-9-]+\.)+[a-z][a-z0-9-]*(?:[:+]\d{1,5})?$/i;
const HTML = /<(?:!doctype\s+html|html|head|title|body)\b/i;
/** Browsers write how long the address is, too. */
const SAVED_FROM = /<!--\s*saved from url=\(\d+\)(\S+?)\s*-->/i;
const MIRRORED_FROM = /<!--\s*Mirrored from (\S+) by HTTrack/i;
/** Of HTTrack and wget themselves. */
const OWN_FILES = /^(?:hts-cache|hts-log\.txt|hts-in_progress\.lock|cookies\.txt|wget-log.*)$/i;

/** Undefined when the folder is nothing of the kind, as a folder of records is. */
export async function findSavedSite(folder: string): Promise<readonly SavedFile[] | undefined> {
  const entries = await readdir(folder, { withFileTypes: true });
  const isHttrack = entries.some(({ name }) => /^hts-(?:log\.txt|cache)$/i.test(name));
  const hosts = entries.filter((entry) => entry.isDirectory() && HOST.test(entry.name));
  if (hosts.length > 0) {
    const files: SavedFile[] = [];
    for (const { name } of hosts) files.push(...(await mirroredFiles(join(folder, name), name)));
    return isHttrack || (await hasPages(files)) ? files : undefined;
  }
  const own = basename(resolve(folder));
  if (
    HOST.test(own) &&
    /^index\.html?$/i.test(entries.find(({ name }) => /^index\./i.test(name))?.name ?? '')
  )
    return mirroredFiles(folder, own);
  return savedPages(folder);
}

async function mirroredFiles(folder: string, host: string): Promise<SavedFile[]> {
  const files: SavedFile[] = [];
  for (const path of await listFiles(folder)) {
    const head = await readHead(path);
    const said = MIRRORED_FROM.exec(head)?.[1];
    const url = said === undefined ? urlOfPath(host, relative(folder, path)) : `http://${said}`;
    files.push(await savedFile(path, url));
  }
  return files;
}

/** wget writes a query behind the name, and `index.html` for a folder. */
function urlOfPath(host: string, path: string): string {
  const [name = '', ...query] = path.split(sep).join('/').split('?');
  const plain = name.replace(/(^|\/)index\.html?$/i, '$1');
  const encoded = plain.split('/').map(encodeSegment).join('/');
  const search = query.length > 0 ? `?${query.join('?')}` : '';
  return `http://${host.replace('+', ':')}/${encoded}${search}`;
}

/** What is encoded already stays. */
const encodeSegment = (segment: string): string =>
  encodeURI(segment).replaceAll('%25', '%').replaceAll('#', '%23');

/** Pages that say where they were saved from, each with the folder of its files beside it. */
async function savedPages(folder: string): Promise<SavedFile[] | undefined> {
  const files: SavedFile[] = [];
  const entries = await readdir(folder, { withFileTypes: true });
  for (const entry of entries) {
    if (!entry.isFile() || !/\.x?html?$/i.test(entry.name)) continue;
    const path = join(folder, entry.name);
    const url = SAVED_FROM.exec(await readHead(path))?.[1];
    if (url === undefined || !URL.canParse(url)) continue;
    files.push(await savedFile(path, url));
    const beside = join(folder, `${entry.name.replace(/\.\w+$/, '')}_files`);
    const hasFolder = entries.some((other) => other.isDirectory() && other.name === basename(beside));
    // The saved page names them relative to itself.
    for (const file of hasFolder ? await listFiles(beside) : [])
      files.push(await savedFile(file, relativeUrl(relative(dirname(path), file), url)));
  }
  return files.length > 0 ? files : undefined;
}

const relativeUrl = (path: string, base: string): string =>
  new URL(path.split(sep).map(encodeURIComponent).join('/'), base).href;

async function hasPages(files: readonly SavedFile[]): Promise<boolean> {
  for (const { path } of files.slice(0, 200)) if (HTML.test(await readHead(path))) return true;
  return false;
}

async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.') && !OWN_FILES.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

async function savedFile(path: string, url: string): Promise<SavedFile> {
  const { mtimeMs, size } = await stat(path);
  return { path, url: URL.parse(url)?.href ?? url, modifiedAt: Math.floor(mtimeMs / 1000) * 1000, size };
}

async function readHead(path: string): Promise<string> {
  const handle = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.toString('latin1', 0, bytesRead);
  } finally {
    await handle.close();
  }
}
