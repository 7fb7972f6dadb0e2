/** The source kind `waf`: a folder of records on a web server ("web accessible folder"). */
import { asGarnerError, GarnerError } from '../../core/errors.ts';
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
import { type ListedFile, readListing } from './listing.ts';

export interface WafSource extends EntrySource {
  readonly url: string;
  /** Folders below the first one. */
  readonly depth: number;
}

const MAX_LISTING_BYTES = 64 * 1024 * 1024;
/** Everything else is not fetched; a file without an ending may be a record. */
const RECORD_NAME = /(?:\.(?:xml|json|geojson|jsonld|ndjson|jsonl|rdf|gml|iso|dif)(?:\.gz)?|\/[^/.]+)$/i;

export async function harvestWaf(
  deps: ImportDeps & { readonly client: HttpClient },
  source: WafSource,
  options: IntakeOptions = {},
): Promise<ImportReport> {
  const walk = (known: KnownEntries) =>
    walkFolder(deps.client, source, known, deps.clock ?? systemClock, options.signal);
  return importEntries(deps, source, options, {
    kind: 'harvest',
    origins: [{ place: source.url, owns: () => true, walk }],
  });
}

async function* walkFolder(
  client: HttpClient,
  { url, depth }: WafSource,
  known: KnownEntries,
  clock: Clock,
  signal: AbortSignal | undefined,
): AsyncGenerator<OriginFinding> {
  const read = async (found: ListedFile | OriginFinding): Promise<OriginFinding> => {
    if ('kind' in found) return found;
    const { url: name } = found;
    const modifiedAt = settledTime(found.modifiedAt, clock());
    if (!RECORD_NAME.test(new URL(name).pathname))
      return { kind: 'skipped', name, reason: 'by its name no record' };
    if (modifiedAt !== 0 && known.get(name)?.modifiedAt === modifiedAt) return { kind: 'unchanged', name };
    return fetchEntry(client, { url: name, modifiedAt }, { signal });
  };
  yield* mapAhead(listFiles(client, url, depth, signal), FETCH_AHEAD, read);
}

async function* listFiles(
  client: HttpClient,
  root: string,
  depth: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<ListedFile | OriginFinding> {
  const start = root.endsWith('/') ? root : `${root}/`;
  const met = new Set([start]);
  const waiting = [{ url: start, level: 0 }];
  for (let folder = waiting.shift(); folder; folder = waiting.shift()) {
    const { url, level } = folder;
    let files: ListedFile[];
    try {
      files = await readFolder(client, url, signal);
    } catch (thrown) {
      signal?.throwIfAborted();
      const { code, message } = asGarnerError(thrown);
      if (level === 0 || code === 'internal.bug') throw thrown;
      yield { kind: 'problem', name: url, loss: 'rest', problem: { code, message, where: url } };
      continue;
    }
    for (const file of files) {
      if (!file.isFolder) yield file;
      else if (!met.has(file.url)) {
        met.add(file.url);
        const inner = file.url.endsWith('/') ? file.url : `${file.url}/`;
        if (level < depth) waiting.push({ url: inner, level: level + 1 });
        else {
          const message = `deeper than ${depth} folders; not read`;
          yield {
            kind: 'problem',
            name: inner,
            loss: 'rest',
            problem: { code: 'source.unreadable', message, where: inner },
          };
        }
      }
    }
  }
}

export async function readFolder(
  client: HttpClient,
  url: string,
  signal?: AbortSignal,
): Promise<ListedFile[]> {
  const {
    bytes,
    url: finalUrl,
    headers,
  } = await client.read({ url, ...(signal && { signal }) }, MAX_LISTING_BYTES);
  if (!/\bhtml\b/i.test(headers.get('content-type') ?? 'text/html'))
    throw new GarnerError(
      'source.answer',
      `${url} is no page that lists files but ${headers.get('content-type')}`,
    );
  return readListing(new TextDecoder().decode(bytes), finalUrl);
}
