/** The body of an answer while it comes: in memory while small, else in a file; with its digest. */
import { createHash } from 'node:crypto';
import { closeSync, createReadStream, openSync, rmSync, writeSync } from 'node:fs';
import { writeBase32 } from '../../archive/digest.ts';

export interface FetchedBody {
  readonly size: number;
  /** SHA-1 in base32, as the capture index has it. */
  readonly sha1: string;
  /** Undefined when it is in a file. */
  readonly bytes?: Buffer;
  stream(): AsyncIterable<Uint8Array>;
  /** Removes the file. */
  discard(): void;
}

/** What may have links; more is neither read nor kept in memory. */
const MEMORY_BYTES = 8 << 20;

export class BodyStore {
  readonly #path: () => string;
  readonly #sha1 = createHash('sha1');
  #parts: Buffer[] = [];
  #file: { readonly path: string; readonly fd: number } | undefined;
  size = 0;

  constructor(path: () => string) {
    this.#path = path;
  }

  /** Writing is synchronous: the disk is faster than the network, and so nothing piles up. */
  add(part: Buffer): void {
    this.#sha1.update(part);
    this.size += part.length;
    if (!this.#file && this.size > MEMORY_BYTES) {
      const path = this.#path();
      this.#file = { path, fd: openSync(path, 'wx') };
      for (const kept of this.#parts) writeFully(this.#file.fd, kept);
      this.#parts = [];
    }
    if (this.#file) writeFully(this.#file.fd, part);
    else this.#parts.push(part);
  }

  finish(): FetchedBody {
    const { size } = this;
    const sha1 = writeBase32(this.#sha1.digest());
    if (this.#file) {
      const { path, fd } = this.#file;
      closeSync(fd);
      return {
        size,
        sha1,
        stream: () => createReadStream(path),
        discard: () => rmSync(path, { force: true }),
      };
    }
    const bytes = this.#parts.length === 1 && this.#parts[0] ? this.#parts[0] : Buffer.concat(this.#parts);
    return {
      size,
      sha1,
      bytes,
      stream: async function* () {
        yield bytes;
      },
      discard: () => {},
    };
  }

  abandon(): void {
    if (!this.#file) return;
    closeSync(this.#file.fd);
    rmSync(this.#file.path, { force: true });
  }
}

function writeFully(fd: number, bytes: Buffer): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
}
