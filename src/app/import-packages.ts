/** Packages that others made, DIDL, METS and BagIt, taken in: their files become captures, each package a snapshot. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Garner } from '../app.ts';
import { archiveFolder } from '../archive/items/index.ts';
import { GarnerError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import { systemClock } from '../core/time.ts';
import { VERSION } from '../core/version.ts';
import {
  type ArchiveImportOptions,
  type ArchiveImportReport,
  type FoundArchive,
  importArchives,
} from '../harvest/archive/import-archives.ts';
import { sniffWebArchive } from '../harvest/archive/sniff-archive.ts';
import { findUnsafeName } from '../harvest/files/entry-name.ts';
import { ARCHIVE_LIMITS } from '../harvest/files/limits.ts';
import { SNIFF_BYTES, sniffContent } from '../harvest/files/sniff.ts';
import { gunzipFile, listTar } from '../harvest/files/tar-entries.ts';
import { type ArchiveMember, listZip } from '../harvest/files/zip-entries.ts';
import type { UnpackedPackage } from '../packaging/ingest/package-file.ts';
import { findBag, readBag } from '../packaging/ingest/read-bag.ts';
import { readDidlPackage } from '../packaging/ingest/read-didl-package.ts';
import { holdsFiles, MAX_RECORD_BYTES, readMetsPackage } from '../packaging/ingest/read-mets-package.ts';
import { type PackedEntry, unpackInto } from '../packaging/ingest/unpack-archive.ts';
import { writePackageWarc } from '../packaging/ingest/write-package-warc.ts';
import { makeScratch } from '../packaging/scratch.ts';
import { comparingOf } from './packages.ts';
import { recordDocument } from './record-document.ts';

export type PackageKind = 'bag' | 'packed-bag' | 'didl' | 'mets';

export interface FoundPackage {
  readonly path: string;
  readonly kind: PackageKind;
}

/** So far into an archive the declaration of a bag is looked for. */
const MAX_LOOKED_AT = 2000;
const ROOT =
  /^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?\s*(?:<\?xml[^>]*\?>)?\s*(?:<!--[\s\S]*?-->\s*)*<(?:[\w.-]+:)?(DIDL|mets)[\s>]/;

/** Which of the paths are packages; the others are for other importers. */
export async function sortPackages(
  paths: readonly string[],
): Promise<{ readonly packages: readonly FoundPackage[]; readonly others: readonly string[] }> {
  const packages: FoundPackage[] = [];
  const others: string[] = [];
  for (const path of paths) {
    const kind = await kindOf(path);
    if (kind) packages.push({ path, kind });
    else others.push(path);
  }
  return { packages, others };
}

async function kindOf(path: string): Promise<PackageKind | undefined> {
  const facts = await stat(path).catch(() => undefined);
  if (facts?.isDirectory()) return (await findBag(path)) === undefined ? undefined : 'bag';
  if (!facts?.isFile()) return undefined;
  const head = await readHead(path);
  const content = sniffContent(head);
  if (content === 'xml') return kindOfXml(path, head);
  if (content !== 'zip' && content !== 'tar' && content !== 'gzip') return undefined;
  if ((await sniffWebArchive(path)) !== undefined) return undefined;
  return (await holdsBag(path)) ? 'packed-bag' : undefined;
}

async function kindOfXml(path: string, head: Buffer): Promise<PackageKind | undefined> {
  const [, root] = ROOT.exec(head.toString('latin1').replace(/\0/g, '')) ?? [];
  if (root === undefined) return undefined;
  if (root === 'DIDL') return 'didl';
  // METS that only describes, or is no METS at all, is a record like others; who imports it tells what is wrong.
  if ((await stat(path)).size > MAX_RECORD_BYTES) return 'mets';
  return (await holdsFiles(path).catch(() => false)) ? 'mets' : undefined;
}

async function holdsBag(path: string): Promise<boolean> {
  try {
    let count = 0;
    for await (const { name } of listPacked(path)) {
      if (/^(?:[^/]+\/)?bagit\.txt$/.test(name)) return true;
      if (++count >= MAX_LOOKED_AT) return false;
    }
  } catch {
    // What cannot be listed is no bag; whoever imports it tells why.
    return false;
  }
  return false;
}

async function* listPacked(path: string): AsyncGenerator<PackedEntry> {
  const content = sniffContent(await readHead(path));
  const members =
    content === 'zip'
      ? listZip(path, ARCHIVE_LIMITS)
      : listTar(
          content === 'gzip' ? gunzipFile(path, ARCHIVE_LIMITS) : createReadStream(path),
          ARCHIVE_LIMITS,
        );
  for await (const member of members) yield entryOf(member);
}

const entryOf = ({ inner, kind, refusal, file }: ArchiveMember): PackedEntry => ({
  name: inner,
  modifiedAt: file.modifiedAt,
  refusal: findUnsafeName(inner) ?? (kind === 'link' ? 'it is a link' : refusal),
  open: () => file.open(),
});

export async function importPackage(
  garner: Garner,
  source: string,
  found: FoundPackage,
  log: Log,
  options: Pick<ArchiveImportOptions, 'signal' | 'onProgress'> = {},
): Promise<ArchiveImportReport> {
  const { store, formats, config } = garner;
  const folder = archiveFolder(config.data, source);
  await mkdir(folder, { recursive: true });
  const scratch = await makeScratch(config.data);
  try {
    const unpacked = await unpack(found, scratch);
    const archives: FoundArchive[] = [];
    for (const path of unpacked.archives) {
      const kind = await sniffWebArchive(path);
      if (kind) archives.push({ path, kind });
    }
    if (unpacked.files.length > 0)
      archives.push({ path: await packFiles(found, unpacked, folder, scratch), kind: 'records' });
    const { title, problems } = unpacked;
    if (archives.length === 0 && problems.length === 0)
      throw new GarnerError('source.empty', `${found.path} holds no file`);
    // METS says more of its files than captures can: it is kept beside them.
    if (found.kind === 'mets' && (await stat(found.path)).size <= MAX_RECORD_BYTES)
      await recordDocument(garner, source, found.path);
    return await importArchives(
      { store, fields: formats.fieldSpecs(), dataFolder: config.data, log, comparing: comparingOf(config) },
      source,
      archives,
      { ...options, ...(title !== undefined && { title }), problems },
    );
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function unpack({ path, kind }: FoundPackage, scratch: string): Promise<UnpackedPackage> {
  if (kind === 'didl') return readDidlPackage(path, { scratch, listPacked, now: (await stat(path)).mtimeMs });
  if (kind === 'mets') return readMetsPackage(path, join(scratch, 'files'));
  if (kind === 'bag') return readBag((await findBag(path)) ?? path);
  const folder = join(scratch, basename(path).replace(/\.(?:tar(?:\.gz)?|tgz|zip)$/i, ''));
  const refused = await unpackInto(folder, listPacked(path));
  const bag = await findBag(folder);
  if (bag === undefined)
    throw new GarnerError('archive.format', `${path} holds no bag that could be unpacked`);
  const read = await readBag(bag);
  return { ...read, problems: [...refused, ...read.problems] };
}

/** Named by the package's content: taken in again it makes nothing new. */
async function packFiles(
  { path, kind }: FoundPackage,
  { files }: UnpackedPackage,
  folder: string,
  scratch: string,
): Promise<string> {
  const digest =
    kind === 'bag' ? await digestOfTags((await findBag(path)) ?? path) : await digestOfFile(path);
  const name = `package-${digest.slice(0, 16)}.warc.gz`;
  const kept = join(folder, name);
  if ((await stat(kept).catch(() => undefined)) !== undefined) return kept;
  const target = join(scratch, name);
  await writePackageWarc(files, target, scratch, { clock: systemClock, software: `Garner/${VERSION}` });
  return target;
}

async function digestOfFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) hash.update(chunk);
  return hash.digest('hex');
}

/** Manifests tell of all that is in a bag. */
async function digestOfTags(folder: string): Promise<string> {
  const hash = createHash('sha256');
  for (const name of (await readdir(folder)).sort())
    if (name.endsWith('.txt')) hash.update(await readFile(join(folder, name)));
  return hash.digest('hex');
}

async function readHead(path: string): Promise<Buffer> {
  const handle = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(SNIFF_BYTES), 0, SNIFF_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
