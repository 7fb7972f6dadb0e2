/** The source kind `sitemap`: the schema.org descriptions on the pages that a site map lists. */
import { GarnerError } from '../../core/errors.ts';
import { mapAhead } from '../../core/map-ahead.ts';
import { type Clock, systemClock } from '../../core/time.ts';
import type { OriginFinding } from '../files/entry.ts';
import {
  type EntrySource,
  type ImportDeps,
  importEntries,
  type KnownEntries,
} from '../files/import-entries.ts';
import type { HttpClient } from '../http/index.ts';
import { FETCH_AHEAD, fetchEntry } from '../remote/remote-entry.ts';
import { settledTime } from '../remote/settled-time.ts';
import type { IntakeOptions } from '../run/intake.ts';
import type { ImportReport } from '../run/report.ts';
import { findJsonLd } from './json-ld.ts';
import { readAllEntries, type SitemapEntry } from './sitemap-document.ts';

export interface SitemapSource extends EntrySource {
  readonly url: string;
  /** A regular expression on addresses. */
  readonly pages?: string;
  readonly types?: readonly string[];
}

const MAX_ROBOTS_BYTES = 512 * 1024;

export async function harvestSitemap(
  deps: ImportDeps & { readonly client: HttpClient },
  source: SitemapSource,
  options: IntakeOptions = {},
): Promise<ImportReport> {
  const { url } = source;
  const walk = (known: KnownEntries) =>
    walkPages(deps.client, source, known, deps.clock ?? systemClock, options.signal);
  return importEntries(deps, source, options, {
    kind: 'harvest',
    origins: [{ place: url, owns: () => true, walk }],
    noun: 'page',
  });
}

async function* walkPages(
  client: HttpClient,
  source: SitemapSource,
  known: KnownEntries,
  clock: Clock,
  signal: AbortSignal | undefined,
): AsyncGenerator<OriginFinding> {
  const wanted = source.pages === undefined ? undefined : new RegExp(source.pages, 'u');
  const unpack = (bytes: Uint8Array, contentType: string | undefined) => {
    const { things, broken } = findJsonLd(decodePage(bytes, contentType), source.types);
    // Beside a good description, a broken one is furniture more often than not.
    if (things.length === 0 && broken > 0)
      throw new GarnerError('json.malformed', 'the description on the page is no JSON');
    return writeLines(things);
  };
  const readPage = async (found: SitemapEntry | OriginFinding): Promise<OriginFinding> => {
    if (!('about' in found)) return found;
    const { url } = found;
    const modifiedAt = settledTime(found.modifiedAt, clock());
    if (modifiedAt !== 0 && known.get(url)?.modifiedAt === modifiedAt)
      return { kind: 'unchanged', name: url };
    return fetchEntry(client, { url, modifiedAt }, { signal, unpack, format: 'schema-org' });
  };
  yield* mapAhead(listPages(client, source.url, wanted, signal), FETCH_AHEAD, readPage);
}

async function* listPages(
  client: HttpClient,
  url: string,
  wanted: RegExp | undefined,
  signal: AbortSignal | undefined,
): AsyncGenerator<SitemapEntry | OriginFinding> {
  const met = new Set<string>();
  const listed = new Set<string>();
  for (const map of await findMaps(client, url, signal)) {
    for await (const entry of readAllEntries(client, map, signal, met)) {
      if (entry.kind === 'problem') {
        const { code, message, line, url: where } = entry;
        yield { kind: 'problem', name: where, loss: 'rest', problem: { code, message, where, line } };
      } else if (!listed.has(entry.url) && (wanted === undefined || wanted.test(entry.url))) {
        listed.add(entry.url);
        yield entry;
      }
    }
  }
}

/** The address of a site map, or of a robots.txt that names some (RFC 9309 leaves `Sitemap:` to sitemaps.org). */
export async function findMaps(
  client: HttpClient,
  url: string,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  if (!new URL(url).pathname.endsWith('/robots.txt')) return [url];
  const { bytes } = await client.read({ url, ...(signal && { signal }) }, MAX_ROBOTS_BYTES);
  const maps = Array.from(
    new TextDecoder().decode(bytes).matchAll(/^\s*sitemap\s*:\s*(\S+)/gim),
    ([, map = '']) => map,
  ).filter((map) => URL.canParse(map, url));
  if (maps.length === 0) throw new GarnerError('source.answer', `${url} names no site map`);
  return [...new Set(maps.map((map) => new URL(map, url).href))];
}

function writeLines(things: readonly unknown[]): Uint8Array {
  return Buffer.from(things.map((thing) => `${JSON.stringify(thing)}\n`).join(''));
}

const META_CHARSET = /<meta[^>]+charset\s*=\s*["']?\s*([\w-]+)/i;

function decodePage(bytes: Uint8Array, contentType: string | undefined): string {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 2048)).toString('latin1');
  const label = /charset\s*=\s*"?([\w-]+)/i.exec(contentType ?? '')?.[1] ?? META_CHARSET.exec(head)?.[1];
  try {
    return new TextDecoder(label ?? 'utf-8').decode(bytes);
  } catch (error) {
    // An encoding that nobody knows by that name.
    if (error instanceof RangeError) return new TextDecoder().decode(bytes);
    throw error;
  }
}
