/**
 * Dumps (NISO Z39.99, §11 and §13): packages in ZIP format, each with a manifest that says which of its
 * files is which resource. A package is fetched whole, into a temporary file, before it is looked into.
 */
import { createHash, hash } from 'node:crypto';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asGarnerError, GarnerError } from '../../core/errors.ts';
import type { OriginFinding } from '../files/entry.ts';
import { findUnsafeName } from '../files/entry-name.ts';
import { ARCHIVE_LIMITS } from '../files/limits.ts';
import { SNIFF_BYTES, sniffContent } from '../files/sniff.ts';
import { type ArchiveMember, listZip } from '../files/zip-entries.ts';
import type { HttpClient } from '../http/index.ts';
import { describeContent, MAX_FILE_BYTES } from '../remote/remote-entry.ts';
import { readSitemapParts, type SitemapEntry } from '../sitemap/sitemap-document.ts';
import { findForeignType, listEntries, noteDeleted, readDigests } from './listed-resource.ts';

const MAX_PACKAGE_BYTES = 16 * 2 ** 30;
const MANIFEST = 'manifest.xml';

/** Every resource in the packages of a dump; a package that cannot be read costs the certainty of a whole reading. */
export async function* walkDump(
  client: HttpClient,
  url: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<OriginFinding> {
  for await (const found of listEntries(client, url, signal)) {
    if (!('about' in found)) {
      yield found;
      continue;
    }
    // Packages of other formats (WARC) hold content; the records that describe it are in those of this one.
    const type = found.about.get('type') ?? 'application/zip';
    if (type !== 'application/zip') {
      yield { kind: 'skipped', name: found.url, reason: `of type ${type}` };
      continue;
    }
    const folder = await mkdtemp(join(tmpdir(), 'garner-dump-'));
    try {
      const path = join(folder, 'package.zip');
      await fetchPackage(client, found, path, signal);
      yield* readPackage(path, found.url);
    } catch (thrown) {
      signal?.throwIfAborted();
      const { code, message } = asGarnerError(thrown);
      if (code === 'internal.bug') throw thrown;
      yield { kind: 'problem', name: found.url, loss: 'rest', problem: { code, message, where: found.url } };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
}

async function fetchPackage(
  client: HttpClient,
  listed: SitemapEntry,
  path: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { url } = listed;
  const digests = [...readDigests(listed)].map(([algorithm, expected]) => ({
    algorithm,
    expected,
    hash: createHash(algorithm),
  }));
  await using file = await open(path, 'wx');
  const response = await client.request({ url, sniff: false, ...(signal && { signal }) });
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.length;
    if (size > MAX_PACKAGE_BYTES)
      throw new GarnerError('http.too-large', `${url} has more than ${MAX_PACKAGE_BYTES} bytes`);
    for (const digest of digests) digest.hash.update(chunk);
    await file.write(chunk);
  }
  for (const digest of digests)
    if (digest.hash.digest('hex') !== digest.expected)
      throw new GarnerError(
        'source.checksum',
        `the ${digest.algorithm} digest of ${url} is not the listed one`,
      );
}

async function* readPackage(path: string, url: string): AsyncGenerator<OriginFinding> {
  const { resources, deleted } = await readManifest(path, url);
  yield* deleted.map(noteDeleted);
  for await (const member of readZip(path, url)) {
    const resource = resources.get(member.inner);
    resources.delete(member.inner);
    if (resource) yield await readMember(member, resource, `${url}!${member.inner}`);
  }
  for (const [inner, { url: name }] of resources) {
    const message = `the manifest of the package names ${inner}, but the package has no such file`;
    yield {
      kind: 'problem',
      name,
      loss: 'entry',
      problem: { code: 'source.unreadable', message, where: url },
    };
  }
}

/** By the path that each resource has in the package. */
async function readManifest(
  path: string,
  url: string,
): Promise<{ resources: Map<string, SitemapEntry>; deleted: string[] }> {
  const resources = new Map<string, SitemapEntry>();
  const deleted: string[] = [];
  for await (const { inner, file } of readZip(path, url)) {
    if (inner !== MANIFEST) continue;
    for await (const part of readSitemapParts(file.open(), `${url}!${MANIFEST}`, url)) {
      if (part.kind === 'problem')
        throw new GarnerError(part.code, `the manifest of ${url}, line ${part.line}: ${part.message}`);
      if (part.kind !== 'url') continue;
      const place = part.about.get('path')?.replace(/^\//, '');
      if (part.about.get('change') === 'deleted') deleted.push(part.url);
      else if (place !== undefined) resources.set(place, part);
    }
    return { resources, deleted };
  }
  throw new GarnerError('source.answer', `${url} is no package of a dump: it has no ${MANIFEST}`);
}

async function* readZip(path: string, url: string): AsyncGenerator<ArchiveMember> {
  try {
    yield* listZip(path, ARCHIVE_LIMITS);
  } catch (error) {
    if (error instanceof GarnerError) throw error;
    throw new GarnerError('source.answer', `${url} is no readable ZIP file`, { cause: error });
  }
}

async function readMember(
  { inner, file, refusal, kind }: ArchiveMember,
  resource: SitemapEntry,
  where: string,
): Promise<OriginFinding> {
  const { url: name, modifiedAt = 0 } = resource;
  const reason = findForeignType(resource);
  if (reason !== undefined) return { kind: 'skipped', name, reason };
  const lost = (code: 'archive.unsafe' | 'source.checksum', message: string): OriginFinding => ({
    kind: 'problem',
    name,
    loss: 'entry',
    problem: { code, message, where },
  });
  const unsafe =
    refusal ?? findUnsafeName(inner) ?? (kind === 'link' ? 'it is a link and no file' : undefined);
  if (unsafe !== undefined) return lost('archive.unsafe', unsafe);
  if ((file.size ?? 0) > MAX_FILE_BYTES)
    return lost('archive.unsafe', `it has more than ${MAX_FILE_BYTES} bytes`);
  const parts: Uint8Array[] = [];
  for await (const chunk of file.open()) parts.push(chunk);
  const bytes = Buffer.concat(parts);
  for (const [algorithm, expected] of readDigests(resource))
    if (hash(algorithm, bytes) !== expected)
      return lost('source.checksum', `its ${algorithm} digest is not the one that the manifest tells`);
  const syntax = sniffContent(bytes.subarray(0, SNIFF_BYTES));
  if (syntax !== 'xml' && syntax !== 'json')
    return { kind: 'foreign', name, where, content: describeContent(bytes, syntax) };
  return {
    kind: 'entry',
    entry: {
      name,
      where,
      syntax,
      size: bytes.length,
      modifiedAt,
      reopenable: true,
      open: () => oneChunk(bytes),
    },
  };
}

async function* oneChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
