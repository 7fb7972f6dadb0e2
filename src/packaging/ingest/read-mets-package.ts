/**
 * A METS document that somebody made, with the files that it holds or that lie beside it. What it only refers
 * to, what is missing, and references that lead nowhere are told; nothing is made up for them.
 */
import { createHash, getHashes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Instant, RecordProblem } from '../../core/model.ts';
import { MetsReferenceCheck } from '../../formats/mets/check-references.ts';
import type { MetsFile, MetsLocation } from '../../formats/mets/mets-document.ts';
import { type MetsEvent, readMetsStream } from '../../formats/mets/read-events.ts';
import { utf8Chunks } from '../../xml/encoding.ts';
import { MetsFileReader } from './mets-file-reader.ts';
import { isCaptureUrl, type PackageFile, packageUrn, type UnpackedPackage } from './package-file.ts';

type Note = (code: RecordProblem['code'], where: string, message: string) => void;

/** Larger documents are not kept as records, which are read at once, but as one more file of the package. */
export const MAX_RECORD_BYTES = 64 * 1024 * 1024;

/** `scratch`: a folder for files that the document holds in itself. Read as a stream, whatever its size. */
export async function readMetsPackage(path: string, scratch: string): Promise<UnpackedPackage> {
  const problems: RecordProblem[] = [];
  const note: Note = (code, where, message) => {
    problems.push({ code, message, where });
  };
  const check = new MetsReferenceCheck();
  const told: { file: MetsFile; path: string }[] = [];
  const archives = new Set<string>();
  const reader = new MetsFileReader(scratch);
  for await (const event of eventsOf(path)) {
    check.take(event);
    const read = await reader.take(event, note);
    if (!read) continue;
    const archive = await findArchive(read.file, path);
    if (archive !== undefined) {
      archives.add(archive);
      continue;
    }
    const found = read.content ?? (read.isBroken ? undefined : await findBeside(read.file, path, note));
    if (found !== undefined && (await isAsTold(read.file, found, note)))
      told.push({ file: read.file, path: found });
  }
  const { objectId, documentId, label, created } = reader.head;
  const { mtimeMs, size } = await stat(path);
  const name = objectId ?? documentId ?? basename(path);
  const files = told.map(
    ({ file, path: found }): PackageFile => ({
      url: urlOf(file, name),
      at: timeOf(file.created ?? created) ?? Math.floor(mtimeMs),
      ...(file.mediaType !== undefined && { mediaType: file.mediaType }),
      path: found,
    }),
  );
  if (size > MAX_RECORD_BYTES)
    files.push({
      url: packageUrn(name, basename(path)),
      at: timeOf(created) ?? Math.floor(mtimeMs),
      mediaType: 'application/xml',
      path,
    });
  problems.push(
    ...check
      .finish()
      .map(({ message, line }) => ({ code: 'mets.reference', message, where: path, line }) as const),
  );
  return { ...(label !== undefined && { title: label }), archives: [...archives], files, problems };
}

/** Whether there is more to take in than the document: files inside of it, or beside it. */
export async function holdsFiles(path: string): Promise<boolean> {
  const reader = new MetsFileReader();
  for await (const event of eventsOf(path)) {
    if (event.kind === 'content') return true;
    const read = await reader.take(event, () => undefined);
    if (!read) continue;
    const { file, content } = read;
    const found =
      content ?? (await findArchive(file, path)) ?? (await findBeside(file, path, () => undefined));
    if (found !== undefined) return true;
  }
  return false;
}

const eventsOf = (path: string): AsyncGenerator<MetsEvent> =>
  readMetsStream(utf8Chunks(createReadStream(path, { highWaterMark: 1 << 16 })));

/** A web archive beside the document that a file is a record of: it is taken in as a whole. */
async function findArchive(file: MetsFile, metsPath: string): Promise<string | undefined> {
  for (const location of file.locations) {
    const found = isInArchive(location) ? await resolveBeside(location.href, metsPath) : 'elsewhere';
    if (typeof found === 'object') return found.path;
  }
  return undefined;
}

const isInArchive = ({ otherType }: MetsLocation): boolean => otherType === 'WARC';

/** A file of the document's own folder; undefined, and told, when there is none. */
async function findBeside(file: MetsFile, metsPath: string, note: Note): Promise<string | undefined> {
  let place = 'nothing says where it is';
  for (const location of file.locations) {
    if (isInArchive(location)) continue;
    const { href } = location;
    const found = await resolveBeside(href, metsPath);
    if (typeof found === 'object') return found.path;
    if (found === 'outside') {
      note('archive.unsafe', file.id, `refused: ${href} lies outside of the package`);
      return undefined;
    }
    place = `it is ${found}: ${href}`;
  }
  note('archive.record', file.id, place);
  return undefined;
}

async function resolveBeside(
  href: string,
  metsPath: string,
): Promise<{ readonly path: string } | 'elsewhere' | 'missing' | 'outside'> {
  const folder = await realpath(dirname(resolve(metsPath)));
  const local = localPath(href);
  if (local === undefined) return 'elsewhere';
  const path = await realpath(resolve(folder, local)).catch(() => undefined);
  if (path === undefined) return 'missing';
  const inside = relative(folder, path);
  return inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside) ? 'outside' : { path };
}

/** Undefined for what is on another machine. */
function localPath(href: string): string | undefined {
  const plain = href.replace(/#.*$/s, '');
  if (plain === '' || plain.startsWith('//')) return undefined;
  try {
    if (/^file:/i.test(plain)) {
      // `file://a/b.png` is written where `a/b.png` is meant.
      const tail = plain.replace(/^file:\/{0,2}/i, '');
      return tail.startsWith('/') ? fileURLToPath(`file://${tail}`) : decodeURIComponent(tail);
    }
    return /^[a-z][a-z0-9+.-]+:/i.test(plain) ? undefined : decodeURIComponent(plain);
  } catch {
    // No address at all: the checker of references tells.
    return undefined;
  }
}

const KNOWN_DIGESTS = new Set(getHashes());

async function isAsTold(
  { id, size, checksum, checksumType }: MetsFile,
  path: string,
  note: Note,
): Promise<boolean> {
  const facts = await stat(path);
  if (!facts.isFile()) {
    note('archive.record', id, 'it is no file');
    return false;
  }
  if (size !== undefined && facts.size !== size) {
    note('source.checksum', id, `it has ${facts.size} bytes instead of ${size}`);
    return false;
  }
  const algorithm = checksumType?.toLowerCase().replaceAll('-', '');
  if (checksum === undefined || algorithm === undefined || !KNOWN_DIGESTS.has(algorithm)) return true;
  const digest = createHash(algorithm);
  for await (const part of createReadStream(path)) digest.update(part as Buffer);
  if (digest.digest('hex') === checksum.trim().toLowerCase()) return true;
  note('source.checksum', id, `its ${checksumType} is not the one that is told`);
  return false;
}

/** Its address on the web, where one is told; else its place in the package. */
function urlOf(file: MetsFile, name: string): string {
  const told = [file.ownerId ?? '', ...file.locations.map(({ href }) => href)];
  return told.find(isCaptureUrl) ?? packageUrn(name, file.locations[0]?.href ?? file.id);
}

function timeOf(written: string | undefined): Instant | undefined {
  const at = Date.parse(written ?? '');
  return Number.isNaN(at) ? undefined : at;
}
