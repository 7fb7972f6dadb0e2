/**
 * A bag that somebody else made (RFC 8493, and the drafts before it): every file is held against every manifest
 * that there is. What is missing or differs is told file by file, and stays out; the rest is taken in.
 */
import { createHash, getHashes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readdir, readFile, stat } from 'node:fs/promises';
import { basename, join, relative, resolve, sep } from 'node:path';
import { GarnerError } from '../../core/errors.ts';
import type { RecordProblem } from '../../core/model.ts';
import { parseBagInfo, parseManifestLine } from '../bag/bag-tags.ts';
import { isCaptureUrl, type PackageFile, packageUrn, type UnpackedPackage } from './package-file.ts';

const MANIFEST = /^(tag)?manifest-([a-z0-9-]+)\.txt$/i;
/** WARC, ARC, WACZ: they are read as what they are. */
const WEB_ARCHIVE = /\.(?:w?arc(?:\.gz|\.zst)?|wacz)$/i;

/** The folder with `bagit.txt`: the one given, or one right below it. Undefined when it is no bag. */
export async function findBag(folder: string): Promise<string | undefined> {
  if (await isFile(join(folder, 'bagit.txt'))) return folder;
  for (const entry of await readdir(folder, { withFileTypes: true }))
    if (entry.isDirectory() && (await isFile(join(folder, entry.name, 'bagit.txt'))))
      return join(folder, entry.name);
  return undefined;
}

const isFile = (path: string): Promise<boolean> =>
  stat(path).then(
    (facts) => facts.isFile(),
    () => false,
  );

export async function readBag(folder: string): Promise<UnpackedPackage> {
  const declaration = await readFile(join(folder, 'bagit.txt'), 'utf8');
  if (!/^\ufeff?BagIt-Version:\s*\d+\.\d+/.test(declaration))
    throw new GarnerError('archive.format', `${folder}: bagit.txt declares no version of BagIt`);
  const problems: RecordProblem[] = [];
  const note = (code: 'source.checksum' | 'archive.unsafe', where: string, message: string): void => {
    problems.push({ code, message, where });
  };
  const expected = await readManifests(folder, note);
  const there = new Set(await listFiles(folder));
  const bad = new Set<string>();
  for (const [path, digests] of expected) {
    const why = there.has(path) ? await findDifference(join(folder, path), digests) : 'it is missing';
    if (why === undefined) continue;
    bad.add(path);
    note('source.checksum', path, why);
  }
  const payload = [...there].filter((path) => path.startsWith('data/')).sort();
  for (const path of payload)
    if (!expected.has(path)) note('source.checksum', path, 'no manifest lists it; it was taken in as it is');
  const info = await readInfo(folder);
  const good = payload.filter((path) => !bad.has(path));
  const name = info.get('External-Identifier') ?? basename(resolve(folder));
  const title = info.get('External-Description') ?? info.get('Title') ?? basename(resolve(folder));
  return {
    title,
    archives: good.filter((path) => WEB_ARCHIVE.test(path)).map((path) => join(folder, path)),
    files: await Promise.all(
      good.filter((path) => !WEB_ARCHIVE.test(path)).map((path) => fileOf(folder, path, name)),
    ),
    problems,
  };
}

/** Digests by path, from all manifests, those of tag files too. */
async function readManifests(
  folder: string,
  note: (code: 'archive.unsafe' | 'source.checksum', where: string, message: string) => void,
): Promise<Map<string, Map<string, string>>> {
  const expected = new Map<string, Map<string, string>>();
  const known = getHashes();
  for (const name of (await readdir(folder)).sort()) {
    const [, , written] = MANIFEST.exec(name) ?? [];
    if (written === undefined) continue;
    const algorithm = written.toLowerCase().replaceAll('-', '');
    if (!known.includes(algorithm)) {
      note('source.checksum', name, `digests of the kind ${written} cannot be checked here`);
      continue;
    }
    for (const text of (await readFile(join(folder, name), 'utf8'))
      .replace(/^\ufeff/, '')
      .split(/\r\n|\n|\r/)) {
      const line = text.trim() === '' ? undefined : parseManifestLine(text);
      if (!line) continue;
      if (leadsOut(line.path)) {
        note('archive.unsafe', name, `refused: ${line.path} leads out of the bag`);
        continue;
      }
      const digests = expected.get(line.path) ?? new Map<string, string>();
      expected.set(line.path, digests.set(algorithm, line.digest));
    }
  }
  if (expected.size === 0) note('source.checksum', 'manifest', 'the bag has no manifest that can be checked');
  return expected;
}

const leadsOut = (path: string): boolean =>
  path.startsWith('/') || path.startsWith('~') || path.includes('\0') || path.split(/[/\\]/).includes('..');

async function findDifference(
  path: string,
  digests: ReadonlyMap<string, string>,
): Promise<string | undefined> {
  const hashes = [...digests.keys()].map((algorithm) => ({ algorithm, hash: createHash(algorithm) }));
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>)
    for (const { hash } of hashes) hash.update(chunk);
  const wrong = hashes.filter(({ algorithm, hash }) => hash.digest('hex') !== digests.get(algorithm));
  return wrong.length === 0
    ? undefined
    : `it has not the ${wrong.map(({ algorithm }) => algorithm).join(' and ')} digest that the manifest tells`;
}

/** Links in a folder may lead anywhere; only files that lie in it count. */
async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'));
}

async function readInfo(folder: string): Promise<Map<string, string>> {
  const text = await readFile(join(folder, 'bag-info.txt'), 'utf8').catch(() => '');
  return new Map(parseBagInfo(text));
}

async function fileOf(folder: string, inner: string, name: string): Promise<PackageFile> {
  const path = join(folder, inner);
  const { mtimeMs } = await stat(path);
  return { url: await urlOf(path, packageUrn(name, inner)), at: Math.floor(mtimeMs / 1000) * 1000, path };
}

const HEAD_BYTES = 4096;
/** Browsers say where a page was saved from; then that is what it is a capture of. */
const SAVED_FROM = /<!--\s*saved from url=\(\d+\)(\S+?)\s*-->/i;

async function urlOf(path: string, otherwise: string): Promise<string> {
  if (!/\.x?html?$/i.test(path)) return otherwise;
  const handle = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    const said = SAVED_FROM.exec(buffer.toString('latin1', 0, bytesRead))?.[1];
    return said !== undefined && isCaptureUrl(said) ? said : otherwise;
  } finally {
    await handle.close();
  }
}
