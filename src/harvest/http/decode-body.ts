/**
 * Content codings as servers really send them: with the header or without, or with the header on a plain
 * body. What the first bytes show counts more than what the header says.
 */
import { once } from 'node:events';
import { pipeline, Readable, type Transform } from 'node:stream';
import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib';
import { asGarnerError, GarnerError } from '../../core/errors.ts';

export const ACCEPTED_CODINGS = 'gzip, deflate, br, zstd';

type Chunks = AsyncIterable<Uint8Array>;
type Coding = 'gzip' | 'deflate' | 'br' | 'zstd';

const CODINGS: Readonly<Record<string, Coding>> = {
  gzip: 'gzip',
  'x-gzip': 'gzip',
  deflate: 'deflate',
  br: 'br',
  zstd: 'zstd',
};
const MAX_LAYERS = 3;

export interface DecodeOptions {
  readonly contentEncoding: string | undefined;
  /** Unpack gzip and zstd that no header announces; not for files that are meant to be packed. */
  readonly sniff: boolean;
  readonly maxBytes: number;
}

export async function* decodeBody(body: Chunks, options: DecodeOptions): AsyncGenerator<Uint8Array> {
  let decoded: Chunks = body;
  const announced = (options.contentEncoding ?? '')
    .toLowerCase()
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '' && part !== 'identity');
  if (announced.length > MAX_LAYERS) throw broken(`${announced.length} content codings in one another`);
  for (const name of announced.reverse()) {
    const coding = CODINGS[name];
    // An unknown name (`utf-8`, `none`) is a mistake of the server; the body is looked at as it is.
    if (coding) decoded = unpackAnnounced(decoded, coding);
  }
  if (options.sniff) decoded = unpackUnannounced(decoded);
  let size = 0;
  for await (const chunk of decoded) {
    size += chunk.length;
    if (size > options.maxBytes)
      throw new GarnerError('http.too-large', `the answer is larger than ${options.maxBytes} bytes`);
    yield chunk;
  }
}

const broken = (message: string, cause?: unknown) => new GarnerError('http.encoding', message, { cause });

async function* unpackAnnounced(body: Chunks, coding: Coding): Chunks {
  const { head, all } = await peek(body);
  if (head.length === 0) return;
  if (coding === 'gzip' ? !isGzip(head) : coding === 'zstd' ? !isZstd(head) : looksLikeText(head)) {
    yield* all;
    return;
  }
  yield* unpack(all, coding, head);
}

async function* unpackUnannounced(body: Chunks): Chunks {
  const { head, all } = await peek(body);
  if (isGzip(head)) yield* unpack(all, 'gzip', head);
  else if (isZstd(head)) yield* unpack(all, 'zstd', head);
  else yield* all;
}

const isGzip = (head: Uint8Array) => head[0] === 0x1f && head[1] === 0x8b && head[2] === 8;
const isZstd = (head: Uint8Array) =>
  head[0] === 0x28 && head[1] === 0xb5 && head[2] === 0x2f && head[3] === 0xfd;
/** XML, HTML or JSON in plain; compressed bytes hardly ever begin so. */
const looksLikeText = (head: Uint8Array) =>
  /^(?:\xef\xbb\xbf)?\s*(?:<[?!A-Za-z]|\{\s*"|\[\s*[{"])/.test(Buffer.from(head).toString('latin1'));
/** RFC 1950 §2.2. Many servers send raw deflate (RFC 1951) instead. */
const isZlib = (head: Uint8Array) =>
  ((head[0] ?? 0) & 0x0f) === 8 && (((head[0] ?? 0) << 8) | (head[1] ?? 0)) % 31 === 0;

const HEAD_BYTES = 16;

async function peek(body: Chunks): Promise<{ head: Uint8Array; all: Chunks }> {
  const source = body[Symbol.asyncIterator]();
  const taken: Uint8Array[] = [];
  let length = 0;
  while (length < HEAD_BYTES) {
    const step = await source.next();
    if (step.done) break;
    taken.push(step.value);
    length += step.value.length;
  }
  const all = (async function* () {
    try {
      yield* taken;
      for (;;) {
        const step = await source.next();
        if (step.done) return;
        yield step.value;
      }
    } finally {
      await source.return?.();
    }
  })();
  return { head: Buffer.concat(taken).subarray(0, HEAD_BYTES), all };
}

async function* unpack(body: Chunks, coding: Coding, head: Uint8Array): Chunks {
  if (coding === 'zstd') yield* unpackZstd(body);
  else yield* unpackZlib(coding === 'gzip' ? untilBreak(body) : body, decompressorFor(coding, head), coding);
}

/**
 * Some servers announce the length that the body had before it was packed, and then close: gzip knows by itself
 * whether it is whole (RFC 1952 §2.3.1), and says so where it is not.
 */
async function* untilBreak(body: Chunks): Chunks {
  try {
    yield* body;
  } catch (error) {
    if (asGarnerError(error).code !== 'http.interrupted') throw error;
  }
}

function decompressorFor(coding: Exclude<Coding, 'zstd'>, head: Uint8Array): Transform {
  if (coding === 'gzip') return createGunzip();
  if (coding === 'br') return createBrotliDecompress();
  return isZlib(head) ? createInflate() : createInflateRaw();
}

async function* unpackZlib(body: Chunks, decompressor: Transform, coding: Coding): Chunks {
  // The iteration below throws what the pipeline ends with.
  pipeline(Readable.from(body), decompressor, () => {});
  try {
    yield* decompressor as AsyncIterable<Buffer>;
  } catch (error) {
    throw unpackError(error, coding);
  }
}

function unpackError(error: unknown, coding: Coding): GarnerError {
  if (error instanceof GarnerError) return error;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'Z_BUF_ERROR')
    return new GarnerError('http.interrupted', `the ${coding} body ends too early`, { cause: error });
  if (code === 'ERR_STREAM_PREMATURE_CLOSE')
    return new GarnerError('http.interrupted', 'the body ends too early', { cause: error });
  if (typeof code === 'string' && /^(?:Z_|ZSTD_|ERR_)/.test(code))
    return broken(`the body is not ${coding}`, error);
  return asGarnerError(error);
}

/** A block of a few bytes may stand for 128 KB: small steps keep a bomb from unfolding in one. */
const ZSTD_STEP_BYTES = 2048;

/** Node's decompressor stops, without a word, after the first frame; a body may have several. */
async function* unpackZstd(body: Chunks): Chunks {
  let frame = createZstdDecompress();
  let output: Buffer[] = [];
  let fed = 0;
  let failure: unknown;
  let ended = false;
  const listen = () => {
    frame.on('data', (chunk: Buffer) => output.push(chunk));
    frame.on('error', (error) => {
      failure = error;
    });
    frame.on('end', () => {
      ended = true;
    });
  };
  listen();
  for await (const chunk of body) {
    for (let at = 0; at < chunk.length; ) {
      const step = chunk.subarray(at, at + ZSTD_STEP_BYTES);
      await new Promise<void>((resolve) => frame.write(step, () => resolve()));
      if (failure !== undefined) throw unpackError(failure, 'zstd');
      fed += step.length;
      const unread = fed - frame.bytesWritten;
      at += step.length - unread;
      if (unread > 0) {
        frame.end();
        if (!ended) await once(frame, 'end');
        frame = createZstdDecompress();
        fed = 0;
        ended = false;
        listen();
      }
      yield* output;
      output = [];
    }
  }
  if (fed === 0) return;
  frame.end();
  if (!ended) {
    try {
      await once(frame, 'end');
    } catch (error) {
      throw unpackError(error, 'zstd');
    }
  }
  yield* output;
}
