/**
 * A METS document that somebody made, with the files that it holds or that lie beside it. What it only refers
 * to, what is missing, and references that lead nowhere are told; nothing is made up for them.
 */
import { createHash, getHashes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readFile, realpath, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Instant, RecordProblem } from '../../core/model.ts';
import { checkMetsReferences } from '../../formats/mets/check-references.ts';
import type { MetsFile, MetsLocation } from '../../formats/mets/mets-document.ts';
import { type MetsDocument, readMets } from '../../formats/mets/read-mets.ts';
import { toUtf8 } from '../../xml/encoding.ts';
import { parseXml } from '../../xml/engine.ts';
import { isCaptureUrl, type PackageFile, packageUrn, type UnpackedPackage } from './package-file.ts';

type Note = (code: RecordProblem['code'], where: string, message: string) => void;

/** `scratch`: a folder for files that the document holds in itself. */
export async function readMetsPackage(path: string, scratch: string): Promise<UnpackedPackage> {
  const bytes = toUtf8(await readFile(path));
  // Whether it is well-formed; what follows takes that for granted.
  parseXml(bytes).dispose();
  const problems: RecordProblem[] = checkMetsReferences([bytes]).map(({ message, line }) => ({
    code: 'mets.reference',
    message,
    where: path,
    line,
  }));
  const note: Note = (code, where, message) => {
    problems.push({ code, message, where });
  };
  const document = readMets(bytes);
  const { mtimeMs } = await stat(path);
  const name = document.head.objectId ?? document.head.documentId ?? basename(path);
  const files: PackageFile[] = [];
  const archives = new Set<string>();
  for (const file of document.fileGroups.flatMap((group) => group.files)) {
    const archive = await findArchive(file, path);
    if (archive !== undefined) {
      archives.add(archive);
      continue;
    }
    const found =
      file.content === undefined ? await findBeside(file, path, note) : await unpack(file, scratch);
    if (found === undefined || !(await isAsTold(file, found, note))) continue;
    files.push({
      url: urlOf(file, name),
      at: timeOf(file, document) ?? Math.floor(mtimeMs),
      ...(file.mediaType !== undefined && { mediaType: file.mediaType }),
      path: found,
    });
  }
  const { label = document.structures[0]?.root.label } = document.head;
  return { ...(label !== undefined && { title: label }), archives: [...archives], files, problems };
}

/** Whether there is more to take in than the document: files inside of it, or beside it. */
export async function holdsFiles(path: string): Promise<boolean> {
  const bytes = toUtf8(await readFile(path));
  parseXml(bytes).dispose();
  for (const file of readMets(bytes).fileGroups.flatMap((group) => group.files)) {
    const found =
      file.content ?? (await findArchive(file, path)) ?? (await findBeside(file, path, () => undefined));
    if (found !== undefined) return true;
  }
  return false;
}

async function unpack({ id, content = '' }: MetsFile, scratch: string): Promise<string> {
  await mkdir(scratch, { recursive: true });
  const path = join(scratch, createHash('sha256').update(id).digest('hex').slice(0, 32));
  await writeFile(path, Buffer.from(content, 'base64'));
  return path;
}

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

function timeOf({ created }: MetsFile, { head }: MetsDocument): Instant | undefined {
  const at = Date.parse(created ?? head.created ?? '');
  return Number.isNaN(at) ? undefined : at;
}
