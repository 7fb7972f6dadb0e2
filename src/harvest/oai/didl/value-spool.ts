/** Contents of files on their way from a DIDL into the archive: in memory when they are small, else on disk. */
import { createHash, type Hash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { GarnerError } from '../../../core/errors.ts';

export interface FileValue {
  readonly size: number;
  /** Hex, by algorithm. */
  readonly digests: Readonly<Record<(typeof ALGORITHMS)[number], string>>;
  /** Enough to see what it is. */
  readonly beginning: Buffer;
  /** May be called more than once. */
  readonly body: () => Buffer | AsyncIterable<Uint8Array>;
  /** When nobody needs it any longer. */
  readonly discard: () => Promise<void>;
}

const ALGORITHMS = ['sha1', 'sha256', 'sha512', 'md5'] as const;
const BEGINNING = 16;
/** Longer ones are left to web crawls. */
const MAX_BYTES = 4 * 1024 ** 3;

/** There may be one for each folder; what a killed one left behind goes when the next one begins. */
export class ValueSpool {
  readonly #folder: string;
  /** Nobody outside can guess it, so that no document can name the content of another one. */
  readonly #token = `value:${randomUUID()}:`;
  readonly #values = new Map<string, FileValue>();
  #count = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async begin(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
    await mkdir(this.#folder, { recursive: true });
  }

  end(): Promise<void> {
    return rm(this.#folder, { recursive: true, force: true });
  }

  async start(): Promise<ValueWriter> {
    const path = join(this.#folder, randomUUID());
    const handle = await open(path, 'wx');
    const name = `${this.#token}${this.#count++}`;
    const forget = async (): Promise<void> => {
      this.#values.delete(name);
      await rm(path, { force: true });
    };
    return new ValueWriter(path, handle, forget, (value) => {
      this.#values.set(name, value);
      return name;
    });
  }

  /** By the name that its writer gave. */
  find(name: string): FileValue | undefined {
    return this.#values.get(name);
  }
}

export class ValueWriter {
  readonly #path: string;
  readonly #handle: FileHandle;
  readonly #forget: () => Promise<void>;
  readonly #keep: (value: FileValue) => string;
  readonly #hashes: readonly Hash[] = ALGORITHMS.map((name) => createHash(name));
  #beginning: Buffer = Buffer.alloc(0);
  #size = 0;

  constructor(
    path: string,
    handle: FileHandle,
    forget: () => Promise<void>,
    keep: (value: FileValue) => string,
  ) {
    this.#path = path;
    this.#handle = handle;
    this.#forget = forget;
    this.#keep = keep;
  }

  async write(bytes: Uint8Array): Promise<void> {
    this.#size += bytes.length;
    if (this.#size > MAX_BYTES)
      throw new GarnerError('didl.content', `the content is larger than ${MAX_BYTES} bytes`);
    for (const hash of this.#hashes) hash.update(bytes);
    if (this.#beginning.length < BEGINNING)
      this.#beginning = Buffer.concat([this.#beginning, bytes.subarray(0, BEGINNING)]);
    await this.#handle.appendFile(bytes);
  }

  /** The name of the value. */
  async finish(): Promise<string> {
    await this.#handle.close();
    const path = this.#path;
    return this.#keep({
      size: this.#size,
      digests: digestsOf(this.#hashes),
      beginning: this.#beginning,
      body: () => createReadStream(path),
      discard: this.#forget,
    });
  }

  async discard(): Promise<void> {
    await this.#handle.close();
    await this.#forget();
  }
}

export function valueInMemory(bytes: Buffer): FileValue {
  const hashes = ALGORITHMS.map((name) => createHash(name).update(bytes));
  return {
    size: bytes.length,
    digests: digestsOf(hashes),
    beginning: bytes.subarray(0, BEGINNING),
    body: () => bytes,
    discard: () => Promise.resolve(),
  };
}

function digestsOf(hashes: readonly Hash[]): FileValue['digests'] {
  const [sha1 = '', sha256 = '', sha512 = '', md5 = ''] = hashes.map((hash) => hash.digest('hex'));
  return { sha1, sha256, sha512, md5 };
}
