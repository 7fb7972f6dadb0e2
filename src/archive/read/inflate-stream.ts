/** Decompression piece by piece: for members too large for memory, and to save the start of damaged ones. */
import { Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createInflateRaw, createZstdDecompress } from 'node:zlib';
import type { ByteSource } from '../bytes/byte-source.ts';

const INPUT_BYTES = 256 * 1024;
const OUTPUT_BYTES = 256 * 1024;
/** Of a step that fails the output is lost, so steps are short where something is to be saved. */
const SAVING_BYTES = 256;
const GATHERED_BYTES = 64 * 1024;

export interface InflateOutcome {
  /** Compressed bytes used up, when all went well. */
  readonly consumed?: number;
  readonly failure?: 'truncated' | 'compression';
}

export interface InflateChoice {
  readonly coding: 'deflate' | 'zstd';
  readonly dictionary?: Buffer;
  /** Exclusive; the end of the file when absent. */
  readonly end?: number;
  /** The bytes are known to be damaged: give as much as can be had. */
  readonly saving?: boolean;
}

export async function* inflateStream(
  source: ByteSource,
  start: number,
  choice: InflateChoice,
): AsyncGenerator<Buffer, InflateOutcome> {
  const engine = createEngine(choice);
  const input = Readable.from(readParts(source, start, choice.end ?? source.size), { objectMode: false });
  const running = pipeline(input, engine).catch((error: unknown) => error);
  let gathered: Buffer[] = [];
  let size = 0;
  let failed: unknown;
  try {
    for await (const chunk of engine) {
      if (!Buffer.isBuffer(chunk)) continue;
      gathered.push(chunk);
      size += chunk.length;
      if (size < GATHERED_BYTES) continue;
      yield Buffer.concat(gathered, size);
      gathered = [];
      size = 0;
    }
  } catch (error) {
    failed = error;
  } finally {
    engine.destroy();
    input.destroy();
    await running;
  }
  if (size > 0) yield Buffer.concat(gathered, size);
  if (failed === undefined) return { consumed: engine.bytesWritten };
  return { failure: isEndOfInput(failed) ? 'truncated' : 'compression' };
}

function createEngine({ coding, dictionary, saving }: InflateChoice): Transform & { bytesWritten: number } {
  const chunkSize = saving ? SAVING_BYTES : OUTPUT_BYTES;
  if (coding === 'zstd') return createZstdDecompress({ chunkSize, ...(dictionary && { dictionary }) });
  return createInflateRaw({ chunkSize });
}

async function* readParts(source: ByteSource, start: number, end: number): AsyncGenerator<Buffer> {
  for (let position = start; position < end; ) {
    const part = await source.read(position, Math.min(INPUT_BYTES, end - position));
    if (part.length === 0) return;
    yield part;
    position += part.length;
  }
}

/** zlib says Z_BUF_ERROR, zstd its own code, when the input ends too early. */
export function isEndOfInput(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false;
  return error.code === 'Z_BUF_ERROR' || /unexpected end of file/.test(error.message);
}
