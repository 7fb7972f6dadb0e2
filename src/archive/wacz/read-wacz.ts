/** WACZ files (1.1.1): a zip of WARC files, their index, a list of pages and a description with digests. */
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { GarnerError } from '../../core/errors.ts';
import type { CaptureEntry } from '../../store/captures.ts';
import { type ByteSource, openFile, partOf, readFully } from '../bytes/byte-source.ts';
import { readCdx } from '../cdx/cdx.ts';
import { parseCdxjLine, readCdxj } from '../cdx/cdxj.ts';
import { readLines } from '../cdx/lines.ts';
import { parseZipNumSummary, readZipNum } from '../cdx/zipnum.ts';
import { parsePageLine, type WaczPage } from './wacz-page.ts';

export interface WaczResource {
  readonly path: string;
  /** `sha256:…`. */
  readonly hash?: string;
  readonly bytes?: number;
}

export interface WaczDescription {
  readonly title?: string;
  readonly description?: string;
  readonly created?: string;
  readonly software?: string;
  readonly version?: string;
  readonly resources: readonly WaczResource[];
}

const DESCRIPTION_LIMIT = 64 << 20;
const STORED = 0;
const PART_BYTES = 1 << 20;

export async function openWacz(path: string): Promise<Wacz> {
  const file = await openFile(path);
  let zip: ZipFile | undefined;
  try {
    zip = await openPromise(path, { lazyEntries: true, autoClose: false });
    const entries = new Map<string, Entry>();
    for await (const entry of zip.eachEntry())
      if (!entry.fileName.endsWith('/')) entries.set(entry.fileName, entry);
    const wacz = new Wacz(file, zip, entries);
    if (wacz.archiveNames.length === 0) {
      throw new GarnerError('archive.format', `${path} has no archive/ folder: it is no WACZ`, {
        details: { path },
      });
    }
    return wacz;
  } catch (error) {
    zip?.close();
    await file.close();
    if (error instanceof GarnerError) throw error;
    throw new GarnerError('archive.format', `${path} is no zip file that can be read`, { cause: error });
  }
}

export class Wacz {
  readonly #file: ByteSource;
  readonly #zip: ZipFile;
  readonly #entries: ReadonlyMap<string, Entry>;
  #scratch: string | undefined;

  constructor(file: ByteSource, zip: ZipFile, entries: ReadonlyMap<string, Entry>) {
    this.#file = file;
    this.#zip = zip;
    this.#entries = entries;
  }

  /** Of all files in the zip. */
  get names(): readonly string[] {
    return [...this.#entries.keys()];
  }

  /** Of the WARC files: `archive/….warc.gz`. */
  get archiveNames(): readonly string[] {
    return this.names.filter((name) => /^archive\/[^/]+\.w?arc(\.gz|\.zst)?$/i.test(name));
  }

  /**
   * The bytes of one file. Stored ones, as WARC files in a WACZ should be, are read where they lie; packed
   * ones are unpacked into a temporary file first.
   */
  async open(name: string): Promise<ByteSource> {
    const entry = this.#getEntry(name);
    if (entry.compressionMethod !== STORED) return this.#unpack(entry);
    const { fileDataStart } = await this.#zip.readLocalFileHeaderPromise(entry, { minimal: true });
    return partOf(this.#file, fileDataStart, entry.compressedSize, `${this.#file.name}!${name}`);
  }

  async description(): Promise<WaczDescription> {
    const source = await this.open('datapackage.json');
    const bytes = await readFully(source, 0, DESCRIPTION_LIMIT);
    await source.close();
    return parseDescription(bytes.toString('utf8'), this.#file.name);
  }

  /** From `pages/pages.jsonl` and, when there are, `extraPages.jsonl`. */
  async *pages(): AsyncGenerator<WaczPage> {
    for (const name of this.names.filter((other) => /^pages\/[^/]+\.jsonl$/i.test(other))) {
      const source = await this.open(name);
      try {
        for await (const line of readLines(source)) {
          const page = parsePageLine(line);
          if (page) yield page;
        }
      } finally {
        await source.close();
      }
    }
  }

  /** From whatever index it has: CDXJ or CDX, plain or gzip, or ZipNum. File names are as the index has them. */
  async *captures(problem: (line: number, text: string) => void): AsyncGenerator<CaptureEntry> {
    const indexes = this.names.filter((name) => name.startsWith('indexes/'));
    const summaries = indexes.filter((name) => name.endsWith('.idx'));
    for (const name of summaries) yield* this.#zipNumCaptures(name);
    if (summaries.length > 0) return;
    for (const name of indexes) {
      const source = await this.open(name);
      try {
        yield* readAnyIndex(source, problem);
      } finally {
        await source.close();
      }
    }
  }

  async *#zipNumCaptures(summary: string): AsyncGenerator<CaptureEntry> {
    const source = await this.open(summary);
    const blocks = parseZipNumSummary((await readFully(source, 0, source.size)).toString('utf8'));
    await source.close();
    const openPart = (part: string): Promise<ByteSource> =>
      this.open(`indexes/${basename(part === '' ? summary.replace(/\.idx$/, '.cdx.gz') : part)}`);
    for await (const line of readZipNum({ blocks, openPart })) {
      const entry = parseCdxjLine(line);
      if (entry) yield entry;
    }
  }

  /** Compares every file with the description; gives those that differ, are missing or have no digest. */
  async *verify(): AsyncGenerator<{ readonly path: string; readonly problem: string }> {
    const { resources } = await this.description();
    const described = new Set(resources.map(({ path }) => path));
    for (const { path, hash, bytes } of resources) {
      if (!this.#entries.has(path)) {
        yield { path, problem: 'missing' };
        continue;
      }
      const source = await this.open(path);
      if (bytes !== undefined && bytes !== source.size)
        yield { path, problem: `${source.size} bytes, not ${bytes}` };
      const [algorithm = '', value] = hash?.split(':') ?? [];
      if (value === undefined || !/^(sha256|sha1|sha512|md5)$/.test(algorithm))
        yield { path, problem: 'no digest' };
      else if ((await digestOf(source, algorithm)) !== value.toLowerCase())
        yield { path, problem: 'another digest' };
      await source.close();
    }
    for (const path of this.names) {
      if (!described.has(path) && !path.startsWith('datapackage')) yield { path, problem: 'not described' };
    }
  }

  async close(): Promise<void> {
    this.#zip.close();
    await this.#file.close();
    if (this.#scratch !== undefined) await rm(this.#scratch, { recursive: true, force: true });
  }

  #getEntry(name: string): Entry {
    const entry = this.#entries.get(name);
    if (!entry)
      throw new GarnerError('archive.record', `${this.#file.name} has no ${name}`, { details: { name } });
    return entry;
  }

  /** yauzl stops an entry that gives more than it declares. */
  async #unpack(entry: Entry): Promise<ByteSource> {
    this.#scratch ??= await mkdtemp(join(tmpdir(), 'garner-wacz-'));
    const path = join(this.#scratch, String(entry.relativeOffsetOfLocalHeader));
    await pipeline(await this.#zip.openReadStreamPromise(entry), createWriteStream(path));
    const source = await openFile(path);
    return { ...source, name: `${this.#file.name}!${entry.fileName}` };
  }
}

async function* readAnyIndex(
  source: ByteSource,
  problem: (line: number, text: string) => void,
): AsyncGenerator<CaptureEntry> {
  let isCdxj = false;
  for await (const line of readLines(source)) {
    isCdxj = line.startsWith('!') || parseCdxjLine(line) !== undefined;
    break;
  }
  yield* isCdxj ? readCdxj(readLines(source), problem) : readCdx(readLines(source), problem);
}

async function digestOf(source: ByteSource, algorithm: string): Promise<string> {
  const hash = createHash(algorithm);
  for (let position = 0; ; ) {
    const part = await source.read(position, PART_BYTES);
    if (part.length === 0) return hash.digest('hex');
    hash.update(part);
    position += part.length;
  }
}

function parseDescription(text: string, name: string): WaczDescription {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new GarnerError('archive.format', `the datapackage.json of ${name} is no JSON`, { cause: error });
  }
  const fields = new Map<string, unknown>(
    typeof value === 'object' && value !== null ? Object.entries(value) : [],
  );
  const optional = (key: string): string | undefined => {
    const field = fields.get(key);
    return typeof field === 'string' ? field : undefined;
  };
  const listed = fields.get('resources');
  const resources = (Array.isArray(listed) ? listed : []).flatMap((item: unknown): WaczResource[] => {
    if (typeof item !== 'object' || item === null || !('path' in item) || typeof item.path !== 'string')
      return [];
    const hash = 'hash' in item && typeof item.hash === 'string' ? item.hash : undefined;
    const bytes = 'bytes' in item && typeof item.bytes === 'number' ? item.bytes : undefined;
    return [{ path: item.path, ...(hash !== undefined && { hash }), ...(bytes !== undefined && { bytes }) }];
  });
  const title = optional('title');
  const description = optional('description');
  const created = optional('created');
  const software = optional('software');
  const version = optional('wacz_version');
  return {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(created !== undefined && { created }),
    ...(software !== undefined && { software }),
    ...(version !== undefined && { version }),
    resources,
  };
}
