/**
 * A DIDL document that somebody made, first or second edition, as files. Each component is one file: the first
 * resource that is there by value. Containers of our own are read back to what was captured.
 */
import { createReadStream } from 'node:fs';
import { appendFile, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { asGarnerError } from '../../core/errors.ts';
import type { Instant, RecordProblem } from '../../core/model.ts';
import { utf8Chunks } from '../../xml/encoding.ts';
import { parseSmallTree, type SmallElement } from '../../xml/small-tree.ts';
import { type DidlEvent, localName } from '../didl/didl-events.ts';
import { readDidlEvents } from '../didl/read-events.ts';
import { DidlFrame, type ListedFile } from './didl-frame.ts';
import { isCaptureUrl, type PackageFile, packageUrn, type UnpackedPackage } from './package-file.ts';
import { replaceIllegal } from './replace-illegal.ts';
import { decodeUnmarked, digestOf, spoolTo, unpackGzip } from './resource-spool.ts';
import { type PackedEntry, unpackInto } from './unpack-archive.ts';

export interface DidlPackageDeps {
  /** A folder of its own. */
  readonly scratch: string;
  /** The files of a tar.gz. */
  readonly listPacked: (path: string) => AsyncIterable<PackedEntry>;
  /** For files whose time nobody tells. */
  readonly now: Instant;
}

/** Statements that are longer say nothing that is asked for here. */
const MAX_STATEMENT_BYTES = 4 * 1024 * 1024;
const FRAMES = new Set(['Container', 'Item', 'Component']);

export async function readDidlPackage(path: string, deps: DidlPackageDeps): Promise<UnpackedPackage> {
  const reading = new DidlReading(basename(path), deps);
  const tally = { replaced: 0 };
  const bytes = createReadStream(path, { highWaterMark: 1 << 16 });
  for await (const event of readDidlEvents(replaceIllegal(utf8Chunks(bytes), tally)))
    await reading.take(event);
  if (tally.replaced > 0)
    reading.note('record.repaired', `${tally.replaced} characters that XML cannot hold were replaced`);
  const { title, problems } = reading;
  const files = reading.allFiles();
  return { ...(title !== undefined && { title }), archives: [], files, problems };
}

interface OpenResource {
  readonly mediaType?: string;
  readonly ref?: string;
  readonly contentEncoding?: string;
  path?: string;
  /** It stands between the tags without being called base64. */
  unmarked: boolean;
}

class DidlReading {
  title: string | undefined;
  readonly problems: RecordProblem[] = [];
  readonly #name: string;
  readonly #deps: DidlPackageDeps;
  readonly #files: PackageFile[] = [];
  /** What pages are shown with, by address and time: in the directory of each of them. */
  readonly #beside = new Map<string, PackageFile>();
  readonly #frames: DidlFrame[] = [];
  #statement: Buffer[] | undefined;
  #statementBytes = 0;
  #resource: OpenResource | undefined;
  #count = 0;

  constructor(name: string, deps: DidlPackageDeps) {
    this.#name = name;
    this.#deps = deps;
  }

  /** Of what is there as an item by itself that one counts: it comes with its headers. */
  allFiles(): PackageFile[] {
    for (const file of this.#files) this.#beside.delete(keyOf(file));
    return [...this.#files, ...this.#beside.values()];
  }

  note(code: RecordProblem['code'], message: string, identifier?: string): void {
    this.problems.push({
      code,
      message,
      where: this.#name,
      ...(identifier !== undefined && { identifier }),
    });
  }

  async take(event: DidlEvent): Promise<void> {
    if (event.kind === 'start') this.#start(localName(event.name), new Map(event.attributes));
    else if (event.kind === 'end') await this.#end(localName(event.name));
    else if (event.kind === 'value') await this.#value(event.bytes);
    else await this.#markup(Buffer.from(event.markup as string));
  }

  #start(local: string, attributes: ReadonlyMap<string, string>): void {
    if (FRAMES.has(local)) this.#frames.push(new DidlFrame(local, this.#frames.at(-1)));
    else if (local === 'Statement') {
      this.#statement = [];
      this.#statementBytes = 0;
    } else if (local === 'Resource' || local === 'Reference') {
      const mediaType = attributes.get('mimeType')?.trim();
      // The first edition had an element of its own for links.
      const ref = (attributes.get('ref') ?? attributes.get('uri') ?? attributes.get('href'))?.trim();
      const contentEncoding = attributes.get('contentEncoding')?.trim().toLowerCase();
      this.#resource = {
        unmarked: false,
        ...(mediaType && { mediaType }),
        ...(ref && { ref }),
        ...(contentEncoding && { contentEncoding }),
      };
    }
  }

  async #end(local: string): Promise<void> {
    if (local === 'Statement') this.#endStatement();
    else if (local === 'Resource' || local === 'Reference') await this.#endResource();
    else if (FRAMES.has(local)) {
      const frame = this.#frames.pop();
      if (frame?.kind === 'Component') await this.#endComponent(frame);
    }
  }

  async #markup(bytes: Buffer): Promise<void> {
    if (this.#statement) {
      this.#statementBytes += bytes.length;
      if (this.#statementBytes <= MAX_STATEMENT_BYTES) this.#statement.push(bytes);
    } else if (this.#resource && (this.#resource.unmarked || /\S/.test(bytes.toString('latin1')))) {
      this.#resource.unmarked = true;
      this.#resource.path ??= this.#newPath();
      await appendFile(this.#resource.path, bytes);
    }
  }

  #endStatement(): void {
    const parts = this.#statement ?? [];
    this.#statement = undefined;
    const element =
      this.#statementBytes <= MAX_STATEMENT_BYTES ? parseSmallTree(Buffer.concat(parts)) : undefined;
    if (!element) return;
    if (element.name === 'dc') this.title ??= titleOf(element);
    this.#frames.at(-1)?.describe(element);
  }

  async #value(bytes: AsyncIterable<Uint8Array>): Promise<void> {
    const path = this.#newPath();
    try {
      await spoolTo(path, bytes);
      if (this.#resource) this.#resource.path = path;
    } catch (thrown) {
      const { code, message } = asGarnerError(thrown);
      if (code !== 'didl.content') throw thrown;
      this.note(code, message, this.#frames.at(-1)?.identifier);
    }
  }

  async #endResource(): Promise<void> {
    const resource = this.#resource;
    this.#resource = undefined;
    if (!resource) return;
    const { path, mediaType, unmarked, contentEncoding } = resource;
    if (path !== undefined && unmarked) await decodeUnmarked(path, mediaType);
    if (path !== undefined && contentEncoding === 'gzip') await unpackGzip(path);
    this.#frames.at(-1)?.resources.push(resource);
  }

  async #endComponent(frame: DidlFrame): Promise<void> {
    const { identifier, resources } = frame;
    if (identifier?.endsWith(':METADATA')) return;
    const byValue = resources.find(({ path }) => path !== undefined);
    if (byValue?.path === undefined) {
      const ref = resources.find((resource) => resource.ref !== undefined)?.ref;
      const message =
        ref === undefined ? 'the component has no content' : `it is there by reference only: ${ref}`;
      this.note('didl.reference', message, identifier);
      return;
    }
    const wrong = await findWrong(byValue.path, frame);
    if (wrong !== undefined) {
      this.note('source.checksum', wrong, identifier);
      return;
    }
    const url = urlOf(identifier) ?? this.#urlOfRef(resources) ?? packageUrn(this.#name, String(this.#count));
    const at = frame.at ?? this.#deps.now;
    const { headers } = frame;
    const facts = { url, at, ...(headers && { headers }) };
    if (identifier?.endsWith(':DATA')) await this.#addDirectory(byValue.path, facts, frame.listed);
    else
      this.#files.push({
        ...facts,
        path: byValue.path,
        ...(byValue.mediaType !== undefined && { mediaType: byValue.mediaType }),
      });
  }

  /** A directory as tar.gz: the file of the URL first, others beside it, where no list tells more under their names. */
  async #addDirectory(
    path: string,
    facts: Omit<PackageFile, 'path'>,
    listed: ReadonlyMap<string, ListedFile>,
  ): Promise<void> {
    const folder = `${path}.unpacked`;
    const names: string[] = [];
    const noted = async function* (entries: AsyncIterable<PackedEntry>): AsyncGenerator<PackedEntry> {
      for await (const entry of entries) {
        if (entry.refusal === undefined) names.push(entry.name);
        yield entry;
      }
    };
    this.problems.push(...(await unpackInto(folder, noted(this.#deps.listPacked(path)))));
    for (const [index, name] of names.entries()) {
      const inner = join(folder, ...name.split('/'));
      const known = listed.get(name);
      if (index === 0) this.#files.push({ ...facts, path: inner });
      else if (!known) this.#files.push({ url: packageUrn(this.#name, name), at: facts.at, path: inner });
      else if (this.#beside.has(keyOf(known))) await rm(inner);
      else this.#beside.set(keyOf(known), { ...known, path: inner });
    }
  }

  #urlOfRef(resources: DidlFrame['resources']): string | undefined {
    return resources.find(({ ref }) => ref !== undefined && isCaptureUrl(ref))?.ref;
  }

  #newPath(): string {
    return join(this.#deps.scratch, `resource-${++this.#count}`);
  }
}

const keyOf = ({ url, at }: ListedFile): string => `${at} ${url}`;

/** The identifier, when it is an address; of our own containers the address stands in it, encoded. */
function urlOf(identifier: string | undefined): string | undefined {
  if (identifier === undefined) return undefined;
  if (isCaptureUrl(identifier)) return identifier;
  const parts = identifier.split(/[:/?&=]/).flatMap((part) => {
    try {
      return [decodeURIComponent(part)];
    } catch {
      return [];
    }
  });
  const inside = parts.findLast(isCaptureUrl);
  return inside ?? (/^urn:[a-z0-9-]+:\S+$/i.test(identifier) ? identifier : undefined);
}

const titleOf = ({ children }: SmallElement): string | undefined =>
  children.find(({ name }) => name === 'title')?.text.trim() || undefined;

const CHECKED = ['sha512', 'sha384', 'sha256', 'sha1', 'md5'];

async function findWrong(path: string, { size, fixity }: DidlFrame): Promise<string | undefined> {
  const { size: actual } = await stat(path);
  if (size !== undefined && size !== actual) return `the content has ${actual} bytes instead of ${size}`;
  for (const { algorithm, digest } of fixity) {
    if (!CHECKED.includes(algorithm)) continue;
    if ((await digestOf(path, algorithm)) !== digest.trim().toLowerCase())
      return `the content has not the ${algorithm} digest that is told of it`;
  }
  return undefined;
}
