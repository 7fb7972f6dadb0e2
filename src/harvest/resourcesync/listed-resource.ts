/** What a list or a manifest of ResourceSync says of one resource (NISO Z39.99, §8.1). */
import type { OriginFinding } from '../files/entry.ts';
import type { HttpClient } from '../http/index.ts';
import { readAllEntries, type SitemapEntry } from '../sitemap/sitemap-document.ts';

/** The entries of a list, or of the lists that an index names, with what could not be read of them. */
export async function* listEntries(
  client: HttpClient,
  url: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<SitemapEntry | OriginFinding> {
  for await (const entry of readAllEntries(client, url, signal)) {
    if (entry.kind !== 'problem') yield entry;
    else {
      const { code, message, line, url: where } = entry;
      yield { kind: 'problem', name: where, loss: 'rest', problem: { code, message, where, line } };
    }
  }
}

/** Why a resource cannot be a record, as far as its list tells. */
export function findForeignType({ about, described }: SitemapEntry): string | undefined {
  // Content, whose record is a resource of its own (Z39.99, “Resources and Metadata about Resources”); it may well be XML itself.
  if (described) return 'described by another resource';
  const type = about.get('type');
  if (type === undefined || /\b(?:xml|json)\b|\+(?:xml|json)\b/i.test(type)) return undefined;
  return `of type ${type}`;
}

const ALGORITHMS: Readonly<Record<string, string>> = {
  md5: 'md5',
  'sha-1': 'sha1',
  'sha-256': 'sha256',
  'sha-512': 'sha512',
};

/** `md5:1584… sha-256:854f…`, hex, by the names that node:crypto has for them. */
export function readDigests({ about }: SitemapEntry): ReadonlyMap<string, string> {
  const digests = new Map<string, string>();
  for (const part of (about.get('hash') ?? '').trim().split(/\s+/)) {
    const colon = part.indexOf(':');
    const algorithm = ALGORITHMS[part.slice(0, colon).toLowerCase()];
    if (colon > 0 && algorithm !== undefined) digests.set(algorithm, part.slice(colon + 1).toLowerCase());
  }
  return digests;
}

/** The resource is no more. */
export const noteDeleted = (url: string): OriginFinding => ({
  kind: 'noted',
  state: { entry: url, digest: 'deleted', size: 0, modifiedAt: 0 },
});
