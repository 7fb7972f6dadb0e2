/** A block of unknown length on its way into a record: in memory while small, else in a file beside the archive. */
import { createHash, type Hash } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { digestHex } from '../digest.ts';
import type { BlockSource } from './record-draft.ts';

const MEMORY_BYTES = 4 << 20;

export interface BlockDigests {
  readonly blockSha256: string;
  /** Of the bytes from the payload's start; absent when the record has no payload. */
  readonly payloadSha1?: string;
  readonly payloadSha256?: string;
}

export interface SpooledBlock {
  readonly length: number;
  /** Hex. */
  readonly digests: BlockDigests;
  /** Undefined when the bytes are in a file. */
  readonly whole?: Buffer;
  parts(): AsyncIterable<Uint8Array>;
  /** Removes the file. */
  discard(): Promise<void>;
}

export async function spoolBlock(
  block: BlockSource,
  payloadOffset: number | undefined,
  spoolPath: () => string,
): Promise<SpooledBlock> {
  if (Buffer.isBuffer(block)) return inMemory(block, digestWhole(block, payloadOffset));
  const digests = createDigests(payloadOffset);
  const parts: Buffer[] = [];
  let length = 0;
  let file: { readonly path: string; readonly handle: FileHandle } | undefined;
  try {
    for await (const bytes of block) {
      const part = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      digests.update(part);
      length += part.length;
      if (!file && length > MEMORY_BYTES) {
        const path = spoolPath();
        file = { path, handle: await open(path, 'wx+') };
        for (const kept of parts.splice(0)) await writeAll(file.handle, kept);
      }
      // The producer may use its buffer again.
      if (file) await writeAll(file.handle, part);
      else parts.push(Buffer.from(part));
    }
  } catch (error) {
    await file?.handle.close();
    if (file) await rm(file.path, { force: true });
    throw error;
  }
  if (!file) return inMemory(Buffer.concat(parts, length), digests.finish());
  const { path, handle } = file;
  return {
    length,
    digests: digests.finish(),
    parts: () => handle.createReadStream({ start: 0, autoClose: false, highWaterMark: 256 * 1024 }),
    discard: async () => {
      await handle.close();
      await rm(path, { force: true });
    },
  };
}

async function writeAll(handle: FileHandle, bytes: Buffer): Promise<void> {
  for (let done = 0; done < bytes.length; ) done += (await handle.write(bytes, done)).bytesWritten;
}

function inMemory(whole: Buffer, digests: BlockDigests): SpooledBlock {
  return {
    length: whole.length,
    digests,
    whole,
    parts: async function* () {
      yield whole;
    },
    discard: () => Promise.resolve(),
  };
}

function digestWhole(block: Buffer, payloadOffset: number | undefined): BlockDigests {
  const blockSha256 = digestHex('sha256', block);
  if (payloadOffset === undefined) return { blockSha256 };
  const payload = block.subarray(payloadOffset);
  return {
    blockSha256,
    payloadSha1: digestHex('sha1', payload),
    payloadSha256: digestHex('sha256', payload),
  };
}

function createDigests(payloadOffset: number | undefined) {
  const block = createHash('sha256');
  const payload: Hash[] = payloadOffset === undefined ? [] : [createHash('sha1'), createHash('sha256')];
  let skip = payloadOffset ?? 0;
  return {
    update(bytes: Buffer): void {
      block.update(bytes);
      if (bytes.length > skip) for (const hash of payload) hash.update(bytes.subarray(skip));
      skip = Math.max(0, skip - bytes.length);
    },
    finish(): BlockDigests {
      const blockSha256 = block.digest('hex');
      const [payloadSha1, payloadSha256] = payload.map((hash) => hash.digest('hex'));
      return payloadSha1 === undefined || payloadSha256 === undefined
        ? { blockSha256 }
        : { blockSha256, payloadSha1, payloadSha256 };
    },
  };
}
