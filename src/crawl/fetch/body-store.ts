/** The body of an answer while it comes: in memory while small, else in a file; with its digest. */
import { createHash, type Hash } from 'node:crypto';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { sha1Base32, writeBase32 } from '../../archive/digest.ts';

export interface FetchedBody {
  readonly size: number;
  /** SHA-1 in base32, as the capture index has it. */
  readonly sha1: string;
  /** In memory, or in a file. */
  readonly bytes?: Buffer;
  readonly path?: string;
  /** Removes the file. */
  discard(): void;
}

/** What may have links; more is neither read nor kept in memory. */
const MEMORY_BYTES = 8 << 20;

export class BodyStore {
  readonly #path: () => string;
  #parts: Buffer[] = [];
  #file: { readonly path: string; readonly fd: number; readonly sha1: Hash } | undefined;
  size = 0;

  constructor(path: () => string) {
    this.#path = path;
  }

  /** Writing is synchronous: the disk is faster than the network, and so nothing piles up. */
  add(part: Buffer): void {
    this.size += part.length;
    if (!this.#file && this.size > MEMORY_BYTES) {
      const path = this.#path();
      this.#file = { path, fd: openSync(path, 'wx'), sha1: createHash('sha1') };
      for (const kept of this.#parts) this.#write(this.#file, kept);
      this.#parts = [];
    }
    if (this.#file) this.#write(this.#file, part);
    else this.#parts.push(part);
  }

  #write({ fd, sha1 }: { readonly fd: number; readonly sha1: Hash }, bytes: Buffer): void {
    sha1.update(bytes);
    for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
  }

  finish(): FetchedBody {
    const { size } = this;
    if (this.#file) {
      const { path, fd, sha1 } = this.#file;
      closeSync(fd);
      return { size, sha1: writeBase32(sha1.digest()), path, discard: () => rmSync(path, { force: true }) };
    }
    const bytes = this.#parts.length === 1 && this.#parts[0] ? this.#parts[0] : Buffer.concat(this.#parts);
    return { size, sha1: sha1Base32(bytes), bytes, discard: () => {} };
  }

  abandon(): void {
    if (!this.#file) return;
    closeSync(this.#file.fd);
    rmSync(this.#file.path, { force: true });
  }
}
