/**
 * Bytes of records in zstd blocks of at most 32 KB: small enough for a quick single read, large enough to
 * compress like with like. A record larger than that has a block of its own. Blocks never change.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { GarnerError } from '../../core/errors.ts';

export const BLOCK_BYTES = 32 * 1024;
const CACHED_BYTES = 4 * 2 ** 20;

export interface BlockPlace {
  readonly block: number;
  readonly start: number;
}

/** One stream of blocks; like bytes (raw with raw, fields with fields) belong in one stream. */
export class BlockWriter {
  readonly #insert: StatementSync;
  readonly #nextId: () => number;
  readonly #staged = Buffer.allocUnsafe(BLOCK_BYTES);
  #used = 0;
  #id: number | undefined;

  constructor(db: DatabaseSync, nextId: () => number) {
    this.#insert = db.prepare('INSERT INTO block (id, data) VALUES (?, ?)');
    this.#nextId = nextId;
  }

  append(bytes: Uint8Array): BlockPlace {
    if (bytes.length > BLOCK_BYTES) {
      const block = this.#nextId();
      this.#insert.run(block, zstdCompressSync(bytes));
      return { block, start: 0 };
    }
    if (this.#used + bytes.length > BLOCK_BYTES) this.flush();
    this.#id ??= this.#nextId();
    const start = this.#used;
    this.#staged.set(bytes, start);
    this.#used += bytes.length;
    return { block: this.#id, start };
  }

  /** Before every commit: what was appended is readable only afterwards. */
  flush(): void {
    if (this.#id !== undefined) {
      this.#insert.run(this.#id, zstdCompressSync(this.#staged.subarray(0, this.#used)));
    }
    this.reset();
  }

  /** After a rollback. */
  reset(): void {
    this.#used = 0;
    this.#id = undefined;
  }
}

export class BlockReader {
  readonly #select: StatementSync;
  readonly #cache = new Map<number, Uint8Array>();
  #cachedBytes = 0;

  constructor(db: DatabaseSync) {
    this.#select = db.prepare('SELECT data FROM block WHERE id = ?');
  }

  /** A view of the block's bytes: copy it before keeping it. */
  read(block: number, start: number, size: number): Uint8Array {
    const bytes = this.readBlock(block);
    if (start + size > bytes.length) {
      throw new GarnerError('store.corrupt', `block ${block} ends before byte ${start + size}`);
    }
    return bytes.subarray(start, start + size);
  }

  readBlock(block: number): Uint8Array {
    const cached = this.#cache.get(block);
    if (cached) {
      // Last used, last in the map's order.
      this.#cache.delete(block);
      this.#cache.set(block, cached);
      return cached;
    }
    const data = this.#select.get(block)?.data;
    if (!(data instanceof Uint8Array)) throw new GarnerError('store.corrupt', `block ${block} is missing`);
    const bytes = decompress(block, data);
    this.#cache.set(block, bytes);
    this.#cachedBytes += bytes.length;
    for (const [oldest, old] of this.#cache) {
      if (this.#cachedBytes <= CACHED_BYTES || oldest === block) break;
      this.#cache.delete(oldest);
      this.#cachedBytes -= old.length;
    }
    return bytes;
  }

  /** After a rollback: the ids that it gave will be given again. */
  reset(): void {
    this.#cache.clear();
    this.#cachedBytes = 0;
  }
}

function decompress(block: number, data: Uint8Array): Uint8Array {
  try {
    // One piece of output for one block: fewer buffers to make and to join.
    return zstdDecompressSync(data, { chunkSize: BLOCK_BYTES + 64 });
  } catch (cause) {
    throw new GarnerError('store.corrupt', `block ${block} does not decompress`, { cause });
  }
}
