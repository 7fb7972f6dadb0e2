/** One file behind a web address, as an entry of its source. */
import { hash } from 'node:crypto';
import { asGarnerError, GarnerError } from '../../core/errors.ts';
import type { Instant } from '../../core/model.ts';
import type { FileEntry, OriginFinding } from '../files/entry.ts';
import { SNIFF_BYTES, sniffContent } from '../files/sniff.ts';
import type { HttpClient } from '../http/index.ts';

/** A file is held in memory while it is read. */
export const MAX_FILE_BYTES = 64 * 1024 * 1024;

/** Files fetched at once; `delayMs` of the source still keeps them apart. */
export const FETCH_AHEAD = 4;

export interface RemoteFile {
  readonly url: string;
  /** As its list says; 0 when it does not. */
  readonly modifiedAt: Instant;
  /** Digests that the bytes must have, hex, by the name that node:crypto has for them. */
  readonly digests?: ReadonlyMap<string, string>;
}

export interface FetchOptions extends Pick<FileEntry, 'identify'> {
  readonly signal?: AbortSignal | undefined;
  /** Makes records of something that holds them; default: the bytes are records already. */
  readonly unpack?: (bytes: Uint8Array, contentType: string | undefined) => Uint8Array;
  /** Forces a format. */
  readonly format?: string;
}

/** Never fails for one file: what goes wrong is a finding, and what is stored of it stays. */
export async function fetchEntry(
  client: HttpClient,
  file: RemoteFile,
  options: FetchOptions = {},
): Promise<OriginFinding> {
  const { url } = file;
  try {
    const { bytes, contentType } = await readChecked(client, file, options.signal);
    const content = options.unpack ? options.unpack(bytes, contentType) : bytes;
    const kind = options.unpack ? 'json' : sniffContent(content.subarray(0, SNIFF_BYTES));
    if (kind !== 'xml' && kind !== 'json')
      return { kind: 'foreign', name: url, where: url, content: describeContent(content, kind) };
    const entry: FileEntry = {
      name: url,
      where: url,
      syntax: kind,
      size: content.length,
      modifiedAt: file.modifiedAt,
      reopenable: true,
      open: () => oneChunk(content),
      ...(options.format !== undefined && { format: options.format }),
      ...(options.identify && { identify: options.identify }),
    };
    return { kind: 'entry', entry };
  } catch (thrown) {
    options.signal?.throwIfAborted();
    const error = asGarnerError(thrown);
    if (error.code === 'internal.bug') throw error;
    // Gone for good, as its host says: then its records go as well.
    if (error.details.status === 410)
      return { kind: 'noted', state: { entry: url, digest: 'gone', size: 0, modifiedAt: file.modifiedAt } };
    const problem = { code: error.code, message: error.message, where: url };
    return { kind: 'problem', name: url, loss: 'entry', problem };
  }
}

/** A page for people says best by its title what it is: a form to log in, a note of maintenance. */
export function describeContent(bytes: Uint8Array, kind: string): string {
  if (bytes.length === 0) return 'empty';
  const head = Buffer.from(bytes.subarray(0, SNIFF_BYTES)).toString();
  const title = /<title[^>]*>\s*([^<]{1,80})/i.exec(head)?.[1]?.trim();
  if (title !== undefined) return `a page: “${title}”`;
  return `no XML or JSON${kind === 'other' ? '' : ` but ${kind}`}`;
}

async function readChecked(
  client: HttpClient,
  file: RemoteFile,
  signal: AbortSignal | undefined,
): Promise<{ bytes: Uint8Array; contentType: string | undefined }> {
  for (let last = false; ; last = true) {
    const { bytes, headers } = await client.read(
      { url: file.url, ...(signal && { signal }) },
      MAX_FILE_BYTES,
    );
    const wrong = findMismatch(bytes, file.digests);
    if (wrong === undefined) return { bytes, contentType: headers.get('content-type') };
    // It may have been changed after its list was written, or been cut on the way: once more.
    if (last)
      throw new GarnerError('source.checksum', `the ${wrong} digest of ${file.url} is not the listed one`);
  }
}

function findMismatch(
  bytes: Uint8Array,
  digests: ReadonlyMap<string, string> | undefined,
): string | undefined {
  for (const [algorithm, expected] of digests ?? [])
    if (hash(algorithm, bytes) !== expected.toLowerCase()) return algorithm;
  return undefined;
}

async function* oneChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
